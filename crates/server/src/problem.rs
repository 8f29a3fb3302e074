//! Problems as answers to HTTP requests, and refusals of this service as problems.

use actix_web::http::{StatusCode, header};
use actix_web::{HttpRequest, HttpResponse, HttpResponseBuilder};
use outfall_api::{Language, Problem, whole_seconds};

use crate::admission::Overloaded;
use crate::export::NoPlace;
use crate::http::{RequestId, accepted_language};
use crate::middleware::RequestLog;

/// The answer to `request`: `application/problem+json` in its language (RFC 9457).
pub(crate) fn answer(problem: &Problem, request: &HttpRequest) -> HttpResponse {
    let language = accepted_language(request.headers());
    RequestLog::note(request, |log| log.problem = Some(problem.code()));
    let body = problem.body(request.path(), RequestId::of(request).as_str(), language);
    response(problem, language).body(body)
}

/// The answer without its body.
pub(crate) fn response(problem: &Problem, language: Language) -> HttpResponseBuilder {
    let status = StatusCode::from_u16(problem.status());
    let mut response = HttpResponse::build(status.unwrap_or(StatusCode::INTERNAL_SERVER_ERROR));
    response
        .content_type("application/problem+json")
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .insert_header((header::CONTENT_LANGUAGE, language.tag()));
    match problem {
        Problem::KeyMissing | Problem::KeyUnknown => {
            let challenge = "GatewayKey realm=\"outfall\", header=\"x-gateway-key\"";
            response.insert_header((header::WWW_AUTHENTICATE, challenge));
        }
        Problem::MethodNotAllowed { allowed } => {
            response.insert_header((header::ALLOW, allowed.names()));
        }
        _ => {}
    }
    if let Some(wait) = problem.retry_after() {
        response.insert_header((header::RETRY_AFTER, whole_seconds(wait)));
    }
    response
}

impl From<Overloaded> for Problem {
    fn from(_: Overloaded) -> Self {
        Self::Overloaded
    }
}

impl From<NoPlace> for Problem {
    fn from(refusal: NoPlace) -> Self {
        match refusal {
            NoPlace::OfCaller => Self::TooManyExports,
            NoPlace::OfAll => Self::Overloaded,
        }
    }
}
