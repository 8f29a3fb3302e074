//! `GET /metrics`.

use actix_web::http::header::{CACHE_CONTROL, CONTENT_TYPE, VARY};
use actix_web::{HttpRequest, HttpResponse, web};

use crate::exposition::Exposition;
use crate::state::AppState;

/// Answers with all metrics, as Prometheus text or in OpenMetrics.
pub(super) async fn metrics(request: HttpRequest, state: web::Data<AppState>) -> HttpResponse {
    let format = Exposition::accepted(request.headers());
    HttpResponse::Ok()
        .insert_header((CONTENT_TYPE, format.content_type()))
        .insert_header((VARY, "Accept"))
        .insert_header((CACHE_CONTROL, "no-store"))
        .body(state.metrics.text(&state, format))
}
