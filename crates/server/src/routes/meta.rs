//! `GET /meta`: the dataset, its source files and its licence.

use std::time::SystemTime;

use actix_web::http::header::CACHE_CONTROL;
use actix_web::{HttpRequest, HttpResponse, web};
use outfall_api::Meta;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use crate::problem;
use crate::state::AppState;

/// Answers with the dataset that is served now.
pub(super) async fn meta(request: HttpRequest, state: web::Data<AppState>) -> HttpResponse {
    match state.backend() {
        Ok(backend) => HttpResponse::Ok()
            .insert_header((CACHE_CONTROL, "no-cache"))
            .insert_header(("x-data-version", backend.dataset().build_id.as_str()))
            .json(Meta::new(
                backend.dataset(),
                backend.dataset().published.and_then(to_the_second),
            )),
        Err(problem) => problem::answer(&problem, &request),
    }
}

fn to_the_second(time: SystemTime) -> Option<String> {
    let time = OffsetDateTime::from(time).replace_nanosecond(0).ok()?;
    time.format(&Rfc3339).ok()
}
