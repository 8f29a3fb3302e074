//! The arguments of a tool as parameters of the API, checked as there.

use serde_json::value::RawValue;

use super::call::Part;
use super::members::{Members, text};
use super::tools::{Asks, DEFAULT_LIMIT, MAX_LIMIT, Search, Tool};
use super::{LANGUAGE, LANGUAGES};
use crate::params::table::{Name, PARAMETERS};
use crate::params::{ParameterFault, ParameterProblem, integer};
use crate::{CheckedRequest, Format, Language, Parameter, ParameterKind, Problem, RawParams};

type Pairs = Vec<(String, String)>;

/// Reads the arguments: the language of the answer, which is `accepted` unless an argument names
/// one, and the searches.
///
/// If any argument is wrong, a problem that names every wrong argument replaces the searches.
pub(super) fn read(
    tool: &Tool,
    arguments: Members<'_>,
    accepted: Language,
) -> (Language, Result<Vec<Part>, Problem>) {
    let mut given = ToolArguments { pairs: Vec::new(), language: None, problems: Vec::new() };
    for (name, value) in arguments {
        given.take(tool, name, value);
    }
    let language = given.language.unwrap_or(accepted);
    (language, given.searches(tool).map_err(Problem::InvalidParameters))
}

/// The arguments that were read so far.
struct ToolArguments {
    pairs: Pairs,
    language: Option<Language>,
    /// Problems that the API does not find by itself.
    problems: Vec<ParameterProblem>,
}

impl ToolArguments {
    fn take(&mut self, tool: &Tool, name: String, value: &RawValue) {
        let Some(values) = plain_values(value) else {
            return self.refuse(name, Some(value.get()), ParameterFault::NotPlain);
        };
        if name == LANGUAGE {
            return self.take_language(name, &values);
        }
        let known = Parameter::named(&name);
        let is_of_kind =
            |known: &Parameter| tool.record_kind().is_some_and(|kind| known.is_on(kind));
        let is_foreign = match known {
            // A parameter of the other kind of record is left to the API, which reports it best.
            Some(known) => !tool.takes(known) && is_of_kind(known),
            None => false,
        };
        if is_foreign || tool.record_kind().is_none() {
            let fault = ParameterFault::NotOfTool { tool: tool.name };
            return self.refuse(name, Some(value.get()), fault);
        }
        if let Some(fault) = known.and_then(|known| beyond_a_tool(known, &values)) {
            return self.refuse(name, Some(value.get()), fault);
        }
        let is_list = known.is_some_and(|known| matches!(known.kind, ParameterKind::Choices(_)));
        let values = if is_list { vec![values.join(",")] } else { values };
        self.pairs.extend(values.into_iter().map(|value| (name.clone(), value)));
    }

    fn take_language(&mut self, name: String, values: &[String]) {
        let languages = [Language::English, Language::French];
        for value in values {
            let known = languages.into_iter().find(|known| known.tag() == value.as_str());
            match (known, self.language) {
                (Some(known), None) => self.language = Some(known),
                (Some(known), Some(before)) if known == before => {}
                (Some(_), Some(_)) => {
                    self.refuse(name.clone(), Some(value), ParameterFault::Repeated);
                }
                (None, _) => {
                    self.refuse(name.clone(), Some(value), ParameterFault::NotAChoice(&LANGUAGES));
                }
            }
        }
    }

    fn refuse(&mut self, parameter: String, value: Option<&str>, fault: ParameterFault) {
        let position = self.pairs.len();
        let value = value.map(str::to_owned);
        self.problems.push(ParameterProblem { position, parameter, value, fault });
    }

    fn has(&self, name: &str) -> bool {
        self.pairs.iter().any(|(given, value)| given == name && !value.trim().is_empty())
    }

    fn add(&mut self, name: &str, value: impl ToString) {
        self.pairs.push((name.to_owned(), value.to_string()));
    }

    /// The searches, or every problem of the arguments.
    fn searches(mut self, tool: &Tool) -> Result<Vec<Part>, Vec<ParameterProblem>> {
        match &tool.asks {
            Asks::Records(_) if !self.has("limit") => self.add("limit", DEFAULT_LIMIT),
            Asks::Counts(_) => {
                if self.has("facets") && !self.has("facet_limit") {
                    self.add("facet_limit", DEFAULT_LIMIT);
                }
                self.add("limit", 0);
            }
            Asks::About(name, _) => {
                let name = PARAMETERS[*name as usize].name;
                if !self.has(name) {
                    self.refuse(name.to_owned(), None, ParameterFault::Required);
                }
            }
            Asks::Records(_) | Asks::WhatIsServed => {}
        }
        let own: Vec<Search> = match &tool.asks {
            Asks::Records(record_kind) | Asks::Counts(record_kind) => vec![("", *record_kind, &[])],
            Asks::About(_, searches) => searches.to_vec(),
            Asks::WhatIsServed => Vec::new(),
        };
        let mut searches = Vec::new();
        for (name, record_kind, added) in own {
            let pairs = self.pairs.iter().map(|(name, value)| (name.as_str(), value.as_str()));
            let raw = RawParams::from_pairs(pairs.chain(added.iter().copied()), record_kind);
            match CheckedRequest::new(record_kind, raw, Format::Json) {
                Ok(checked) => searches.push(Part { name, checked }),
                Err(problems) => {
                    // Each search has the same arguments, and so the same problems.
                    self.problems.extend(problems);
                    break;
                }
            }
        }
        self.problems.sort_by_key(|problem| problem.position);
        if self.problems.is_empty() { Ok(searches) } else { Err(self.problems) }
    }
}

