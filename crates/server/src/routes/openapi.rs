//! `GET /openapi.json`: the service described for programs.

use std::sync::LazyLock;

use actix_web::{HttpRequest, HttpResponse};

use super::document::Document;

static DOCUMENT: LazyLock<Document> =
    LazyLock::new(|| Document::new("application/json", outfall_api::openapi_document()));

pub(super) async fn openapi(request: HttpRequest) -> HttpResponse {
    DOCUMENT.answer(&request, |_| ())
}
