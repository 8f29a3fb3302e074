//! `GET /openapi.json`: the service described for programs.

use actix_web::HttpResponse;
use actix_web::http::header::{CACHE_CONTROL, CONTENT_TYPE};

use crate::openapi;

/// Answers with the description.
pub(super) async fn openapi() -> HttpResponse {
    HttpResponse::Ok()
        .insert_header((CACHE_CONTROL, "no-cache"))
        .insert_header((CONTENT_TYPE, "application/json"))
        .body(openapi::document())
}
