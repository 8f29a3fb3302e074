//! `GET /emission` and `GET /emission/places`.

use actix_web::{HttpRequest, HttpResponse, web};
use outfall_records::RecordKind;

use super::answer::{Wanted, answer};
use crate::state::AppState;

pub(super) async fn search(request: HttpRequest, state: web::Data<AppState>) -> HttpResponse {
    answer(&request, &state, RecordKind::Emission, Wanted::Records).await
}

pub(super) async fn places(request: HttpRequest, state: web::Data<AppState>) -> HttpResponse {
    answer(&request, &state, RecordKind::Emission, Wanted::Places).await
}
