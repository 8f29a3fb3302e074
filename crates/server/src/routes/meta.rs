//! `GET /meta`: the dataset, its source files and its licence.

use std::time::SystemTime;

use actix_web::http::header::CACHE_CONTROL;
use actix_web::{HttpRequest, HttpResponse, web};
use outfall_records::DatasetInfo;
use serde::Serialize;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use crate::problem;
use crate::state::AppState;

#[derive(Serialize)]
struct Meta<'a> {
    #[serde(flatten)]
    dataset: &'a DatasetInfo,
    /// When the index was published, RFC 3339 in UTC.
    #[serde(skip_serializing_if = "Option::is_none")]
    built_at: Option<String>,
    licence: Licence,
    attribution: Attribution,
    service: ServiceInfo,
}

#[derive(Serialize)]
struct Licence {
    name: &'static str,
    url: &'static str,
}

/// The attribution that the licence requires.
#[derive(Serialize)]
struct Attribution {
    en: &'static str,
    fr: &'static str,
}

/// This program.
#[derive(Serialize)]
pub(super) struct ServiceInfo {
    name: &'static str,
    version: &'static str,
}

pub(super) const SERVICE: ServiceInfo =
    ServiceInfo { name: "outfall", version: env!("CARGO_PKG_VERSION") };

const LICENCE: Licence = Licence {
    name: "Open Government Licence – Canada",
    url: "https://open.canada.ca/en/open-government-licence-canada",
};

const ATTRIBUTION: Attribution = Attribution {
    en: "Contains information licensed under the Open Government Licence – Canada. Source: \
         Environment and Climate Change Canada, National Pollutant Release Inventory and Greenhouse \
         Gas Reporting Program.",
    fr: "Contient de l’information visée par la Licence du gouvernement ouvert – Canada. Source : \
         Environnement et Changement climatique Canada, Inventaire national des rejets de polluants \
         et Programme de déclaration des gaz à effet de serre.",
};

/// Answers with the dataset that is served now.
pub(super) async fn meta(request: HttpRequest, state: web::Data<AppState>) -> HttpResponse {
    match state.backend() {
        Ok(backend) => HttpResponse::Ok()
            .insert_header((CACHE_CONTROL, "no-cache"))
            .insert_header(("x-data-version", backend.dataset().build_id.as_str()))
            .json(Meta {
                dataset: backend.dataset(),
                built_at: backend.dataset().published.and_then(to_the_second),
                licence: LICENCE,
                attribution: ATTRIBUTION,
                service: SERVICE,
            }),
        Err(problem) => problem::answer(&problem, &request),
    }
}

fn to_the_second(time: SystemTime) -> Option<String> {
    let time = OffsetDateTime::from(time).replace_nanosecond(0).ok()?;
    time.format(&Rfc3339).ok()
}
