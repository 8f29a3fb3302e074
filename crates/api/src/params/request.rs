//! The checked request of each operation.

use std::num::NonZeroU32;

use outfall_records::RecordKind;
use outfall_request::text::{self, TextQuery};
use outfall_request::{Filters, GivenFilter, SearchRequest, Sort, SortKey, SortOrder, ValueUnit};

use super::fault::{ParameterFault, ParameterProblem};
use super::format::Format;
use super::raw::{RawParams, RawValue};
use super::table::{FORMATS, Name, OF_PLACES, OF_RECORDS};
use super::{facets, filters, page};
use crate::places;

/// A request that a backend can answer, and `q` as written.
#[derive(Clone, Debug)]
pub struct CheckedRequest {
    /// The search.
    pub search: SearchRequest,
    /// The value of `q`, if there is one.
    pub q: Option<String>,
    /// The format of the answer.
    pub format: Format,
    /// The significant digits that the sums of places are rounded to; `None` for the exact sums.
    pub digits: Option<NonZeroU32>,
    /// The parameters as given.
    raw: RawParams,
}

impl CheckedRequest {
    /// Checks the parameters of a search. `accepted` is the format that applies unless the
    /// parameter `format` names one.
    ///
    /// # Errors
    /// Every problem of the request, in the order of its parameters.
    pub fn new(
        record_kind: RecordKind,
        mut raw: RawParams,
        accepted: Format,
    ) -> Result<Self, Vec<ParameterProblem>> {
        raw.refuse_all(&OF_PLACES, &ParameterFault::OfPlaces { operation: record_kind.name() });
        checked(record_kind, raw, accepted)
    }

    /// Checks the parameters of a search for places, which has the same filters and answers with
    /// every facility of the matches.
    ///
    /// # Errors
    /// Every problem of the request, in the order of its parameters.
    pub fn of_places(
        record_kind: RecordKind,
        mut raw: RawParams,
    ) -> Result<Self, Vec<ParameterProblem>> {
        raw.refuse_all(&OF_RECORDS, &ParameterFault::OfRecords { operation: record_kind.name() });
        let mut checked = checked(record_kind, raw, Format::Json)?;
        checked.search = places::search(checked.search);
        Ok(checked)
    }

    /// The names of the parameters that were given.
    #[must_use]
    pub fn names(&self) -> Vec<&'static str> {
        self.raw.names()
    }

    /// Every value of every filter as the caller gave it, in the order of the table of parameters.
    #[must_use]
    pub fn given_filters(&self) -> Vec<GivenFilter> {
        let filter = |(given, mut alone): (&RawValue, RawParams)| {
            let filters = filters::filters(&mut alone);
            let RawValue { spelling: parameter, value, .. } = given.clone();
            // A parameter that is no filter, or not one by itself, leaves all filters empty.
            let is_filter = filters != Filters::default();
            is_filter.then_some(GivenFilter { parameter, value, filters })
        };
        self.raw.each_alone().filter_map(filter).collect()
    }
}

fn checked(
    record_kind: RecordKind,
    mut raw: RawParams,
    accepted: Format,
) -> Result<CheckedRequest, Vec<ParameterProblem>> {
    let format = raw.read_choice(Name::Format, &FORMATS).map_or(accepted, |format| format.value);
    let text =
        raw.read_one(Name::Text, |text| text::parse(text).map_err(ParameterFault::TooComplex));
    let (q, text) = match text {
        Some(read) => (Some(read.given.value), read.value),
        None => (None, TextQuery::default()),
    };
    let filters = filters::filters(&mut raw);
    let value_unit = raw.read_choice(Name::ValueUnit, &ValueUnit::WORDS);
    let sort = sort(&mut raw, &text);
    let (page, cursor) = match format.is_export() {
        true => (page::export(&mut raw), None),
        false => page::page(&mut raw),
    };
    let facets = facets::facets(&mut raw, record_kind, format.is_export());
    let digits = raw.read_integer(Name::Digits);
    let search = SearchRequest {
        record_kind,
        text,
        filters,
        value_unit: value_unit.map_or(ValueUnit::default(), |unit| unit.value),
        sort,
        page,
        facets,
        explain: None,
        deadline: None,
        stop: None,
    };
    if let Some(cursor) = cursor {
        page::check_cursor(&mut raw, &cursor, &search);
    }
    match raw.has_problems() {
        true => Err(raw.into_problems()),
        false => {
            let digits = digits.and_then(|digits| NonZeroU32::new(digits.value));
            Ok(CheckedRequest { search, q, format, digits, raw })
        }
    }
}

fn sort(raw: &mut RawParams, text: &TextQuery) -> Sort {
    let by = raw.read_choice(Name::SortBy, &SortKey::WORDS);
    let order = raw.read_choice(Name::SortOrder, &SortOrder::WORDS);
    if let Some(by) = by.as_ref().filter(|by| by.value == SortKey::Relevance)
        && text.is_empty()
        && !raw.is_refused("q")
    {
        raw.refuse(&by.given, ParameterFault::RelevanceWithoutText);
    }
    Sort {
        by: by.map_or(SortKey::default(), |by| by.value),
        order: order.map_or_else(Default::default, |order| order.value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::PARAMETER_CODES;
    use proptest::prelude::*;
    use proptest::sample::select;

    /// A parameter with a value that is likely to be valid, or almost.
    fn pair() -> impl Strategy<Value = String> {
        let names = super::super::PARAMETERS.iter().flat_map(|parameter| parameter.names());
        let value = prop_oneof![
            "[0-9]{1,6}",
            "[+-]?[0-9]{0,3}[.eE/-][0-9]{1,4}",
            "(19|20)[0-9]{2}(-[0-9]{2}-[0-9]{2})?",
            "\\PC{0,12}",
            select(vec!["on", "value", "relevance", "kg", "asc", "NA-M16", "%", "%FF", ""])
                .prop_map(str::to_owned),
        ];
        (select(names.collect::<Vec<_>>()), value)
            .prop_map(|(name, value)| format!("{name}={value}"))
    }

    proptest! {
        #[test]
        fn any_query_string_is_a_request_or_problems_with_codes(
            pairs in prop::collection::vec(pair(), 0..8),
        ) {
            let query = pairs.join("&");
            for record_kind in RecordKind::ALL {
                let raw = RawParams::from_query_string(&query, record_kind);
                let Err(problems) = checked(record_kind, raw, Format::Json) else { continue };
                prop_assert!(!problems.is_empty());
                prop_assert!(problems.is_sorted_by_key(|problem| problem.position));
                for problem in problems {
                    prop_assert!(PARAMETER_CODES.contains(&problem.fault.code()));
                }
            }
        }
    }
}
