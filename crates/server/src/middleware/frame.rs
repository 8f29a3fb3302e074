//! The outermost layer: limits before a route is chosen, headers and the log line after.

use std::time::Instant;

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{HeaderMap, HeaderName, HeaderValue, VARY};
use actix_web::middleware::Next;
use actix_web::{Error, HttpMessage, HttpResponse, web};
use outfall_api::{Problem, REQUEST_ID};

use super::{RequestLog, cors};
use crate::connections::{Heads, Open, ProgressBody};
use crate::http::RequestId;
use crate::state::AppState;
use crate::{Settings, problem};

/// Headers of every answer, unless its route sets them: by default, a browser must not render an
/// answer as a page, run it or frame it.
const HEADERS: [(HeaderName, &str); 4] = [
    (VARY, "Accept, Accept-Encoding, Accept-Language"),
    (HeaderName::from_static("x-content-type-options"), "nosniff"),
    (
        HeaderName::from_static("content-security-policy"),
        "default-src 'none'; frame-ancestors 'none'",
    ),
    (HeaderName::from_static("referrer-policy"), "no-referrer"),
];

/// Answers a request through the routes, or refuses it before it reaches them.
pub(crate) async fn frame(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<impl MessageBody>, Error> {
    let started = Instant::now();
    let exchange = request.conn_data::<Open>().map(Open::begin);
    if let Some(heads) = request.conn_data::<Heads>() {
        heads.reached(request.headers());
    }
    let state = request.app_data::<web::Data<AppState>>().cloned();
    let in_flight = state.as_ref().map(|state| state.metrics.begin());
    let id = RequestId::from_headers(request.headers());
    request.extensions_mut().insert(id.clone());
    request.extensions_mut().insert(RequestLog::default());
    let mut response = match early_answer(&request) {
        Some(response) => request.into_response(response).map_into_right_body(),
        None => next.call(request).await?.map_into_left_body(),
    };
    complete(response.headers_mut(), &id);
    RequestLog::write(&response, started, state.as_ref().map(|state| state.get_ref()));
    Ok(response.map_body(|_, body| ProgressBody::new(body.boxed(), exchange, in_flight)))
}

/// Adds what every answer has.
pub(crate) fn complete(headers: &mut HeaderMap, id: &RequestId) {
    for (name, value) in HEADERS {
        if !headers.contains_key(&name) {
            headers.insert(name, HeaderValue::from_static(value));
        }
    }
    if let Ok(id) = HeaderValue::from_str(id.as_str()) {
        headers.insert(HeaderName::from_static(REQUEST_ID), id);
    }
    cors::allow(headers);
}

/// An answer that does not depend on the path, if there is one.
fn early_answer(request: &ServiceRequest) -> Option<HttpResponse> {
    let state = request.app_data::<web::Data<AppState>>()?;
    if let Some(excess) = excess(request, &state.settings) {
        return Some(problem::answer(&excess, request.request()));
    }
    cors::preflight(request)
}

/// The limit that a request exceeds, if any.
fn excess(request: &ServiceRequest, settings: &Settings) -> Option<Problem> {
    let target = request.uri().path_and_query().map_or(0, |target| target.as_str().len());
    if target > settings.max_target_bytes {
        return Some(Problem::TargetTooLong { limit: settings.max_target_bytes });
    }
    let headers = request.headers();
    let is_excessive =
        headers.len() > settings.max_headers || bytes(headers) > settings.max_header_bytes;
    is_excessive.then_some(Problem::HeadersTooLarge {
        count: settings.max_headers,
        bytes: settings.max_header_bytes,
    })
}

fn bytes(headers: &HeaderMap) -> usize {
    let lengths = headers.iter().map(|(name, value)| name.as_str().len() + value.len());
    lengths.sum()
}
