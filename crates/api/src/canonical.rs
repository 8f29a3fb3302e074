//! The one query string that stands for all requests of the same meaning.
//!
//! It is itself a query of the operation: `Link` carries it on, and the `ETag` covers it.

use std::fmt::Display;

use outfall_records::FacilityKey;
use outfall_request::{
    Facets, Page, SearchRequest, SortKey, SortOrder, Start, SubstanceFilter, ValueUnit,
};
use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};

use crate::CheckedRequest;
use crate::params::table::{FORMATS, Name, PARAMETERS};

/// Characters that would end a value, stand for another one, or cannot be in a query (RFC 3986); a
/// space becomes `+`.
const ESCAPED: &AsciiSet = &CONTROLS
    .add(b'"')
    .add(b'#')
    .add(b'%')
    .add(b'&')
    .add(b'+')
    .add(b'<')
    .add(b'=')
    .add(b'>')
    .add(b'[')
    .add(b'\\')
    .add(b']')
    .add(b'^')
    .add(b'`')
    .add(b'{')
    .add(b'|')
    .add(b'}');

/// The canonical query: names, values and order are fixed, defaults are left out.
///
/// `q` stands as it was written, for warnings and terms repeat its words.
#[must_use]
pub fn canonical_query(request: &CheckedRequest) -> String {
    let mut query = Query::default();
    write_filters(&mut query, request);
    let SearchRequest { filters, value_unit, sort, page, .. } = &request.search;
    query.all(Name::ValueMin, &filters.values.min);
    query.all(Name::ValueMax, &filters.values.max);
    query.choice(Name::ValueUnit, *value_unit, &ValueUnit::WORDS);
    query.all(Name::IssuedAfter, filters.years.from.map(year));
    query.all(Name::IssuedBefore, filters.years.to.map(year));
    query.choice(Name::SortBy, sort.by, &SortKey::WORDS);
    query.choice(Name::SortOrder, sort.order, &SortOrder::WORDS);
    let default = if request.format.is_export() { u32::MAX } else { Page::DEFAULT_LIMIT };
    let limit = (page.limit != default).then_some(page.limit);
    query.all(Name::Limit, limit);
    match &page.start {
        Start::Offset(0) => {}
        Start::Offset(offset) => query.all(Name::Offset, [offset]),
        Start::After(cursor) => query.all(Name::Cursor, [cursor.encode()]),
    }
    write_facets(&mut query, &request.search.facets);
    query.choice(Name::Format, request.format, &FORMATS);
    query.0
}

fn write_filters(query: &mut Query, request: &CheckedRequest) {
    let filters = &request.search.filters;
    // A `q` of nothing but punctuation is kept for its warnings.
    query.all(Name::Text, &request.q);
    query.set(Name::Province, filters.provinces.iter().map(|it| it.code()));
    query.set(Name::FacilityId, filters.facilities.iter().map(facility));
    query.set(Name::NaicsCode, &filters.naics);
    query.set(Name::Substance, filters.substances.iter().map(substance));
    query.set(Name::RecordId, &filters.record_ids);
}

/// Without facets their limit means nothing.
fn write_facets(query: &mut Query, facets: &Facets) {
    if facets.wanted.is_empty() {
        return;
    }
    let names: Vec<&str> = facets.wanted.iter().map(|facet| facet.name()).collect();
    query.all(Name::Facets, [names.join(",")]);
    let limit = (facets.limit != Facets::DEFAULT_LIMIT).then_some(facets.limit);
    query.all(Name::FacetLimit, limit);
}

/// Keys that would not survive another parse get a leading zero, which parsing drops: `000`, `0G1`.
fn facility(key: &FacilityKey) -> String {
    let text = key.as_str();
    if FacilityKey::new(text) == *key && !text.is_empty() {
        return text.to_owned();
    }
    format!("0{text}")
}

/// An id, or words that are read as the same words again: a slash never makes an id.
fn substance(filter: &SubstanceFilter) -> String {
    match filter {
        SubstanceFilter::Id(id) => id.to_string(),
        SubstanceFilter::Words(words) => {
            let words: Vec<String> = words.iter().map(|tokens| tokens.join("/")).collect();
            words.join(" ")
        }
    }
}

