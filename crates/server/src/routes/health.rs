//! Whether the process lives, and whether it can answer.

use actix_web::http::header::CACHE_CONTROL;
use actix_web::{HttpRequest, HttpResponse, web};
use serde::Serialize;

use crate::state::AppState;

#[derive(Serialize)]
struct Health<'a> {
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    build_id: Option<&'a str>,
}

/// 200 as long as the process answers at all.
pub(super) async fn live() -> HttpResponse {
    answer(&Health { status: "live", build_id: None })
}

/// 200 when there is an index to search, else 503 with the reason. `degraded` is an older index
/// than the one published, which cannot be served; the log says why.
pub(super) async fn ready(request: HttpRequest, state: web::Data<AppState>) -> HttpResponse {
    match state.backend() {
        Ok(backend) => answer(&Health {
            status: if state.is_degraded() { "degraded" } else { "ready" },
            build_id: Some(&backend.dataset().build_id),
        }),
        Err(problem) => problem.response(&request),
    }
}

fn answer(health: &Health<'_>) -> HttpResponse {
    HttpResponse::Ok().insert_header((CACHE_CONTROL, "no-store")).json(health)
}
