//! `GET /emission`.

use actix_web::{HttpRequest, HttpResponse, web};
use outfall_records::RecordKind;

use super::answer::answer;
use crate::state::AppState;

pub(super) async fn search(request: HttpRequest, state: web::Data<AppState>) -> HttpResponse {
    answer(&request, &state, RecordKind::Emission).await
}
