//! `GET /openapi.json`: the service described for programs, in both languages.

use std::sync::LazyLock;

use actix_web::{HttpRequest, HttpResponse};
use outfall_api::{Language, openapi_document};

use super::document::{Document, InBothLanguages};

static DOCUMENT: LazyLock<InBothLanguages> = LazyLock::new(|| {
    let document = |language| Document::new("application/json", openapi_document(language));
    InBothLanguages([Language::English, Language::French].map(document))
});

pub(super) async fn openapi(request: HttpRequest) -> HttpResponse {
    DOCUMENT.answer(&request)
}
