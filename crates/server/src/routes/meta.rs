//! `GET /meta`: the dataset, its source files and its licence.

use actix_web::http::header::CACHE_CONTROL;
use actix_web::{HttpRequest, HttpResponse, web};
use outfall_api::Meta;

use crate::problem;
use crate::state::AppState;

/// Answers with the dataset that is served now.
pub(super) async fn meta(request: HttpRequest, state: web::Data<AppState>) -> HttpResponse {
    match state.backend() {
        Ok(backend) => HttpResponse::Ok()
            .insert_header((CACHE_CONTROL, "no-cache"))
            .insert_header(("x-data-version", backend.dataset().build_id.as_str()))
            .json(Meta::new(backend.dataset())),
        Err(problem) => problem::answer(&problem, &request),
    }
}
