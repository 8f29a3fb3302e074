//! CORS: a page of any origin may send requests. The key is a header, so no page sends it by
//! accident.

use actix_web::HttpResponse;
use actix_web::dev::ServiceRequest;
use actix_web::http::Method;
use actix_web::http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, ACCESS_CONTROL_REQUEST_METHOD,
    CROSS_ORIGIN_RESOURCE_POLICY, HeaderMap, HeaderValue, ORIGIN,
};
use outfall_api::Methods;

const ALLOWED: &str =
    "x-gateway-host, x-gateway-key, x-gateway-secret, x-request-id, if-none-match";
/// The headers that a page may send with a message to `/mcp`.
const ALLOWED_TO_AGENTS: &str = "content-type, mcp-protocol-version, mcp-method, mcp-name, \
                                 x-gateway-host, x-gateway-key, x-gateway-secret, x-request-id";
const EXPOSED: &str = "content-disposition, etag, link, retry-after, ratelimit, \
                       ratelimit-policy, x-ratelimit-limit, x-ratelimit-remaining, \
                       x-ratelimit-reset, x-data-version, x-request-id";

/// The answer to a preflight request; `None` for any other request.
pub(super) fn preflight(request: &ServiceRequest) -> Option<HttpResponse> {
    let headers = request.headers();
    let is_preflight = request.method() == Method::OPTIONS
        && headers.contains_key(ORIGIN)
        && headers.contains_key(ACCESS_CONTROL_REQUEST_METHOD);
    is_preflight.then(|| {
        let (methods, allowed) = match request.path() {
            "/mcp" => (Methods::Post, ALLOWED_TO_AGENTS),
            _ => (Methods::Read, ALLOWED),
        };
        HttpResponse::NoContent()
            .insert_header((ACCESS_CONTROL_ALLOW_METHODS, methods.names()))
            .insert_header((ACCESS_CONTROL_ALLOW_HEADERS, allowed))
            .insert_header((ACCESS_CONTROL_MAX_AGE, "86400"))
            .finish()
    })
}

/// Lets the page that sent the request read the answer, unless the answer is for its own origin.
pub(super) fn allow(headers: &mut HeaderMap) {
    if headers.contains_key(CROSS_ORIGIN_RESOURCE_POLICY) {
        return;
    }
    headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    headers.insert(ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static(EXPOSED));
}
