//! All routes.

mod admitted;
mod answer;
mod docs;
mod document;
mod embed;
mod emission;
mod explorer;
mod health;
mod index;
mod mcp;
mod meta;
mod metrics;
mod openapi;
mod release;

use actix_web::{Handler, HttpRequest, HttpResponse, Resource, Responder, guard, web};
use outfall_api::{Methods, Problem};

use crate::problem;

/// The paths of the service; only the first one ends in a slash.
pub(crate) fn configure(config: &mut web::ServiceConfig) {
    config
        .service(read_only("/", explorer::root))
        .service(read_only("/release", release::search))
        .service(read_only("/emission", emission::search))
        .service(read_only("/release/places", release::places))
        .service(read_only("/emission/places", emission::places))
        .service(
            web::resource("/mcp")
                .route(web::post().to(mcp::message))
                .default_service(web::to(only_messages)),
        )
        .service(read_only("/meta", meta::meta))
        .service(read_only("/openapi.json", openapi::openapi))
        .service(read_only("/docs", docs::page))
        .service(read_only("/docs/docs.css", docs::style))
        .service(read_only("/docs/docs.js", docs::script))
        .service(read_only("/explorer/explorer.css", explorer::style))
        .service(read_only("/explorer/explorer.js", explorer::script))
        .service(read_only("/explorer/map.json", explorer::map))
        .service(read_only("/embed", embed::page))
        .service(read_only("/facility/{id}", explorer::view))
        .service(read_only("/substance/{id}", explorer::view))
        .service(read_only("/favicon.ico", docs::icon))
        .service(read_only("/health/live", health::live))
        .service(read_only("/health/ready", health::ready))
        .default_service(web::to(not_found));
}

/// The same paths, and the metrics.
pub(crate) fn configure_with_metrics(config: &mut web::ServiceConfig) {
    config.service(read_only("/metrics", metrics::metrics));
    configure(config);
}

/// The routes of the separate address for metrics.
pub(crate) fn configure_metrics(config: &mut web::ServiceConfig) {
    config
        .service(read_only("/metrics", metrics::metrics))
        .service(read_only("/health/live", health::live))
        .service(read_only("/health/ready", health::ready))
        .default_service(web::to(nothing_else));
}

/// A path that supports `GET` and `HEAD`; the server leaves out the body for the latter.
fn read_only<F, Args>(path: &str, handler: F) -> Resource
where
    F: Handler<Args>,
    Args: actix_web::FromRequest + 'static,
    F::Output: Responder + 'static,
{
    let is_read = guard::Any(guard::Get()).or(guard::Head());
    web::resource(path)
        .route(web::route().guard(is_read).to(handler))
        .default_service(web::to(method_not_allowed))
}

async fn not_found(request: HttpRequest) -> HttpResponse {
    problem::answer(&Problem::not_found(request.path()), &request)
}

/// The 404 answer at the address for metrics. It suggests no path, because most of those that it
/// could suggest are not served there.
async fn nothing_else(request: HttpRequest) -> HttpResponse {
    problem::answer(&Problem::NotFound { nearest: None }, &request)
}

async fn method_not_allowed(request: HttpRequest) -> HttpResponse {
    problem::answer(&Problem::MethodNotAllowed { allowed: Methods::Read }, &request)
}

async fn only_messages(request: HttpRequest) -> HttpResponse {
    problem::answer(&Problem::MethodNotAllowed { allowed: Methods::Post }, &request)
}
