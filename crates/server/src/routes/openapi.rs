//! `GET /openapi.json`: the service described for programs.

use actix_web::{HttpRequest, HttpResponse};

use super::document;
use crate::openapi;

/// Answers with the description.
pub(super) async fn openapi(request: HttpRequest) -> HttpResponse {
    document::answer(&request, "application/json", openapi::document(), |_| ())
}
