//! A problem as `application/problem+json`.

use std::borrow::Cow;

use actix_web::http::header;
use actix_web::{HttpRequest, HttpResponse};
use outfall_records::Province;
use outfall_request::Facet;
use serde::Serialize;

use super::{Problem, parameter_detail, texts};
use crate::http::{RequestId, RequestLog, seconds};
use crate::language::Language;
use crate::params::{Fault, ParameterProblem, nearest_of};

/// The most entries of `errors`, so that a small request cannot ask for a large answer.
const MAX_ERRORS: usize = 100;
/// The longest value that is shown back, in Unicode scalar values.
const MAX_VALUE: usize = 100;

#[derive(Serialize)]
struct Body<'a> {
    r#type: String,
    title: Cow<'static, str>,
    status: u16,
    detail: Cow<'static, str>,
    instance: &'a str,
    code: &'static str,
    request_id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    errors: Option<Vec<Entry<'a>>>,
}

#[derive(Serialize)]
struct Entry<'a> {
    parameter: Cow<'a, str>,
    code: &'static str,
    detail: Cow<'static, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    did_you_mean: Option<&'static str>,
}

impl Problem {
    /// The answer to `request`.
    pub(crate) fn response(&self, request: &HttpRequest) -> HttpResponse {
        let language = Language::accepted(request.headers());
        let errors = match self {
            Self::InvalidParameters(problems) => {
                let first = problems.iter().take(MAX_ERRORS);
                Some(first.map(|problem| entry(problem, language)).collect())
            }
            _ => None,
        };
        RequestLog::note(request, |log| log.problem = Some(self.code()));
        let id = RequestId::of(request);
        let body = Body {
            r#type: format!("/problems/{}", self.code()),
            title: texts::title(self).in_language(language),
            status: self.status().as_u16(),
            detail: texts::detail(self).in_language(language),
            instance: request.path(),
            code: self.code(),
            request_id: id.as_str(),
            errors,
        };
        let mut response = HttpResponse::build(self.status());
        response
            .content_type("application/problem+json")
            .insert_header((header::CACHE_CONTROL, "no-store"))
            .insert_header((header::CONTENT_LANGUAGE, language.tag()));
        match self {
            Self::KeyMissing | Self::KeyUnknown => {
                let challenge = "GatewayKey realm=\"outfall\", header=\"x-gateway-key\"";
                response.insert_header((header::WWW_AUTHENTICATE, challenge));
            }
            Self::MethodNotAllowed => {
                response.insert_header((header::ALLOW, "GET, HEAD"));
            }
            _ => {}
        }
        if let Some(wait) = self.retry_after() {
            response.insert_header((header::RETRY_AFTER, seconds(wait)));
        }
        // A body of texts and numbers always serialises.
        response.body(serde_json::to_vec(&body).unwrap_or_default())
    }
}

fn entry(problem: &ParameterProblem, language: Language) -> Entry<'_> {
    Entry {
        parameter: shortened(&problem.parameter),
        code: problem.fault.code(),
        detail: parameter_detail(problem).in_language(language),
        value: problem.value.as_deref().map(shortened),
        did_you_mean: did_you_mean(problem),
    }
}

/// The name or the value that was meant, as far as that can be told.
fn did_you_mean(problem: &ParameterProblem) -> Option<&'static str> {
    let value = problem.value.as_deref().unwrap_or_default();
    match &problem.fault {
        Fault::Unknown { nearest } => *nearest,
        Fault::NotAChoice(choices) => nearest_of(value, choices.iter().copied()),
        Fault::NotAFacet { entity, name } => nearest_of(name, Facet::of(*entity).map(Facet::name)),
        Fault::NotAProvince => {
            let names = Province::ALL.map(|it| [it.name_en(), it.name_fr()]);
            nearest_of(value, names.into_iter().flatten())
        }
        _ => None,
    }
}

fn shortened(text: &str) -> Cow<'_, str> {
    match text.char_indices().nth(MAX_VALUE) {
        Some((end, _)) => format!("{}…", &text[..end]).into(),
        None => text.into(),
    }
}
