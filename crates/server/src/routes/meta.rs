//! What is served, from which files, and under which licence.

use actix_web::http::header::CACHE_CONTROL;
use actix_web::{HttpRequest, HttpResponse, web};
use outfall_records::DatasetInfo;
use serde::Serialize;

use crate::state::AppState;

#[derive(Serialize)]
struct Meta<'a> {
    #[serde(flatten)]
    dataset: &'a DatasetInfo,
    licence: Licence,
    attribution: Attribution,
    service: Service,
}

#[derive(Serialize)]
struct Licence {
    name: &'static str,
    url: &'static str,
}

/// What whoever shows the data must show with it.
#[derive(Serialize)]
struct Attribution {
    en: &'static str,
    fr: &'static str,
}

/// This program.
#[derive(Serialize)]
pub(super) struct Service {
    name: &'static str,
    version: &'static str,
}

pub(super) const SERVICE: Service = Service { name: "outfall", version: env!("CARGO_PKG_VERSION") };

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
                licence: LICENCE,
                attribution: ATTRIBUTION,
                service: SERVICE,
            }),
        Err(problem) => problem.response(&request),
    }
}
