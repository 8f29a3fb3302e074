//! Health checks: whether the process is alive, and whether it can answer searches.

use actix_web::http::header::CACHE_CONTROL;
use actix_web::{HttpRequest, HttpResponse, web};
use outfall_api::{DegradedReason, Health, Status};

use crate::problem;
use crate::state::AppState;

/// 200 as long as the process answers at all.
pub(super) async fn live() -> HttpResponse {
    answer(&Health { status: Status::Live, build_id: None, reasons: Vec::new() })
}

/// 200 when there is an index to search, else 503 with the problem. `degraded` means that something
/// on disk cannot be read, and the service answers with what it read before.
pub(super) async fn ready(request: HttpRequest, state: web::Data<AppState>) -> HttpResponse {
    match state.backend() {
        Ok(backend) => {
            let index = state.is_index_degraded().then_some(DegradedReason::IndexUnreadable);
            let keys = state.is_key_file_unreadable().then_some(DegradedReason::KeyFileUnreadable);
            let reasons: Vec<DegradedReason> = index.into_iter().chain(keys).collect();
            let status = if reasons.is_empty() { Status::Ready } else { Status::Degraded };
            answer(&Health { status, build_id: Some(&backend.dataset().build_id), reasons })
        }
        Err(problem) => problem::answer(&problem, &request),
    }
}

fn answer(health: &Health<'_>) -> HttpResponse {
    HttpResponse::Ok().insert_header((CACHE_CONTROL, "no-store")).json(health)
}
