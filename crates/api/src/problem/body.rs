//! A problem as `application/problem+json`.

use std::borrow::Cow;

use outfall_records::Province;
use outfall_request::Facet;
use serde::Serialize;

use super::{Problem, texts};
use crate::Language;
use crate::params::{ParameterFault, ParameterProblem, nearest_of};

/// The maximum number of entries in `errors`, so that a small request cannot cause a large answer.
const MAX_ERRORS: usize = 100;
/// The maximum length of a value that is shown back, in Unicode scalar values.
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
    /// The problem as `application/problem+json` (RFC 9457) in `language`, for the request at
    /// `path` with the id `request_id`.
    #[must_use]
    #[expect(clippy::expect_used, reason = "a body of texts and numbers always serialises")]
    pub fn body(&self, path: &str, request_id: &str, language: Language) -> Vec<u8> {
        let errors = match self {
            Self::InvalidParameters(problems) => {
                let first = problems.iter().take(MAX_ERRORS);
                Some(first.map(|problem| entry(problem, language)).collect())
            }
            _ => None,
        };
        let body = Body {
            r#type: format!("/problems/{}", self.code()),
            title: texts::title(self).in_language(language),
            status: self.status(),
            detail: texts::detail(self).in_language(language),
            instance: path,
            code: self.code(),
            request_id,
            errors,
        };
        serde_json::to_vec(&body).expect("texts and numbers")
    }
}

fn entry(problem: &ParameterProblem, language: Language) -> Entry<'_> {
    Entry {
        parameter: shortened(&problem.parameter),
        code: problem.fault.code(),
        detail: problem.detail().in_language(language),
        value: problem.value.as_deref().map(shortened),
        did_you_mean: did_you_mean(problem),
    }
}

/// The name or value that the caller probably meant, if there is a likely one.
fn did_you_mean(problem: &ParameterProblem) -> Option<&'static str> {
    let value = problem.value.as_deref().unwrap_or_default();
    match &problem.fault {
        ParameterFault::Unknown { nearest } => *nearest,
        ParameterFault::NotAChoice(choices) => nearest_of(value, choices.iter().copied()),
        ParameterFault::NotAFacet { record_kind, name } => {
            nearest_of(name, Facet::of(*record_kind).map(Facet::name))
        }
        ParameterFault::NotAProvince => {
            let names = Province::ALL.map(|province| [province.name_en(), province.name_fr()]);
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
