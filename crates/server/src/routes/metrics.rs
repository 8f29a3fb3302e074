//! `GET /metrics`.

use actix_web::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use actix_web::{HttpResponse, web};

use crate::state::AppState;

/// Answers with everything that is counted.
pub(super) async fn metrics(state: web::Data<AppState>) -> HttpResponse {
    HttpResponse::Ok()
        .insert_header((CONTENT_TYPE, "application/openmetrics-text; version=1.0.0; charset=utf-8"))
        .insert_header((CACHE_CONTROL, "no-store"))
        .body(state.metrics.text(&state))
}
