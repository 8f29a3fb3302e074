//! `GET /docs`: the service described for people, who can try it there.
//!
//! The page and all it needs are part of the program. It is drawn from `/openapi.json`.

use actix_web::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use actix_web::{HttpResponse, Responder};

/// What the page may do: run its own script, look as its own style says, ask this service.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
                      connect-src 'self'; base-uri 'none'; form-action 'none'; \
                      frame-ancestors 'none'";

/// The page.
pub(super) async fn page() -> impl Responder {
    asset("text/html; charset=utf-8", include_str!("../../assets/docs.html"))
}

/// How it looks.
pub(super) async fn style() -> impl Responder {
    asset("text/css; charset=utf-8", include_str!("../../assets/docs.css"))
}

/// What draws it.
pub(super) async fn script() -> impl Responder {
    asset("text/javascript; charset=utf-8", include_str!("../../assets/docs.js"))
}

fn asset(media_type: &'static str, body: &'static str) -> HttpResponse {
    HttpResponse::Ok()
        .insert_header((CACHE_CONTROL, "no-cache"))
        .insert_header((CONTENT_TYPE, media_type))
        .insert_header((CONTENT_SECURITY_POLICY, POLICY))
        .body(body)
}
