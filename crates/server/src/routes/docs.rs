//! `GET /docs`: the service described for people, who can try it out there.
//!
//! The page and its assets are built into the program. The page is rendered from `/openapi.json`.

use actix_web::http::header::CONTENT_SECURITY_POLICY;
use actix_web::{HttpRequest, HttpResponse};

use super::document::Document;

/// The page may run its own script, use its own style and icon, and send requests to this service,
/// nothing else.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
                      img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; \
                      frame-ancestors 'none'";

static PAGE: Document =
    Document::new("text/html; charset=utf-8", include_str!("../../assets/docs.html"));
static STYLE: Document =
    Document::new("text/css; charset=utf-8", include_str!("../../assets/docs.css"));
static SCRIPT: Document =
    Document::new("text/javascript; charset=utf-8", include_str!("../../assets/docs.js"));
static ICON: Document = Document::new("image/svg+xml", include_str!("../../assets/icon.svg"));

pub(super) async fn page(request: HttpRequest) -> HttpResponse {
    asset(&request, &PAGE)
}

pub(super) async fn style(request: HttpRequest) -> HttpResponse {
    asset(&request, &STYLE)
}

pub(super) async fn script(request: HttpRequest) -> HttpResponse {
    asset(&request, &SCRIPT)
}

/// The icon, under the path that browsers request by default.
pub(super) async fn icon(request: HttpRequest) -> HttpResponse {
    asset(&request, &ICON)
}

fn asset(request: &HttpRequest, document: &Document) -> HttpResponse {
    document.answer(request, |response| {
        response.insert_header((CONTENT_SECURITY_POLICY, POLICY));
    })
}
