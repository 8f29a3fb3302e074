//! The log line of a request, which never contains a text that the caller searched for.

use std::time::{Duration, Instant};

use actix_web::body::{BodySize, MessageBody};
use actix_web::dev::ServiceResponse;
use actix_web::http::Method;
use actix_web::{HttpMessage, HttpRequest};
use outfall_api::Problem;

use crate::http::RequestId;
use crate::metrics::Answered;
use crate::state::AppState;

/// Facts about a request that the routes record while they answer.
#[derive(Debug, Default)]
pub(crate) struct RequestLog {
    /// The first characters of the key.
    pub(crate) key: Option<String>,
    /// How long the request waited for its search.
    pub(crate) queue: Option<Duration>,
    /// The engine that was asked, and how long it took.
    pub(crate) search: Option<(&'static str, Duration)>,
    /// The code of the problem that was answered.
    pub(crate) problem: Option<&'static str>,
    /// The value of `q`; written only for slow searches, and only if the operator asks for it.
    pub(crate) query: Option<String>,
    /// How many records matched.
    pub(crate) count: Option<u64>,
    /// The names of the parameters given; their values are private to the caller.
    pub(crate) parameters: Vec<&'static str>,
}

impl RequestLog {
    /// Records something about a request.
    pub(crate) fn note(request: &HttpRequest, note: impl FnOnce(&mut Self)) {
        if let Some(log) = request.extensions_mut().get_mut::<Self>() {
            note(log);
        }
    }

    /// Writes the log line of an answered request.
    pub(super) fn write<B: MessageBody>(
        response: &ServiceResponse<B>,
        started: Instant,
        state: Option<&AppState>,
    ) {
        let request = response.request();
        let extensions = request.extensions();
        let empty = Self::default();
        let log = extensions.get::<Self>().unwrap_or(&empty);
        let bytes = match response.response().body().size() {
            BodySize::Sized(bytes) => bytes,
            BodySize::None | BodySize::Stream => 0,
        };
        let pattern = request.match_pattern();
        let route = pattern.as_deref().unwrap_or("none");
        let total = started.elapsed();
        let Self { queue, search, problem, .. } = *log;
        tracing::info!(
            target: "outfall::request",
            request_id = extensions.get::<RequestId>().map(RequestId::as_str),
            key = log.key.as_deref(),
            method = known_method(request.method()),
            route,
            status = response.status().as_u16(),
            bytes,
            problem = log.problem,
            total_ms = total.as_micros() as f64 / 1e3,
            queue_us = log.queue.map(microseconds),
            search_us = log.search.map(|(_, search)| microseconds(search)),
            count = log.count,
            parameters = log.parameters.join(" "),
            "answered"
        );
        let Some(state) = state else { return };
        let status = response.status().as_u16();
        state.metrics.answered(&Answered { route, status, problem, total, queue, search });
        let slow = state.settings.slow_query;
        let search = search.map(|(_, search)| search);
        if slow.is_some_and(|limit| search.is_some_and(|search| search >= limit)) {
            tracing::warn!(
                target: "outfall::slow",
                request_id = extensions.get::<RequestId>().map(RequestId::as_str),
                route,
                search_us = search.map(microseconds),
                q = log.query.as_deref(),
                "slow"
            );
        }
    }
}

impl RequestLog {
    /// Writes the log line of input that was refused before it became a request.
    pub(crate) fn write_refused(
        id: &RequestId,
        method: &[u8],
        problem: &Problem,
        bytes: usize,
        state: &AppState,
    ) {
        let (route, status) = ("none", problem.status());
        let method = Method::from_bytes(method).unwrap_or_default();
        tracing::info!(
            target: "outfall::request",
            request_id = id.as_str(),
            method = known_method(&method),
            route,
            status,
            bytes,
            problem = problem.code(),
            "refused"
        );
        let problem = Some(problem.code());
        let (total, queue, search) = (Duration::ZERO, None, None);
        state.metrics.answered(&Answered { route, status, problem, total, queue, search });
    }
}

fn microseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_micros()).unwrap_or(u64::MAX)
}

/// The method if HTTP defines it, else `other`, because a caller may send any text as a method.
fn known_method(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::DELETE => "DELETE",
        Method::CONNECT => "CONNECT",
        Method::OPTIONS => "OPTIONS",
        Method::TRACE => "TRACE",
        Method::PATCH => "PATCH",
        _ => "other",
    }
}
