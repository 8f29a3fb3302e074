//! Health checks: whether the process is alive, and whether it can answer searches.

use actix_web::http::header::CACHE_CONTROL;
use actix_web::{HttpRequest, HttpResponse, web};
use serde::Serialize;

use crate::problem;
use crate::state::AppState;

#[derive(Serialize)]
struct Health<'a> {
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    build_id: Option<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    reasons: Vec<Reason>,
}

/// Why a service is degraded; the log has the details.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Reason {
    /// The published index cannot be served; an older one answers.
    IndexUnreadable,
    /// The key file cannot be read; changes of keys are not followed.
    KeyFileUnreadable,
}

/// 200 as long as the process answers at all.
pub(super) async fn live() -> HttpResponse {
    answer(&Health { status: "live", build_id: None, reasons: Vec::new() })
}

/// 200 when there is an index to search, else 503 with the problem. `degraded` means that something
/// on disk cannot be read, and the service answers with what it read before.
pub(super) async fn ready(request: HttpRequest, state: web::Data<AppState>) -> HttpResponse {
    match state.backend() {
        Ok(backend) => {
            let index = state.is_index_degraded().then_some(Reason::IndexUnreadable);
            let keys = state.is_key_file_unreadable().then_some(Reason::KeyFileUnreadable);
            let reasons: Vec<Reason> = index.into_iter().chain(keys).collect();
            let status = if reasons.is_empty() { "ready" } else { "degraded" };
            answer(&Health { status, build_id: Some(&backend.dataset().build_id), reasons })
        }
        Err(problem) => problem::answer(&problem, &request),
    }
}

fn answer(health: &Health<'_>) -> HttpResponse {
    HttpResponse::Ok().insert_header((CACHE_CONTROL, "no-store")).json(health)
}
