//! `GET /docs`: the service described for people, who can try it there.
//!
//! The page and all it needs are part of the program. It is drawn from `/openapi.json`.

use actix_web::http::header::CONTENT_SECURITY_POLICY;
use actix_web::{HttpRequest, HttpResponse};

use super::document;

/// What the page may do: run its own script, look as its own style says, ask this service.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
                      img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; \
                      frame-ancestors 'none'";

/// The page.
pub(super) async fn page(request: HttpRequest) -> HttpResponse {
    asset(&request, "text/html; charset=utf-8", include_str!("../../assets/docs.html"))
}

/// How it looks.
pub(super) async fn style(request: HttpRequest) -> HttpResponse {
    asset(&request, "text/css; charset=utf-8", include_str!("../../assets/docs.css"))
}

/// What draws it.
pub(super) async fn script(request: HttpRequest) -> HttpResponse {
    asset(&request, "text/javascript; charset=utf-8", include_str!("../../assets/docs.js"))
}

/// Its icon, under the name that browsers ask for by themselves.
pub(super) async fn icon(request: HttpRequest) -> HttpResponse {
    asset(&request, "image/svg+xml", include_str!("../../assets/icon.svg"))
}

fn asset(request: &HttpRequest, media_type: &'static str, body: &'static str) -> HttpResponse {
    document::answer(request, media_type, body, |response| {
        response.insert_header((CONTENT_SECURITY_POLICY, POLICY));
    })
}
