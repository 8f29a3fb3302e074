//! A problem as `application/problem+json`.

use std::borrow::Cow;

use outfall_records::Province;
use outfall_request::Facet;
use schemars::JsonSchema;
use serde::Serialize;

use super::{PROBLEM_CODES, Problem, whole_seconds};
use crate::Language;
use crate::envelope::push_json;
use crate::params::advice::{nearest_choice, nearest_of};
use crate::params::{PARAMETER_CODES, ParameterFault, ParameterProblem};

/// The maximum number of entries in `errors`, so that a small request cannot cause a large answer.
const MAX_ERRORS: usize = 100;
/// The maximum length of a value that is shown back, in Unicode scalar values.
const MAX_VALUE: usize = 100;

/// Why a request has no answer (RFC 9457).
#[derive(Serialize, JsonSchema)]
#[schemars(extend("x-fr" = "Pourquoi une requête n’a pas de réponse (RFC 9457)."))]
#[schemars(rename = "Problem")]
pub(crate) struct Body<'a> {
    #[schemars(extend("format" = "uri-reference"))]
    r#type: String,
    title: Cow<'static, str>,
    #[schemars(range(min = 400, max = 599))]
    status: u16,
    /// For people, in the language asked for.
    #[schemars(extend("x-fr" = "Texte destiné aux personnes, dans la langue demandée."))]
    detail: Cow<'static, str>,
    /// The path that was asked; empty if it could not be read.
    #[schemars(extend("x-fr" = "Le chemin demandé; vide s’il n’a pu être lu."))]
    instance: &'a str,
    /// The code to act on; it never changes.
    #[schemars(extend("x-fr" = "Le code sur lequel se fonder; il ne change jamais."))]
    #[schemars(extend("enum" = PROBLEM_CODES))]
    code: &'static str,
    #[schemars(length(min = 1, max = 64))]
    request_id: &'a str,
    /// With `invalid-parameter`: every parameter that is wrong, and why.
    #[schemars(extend(
        "x-fr" = "Avec `invalid-parameter`\u{a0}: chaque paramètre fautif, et pourquoi."
    ))]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<Entry<'a>>", length(min = 1, max = MAX_ERRORS))]
    errors: Option<Vec<Entry<'a>>>,
}

/// Why a parameter is wrong.
#[derive(Serialize, JsonSchema)]
#[schemars(extend("x-fr" = "Pourquoi un paramètre est fautif."))]
#[schemars(rename = "ParameterProblem")]
struct Entry<'a> {
    /// The name as the caller spelled it.
    #[schemars(extend("x-fr" = "Le nom tel que l’appelant l’a écrit."))]
    parameter: Cow<'a, str>,
    #[schemars(extend("enum" = PARAMETER_CODES))]
    code: &'static str,
    /// For people, in the language asked for.
    #[schemars(extend("x-fr" = "Texte destiné aux personnes, dans la langue demandée."))]
    detail: Cow<'static, str>,
    /// The value as given, shortened.
    #[schemars(extend("x-fr" = "La valeur telle que donnée, abrégée."))]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    value: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    did_you_mean: Option<&'static str>,
}

impl Problem {
    /// The problem for an agent, which may ask again: what to change, or how long to wait.
    pub(crate) fn advice(&self, language: Language) -> Vec<u8> {
        #[derive(Serialize)]
        struct Advice<'a> {
            code: &'static str,
            detail: Cow<'static, str>,
            #[serde(skip_serializing_if = "Option::is_none")]
            retry_after_seconds: Option<u64>,
            #[serde(skip_serializing_if = "Option::is_none")]
            errors: Option<Vec<Entry<'a>>>,
        }

        let mut body = Vec::new();
        push_json(
            &mut body,
            &Advice {
                code: self.code(),
                detail: self.detail().in_language(language),
                retry_after_seconds: self.retry_after().map(whole_seconds),
                errors: self.entries(language),
            },
        );
        body
    }

    /// What is wrong with each parameter, if that is the problem.
    fn entries(&self, language: Language) -> Option<Vec<Entry<'_>>> {
        let Self::InvalidParameters(problems) = self else { return None };
        let first = problems.iter().take(MAX_ERRORS);
        Some(first.map(|problem| entry(problem, language)).collect())
    }

    /// The problem as `application/problem+json` (RFC 9457) in `language`, for the request at
    /// `path` with the id `request_id`.
    #[must_use]
    pub fn body(&self, path: &str, request_id: &str, language: Language) -> Vec<u8> {
        let body = Body {
            r#type: format!("/problems/{}", self.code()),
            title: self.title().in_language(language),
            status: self.status(),
            detail: self.detail().in_language(language),
            instance: path,
            code: self.code(),
            request_id,
            errors: self.entries(language),
        };
        let mut written = Vec::new();
        push_json(&mut written, &body);
        written
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
        ParameterFault::UnknownFacility => Some("facility_id"),
        ParameterFault::NotAChoice(choices) => nearest_choice(&problem.parameter, value, choices),
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