fn year(year: u16) -> String {
    format!("{year:04}")
}

#[derive(Default)]
struct Query(String);

impl Query {
    fn all(&mut self, name: Name, values: impl IntoIterator<Item: Display>) {
        for value in values {
            if !self.0.is_empty() {
                self.0.push('&');
            }
            let value = value.to_string();
            let value = utf8_percent_encode(&value, ESCAPED).to_string();
            self.0.push_str(PARAMETERS[name as usize].name);
            self.0.push('=');
            self.0.push_str(&value.replace(' ', "+"));
        }
    }

    /// Distinct values, sorted, for their order means nothing.
    fn set(&mut self, name: Name, values: impl IntoIterator<Item: Display>) {
        let mut values: Vec<String> = values.into_iter().map(|it| it.to_string()).collect();
        values.sort_unstable();
        values.dedup();
        self.all(name, values);
    }

    /// The first word for `value`, unless it is the default.
    fn choice<T: Copy + Default + PartialEq>(
        &mut self,
        name: Name,
        value: T,
        choices: &[(&str, T)],
    ) {
        let word = choices.iter().find(|(_, meaning)| *meaning == value);
        if let Some((word, _)) = word.filter(|_| value != T::default()) {
            self.all(name, [word]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Format, RawParams};
    use outfall_records::Entity;
    use proptest::prelude::*;

    fn canonical(query: &str) -> Option<String> {
        let raw = RawParams::from_query_string(query, Entity::Release);
        CheckedRequest::new(Entity::Release, raw, Format::Json).ok().map(|it| canonical_query(&it))
    }

    #[test]
    fn requests_of_one_meaning_have_one_query() {
        for (queries, expected) in [
            (&["", "limit=25", "offset=0&sort_by=published", "province="][..], ""),
            (
                &["province=on&province=Québec", "province=QC&province=Ontario&province=ON"],
                "province=ON&province=QC",
            ),
            (
                &["date_from=2014-05-01&limit=5", "limit=5&issued_after=2014"],
                "issued_after=2014&limit=5",
            ),
            (&["facility_id=000983", "facility_id=983"], "facility_id=983"),
            (&["facility_id=000"], "facility_id=0"),
            (&["naics_code=32", "naics_code=31-33"], "naics_code=31-33"),
            (&["substance=7446-09-05", "substance=7446-09-5"], "substance=7446-09-5"),
            (&["substance=7446/09/5", "substance=7446%2F09%2F5"], "substance=7446/09/5"),
            (&["substance=PM2.5%20Total"], "substance=pm/2/5+total"),
            (&["value_min=1.0", "value_min=%2B1", "value_min=1e0"], "value_min=1e0"),
            (&["sort_by=VALUE&sort_order=Asc"], "sort_by=value&sort_order=asc"),
            (&["q=a+OR+b", "q=%20a%20OR%20b%20"], "q=a+OR+b"),
            (
                &["facets=year,province&facet_limit=20", "facets=Province,,YEAR,year"],
                "facets=province,year",
            ),
            (
                &["facet_limit=5&facets=units&limit=0", "limit=0&facets=units&facet_limit=5"],
                "limit=0&facets=units&facet_limit=5",
            ),
            (&["facet_limit=5", "facets=,"], ""),
            (&["format=JSON"], ""),
            (&["format=csv&limit=25", "limit=25&format=CSV&offset=0"], "limit=25&format=csv"),
        ] {
            for query in queries {
                assert_eq!(canonical(query).as_deref(), Some(expected), "{query}");
            }
        }
    }

    proptest! {
        #[test]
        fn a_canonical_query_is_its_own(
            name in prop::sample::select(vec!["q", "substance", "facility_id", "record_id", "value_min"]),
            value in "\\PC{1,30}|[0-9/ .-]{1,12}|NA ?- ?[A-Z0-9/]{1,4}",
        ) {
            let value = utf8_percent_encode(&value, ESCAPED).to_string();
            let query = format!("{name}={}", value.replace(' ', "+"));
            if let Some(once) = canonical(&query) {
                prop_assert_eq!(canonical(&once), Some(once.clone()), "{}", once);
            }
        }
    }
}