/// The fault of a limit that no tool accepts: tools allow smaller answers than the API does.
fn beyond_a_tool(parameter: &Parameter, values: &[String]) -> Option<ParameterFault> {
    if !matches!(parameter.id, Name::Limit | Name::FacetLimit) {
        return None;
    }
    let given = values.iter().map(|value| value.trim()).filter(|value| !value.is_empty());
    given.map(integer).find_map(|limit| match limit {
        Some(limit) if (0..=i64::from(MAX_LIMIT)).contains(&limit) => None,
        Some(_) => Some(ParameterFault::IntegerOutOfRange { max: MAX_LIMIT }),
        None => Some(ParameterFault::NotAnInteger { max: MAX_LIMIT }),
    })
}

/// The texts and numbers that an argument consists of, each as it is written; `None` if it is
/// anything else. Null counts as not given.
fn plain_values(value: &RawValue) -> Option<Vec<String>> {
    match value.get().as_bytes().first()? {
        b'n' => Some(Vec::new()),
        b'[' => {
            let items: Vec<&RawValue> = serde_json::from_str(value.get()).ok()?;
            items.into_iter().map(plain_value).collect()
        }
        _ => plain_value(value).map(|value| vec![value]),
    }
}

fn plain_value(value: &RawValue) -> Option<String> {
    match value.get().as_bytes().first()? {
        b'"' => text(value),
        b'-' | b'0'..=b'9' => Some(value.get().to_owned()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::tools::named;
    use super::*;
    use crate::canonical_query;

    fn asked(tool: &str, arguments: &str) -> Vec<String> {
        let value = RawValue::from_string(arguments.to_owned()).unwrap();
        let members = Members::of(&value).unwrap();
        match read(named(tool).unwrap(), members, Language::English).1 {
            Ok(searches) => searches.iter().map(|part| canonical_query(&part.checked)).collect(),
            Err(Problem::InvalidParameters(problems)) => {
                let detail = |problem: ParameterProblem| {
                    problem.detail().in_language(Language::English).into_owned()
                };
                problems.into_iter().map(detail).collect()
            }
            Err(problem) => panic!("{problem:?}"),
        }
    }

    #[test]
    fn arguments_are_the_parameters_of_a_request() {
        for (tool, arguments, expected) in [
            ("search_releases", "{}", &["limit=10"][..]),
            ("search_releases", r#"{"limit": null, "province": []}"#, &["limit=10"]),
            (
                "search_releases",
                r#"{"province": ["ON", "QC"], "year": 2019, "limit": 3}"#,
                &["province=ON&province=QC&year=2019&limit=3"],
            ),
            (
                "search_releases",
                r#"{"value_min": 12345678901234567890.123456789, "province": "on"}"#,
                &["province=ON&value_min=12345678901234567890123456789e-9&limit=10"],
            ),
            (
                "count_releases",
                r#"{"facets": ["year", "province*medium"], "q": "lead"}"#,
                &["q=lead&limit=0&facets=year,province*medium&facet_limit=10"],
            ),
            ("count_emissions", "{}", &["limit=0"]),
            ("what_is_served", "{}", &[]),
            (
                "describe_facility",
                r#"{"facility_id": 57, "language": "fr"}"#,
                &[
                    "facility_id=57&limit=1&facets=year,medium",
                    "facility_id=57&limit=0&facets=substance&facet_sort=sum&facet_limit=10",
                    "facility_id=57&limit=1&facets=year",
                ],
            ),
        ] {
            assert_eq!(asked(tool, arguments), expected, "{tool} {arguments}");
        }
    }

    #[test]
    fn every_wrong_argument_is_named_at_once() {
        for (tool, arguments, expected) in [
            (
                "search_releases",
                r#"{"limit": 101, "provnce": "ON", "format": "csv", "q": {"words": "lead"}}"#,
                &[
                    "limit must be between 0 and 100.",
                    "unknown parameter",
                    "format is not an argument of search_releases.",
                    "q must be a text, a number, or a list of these.",
                ][..],
            ),
            ("search_releases", r#"{"limit": 101}"#, &["limit must be between 0 and 100."]),
            ("count_releases", r#"{"limit": 5}"#, &["limit is not an argument of count_releases."]),
            (
                "search_emissions",
                r#"{"substance": "lead"}"#,
                &["substance is a parameter of /release only."],
            ),
            (
                "search_releases",
                r#"{"year": true}"#,
                &["year must be a text, a number, or a list of these."],
            ),
            ("search_releases", r#"{"q": "a", "q": "b"}"#, &["q may be given once."]),
            ("search_releases", r#"{"language": "de"}"#, &["language must be en or fr."]),
            ("describe_facility", "{}", &["facility_id must be given."]),
            ("describe_substance", r#"{"substance": ""}"#, &["substance must be given."]),
            ("what_is_served", r#"{"q": "x"}"#, &["q is not an argument of what_is_served."]),
        ] {
            assert_eq!(asked(tool, arguments), expected, "{tool} {arguments}");
        }
    }
}
