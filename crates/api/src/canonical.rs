//! The canonical query string, the same for all requests of the same meaning.
//!
//! It is a valid query itself: `Link` uses it for the next page, and the `ETag` covers it.

use std::fmt::Display;

use outfall_request::{
    CrossedFacet, FacetSort, Facets, Page, SearchRequest, SortKey, SortOrder, Spelling, Start,
    ValueUnit,
};
use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};

use crate::CheckedRequest;
use crate::params::table::{FORMATS, Name, PARAMETERS, Parameter};

/// Characters that have a meaning in a query or are not allowed there (RFC 3986). A space becomes
/// `+`.
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
/// `q` is kept as written, because the warnings and terms of an answer depend on its spelling.
#[must_use]
pub fn canonical_query(request: &CheckedRequest) -> String {
    let SearchRequest { filters, value_unit, sort, page, facets, .. } = &request.search;
    let filters = filters.spelled(Spelling::Query);
    let mut query = Query::default();
    for Parameter { id, name, .. } in &PARAMETERS {
        match id {
            // Even a `q` of punctuation alone is kept, because it can cause warnings.
            Name::Text => query.add(name, &request.q),
            Name::ValueUnit => query.add(name, choice(*value_unit, &ValueUnit::WORDS)),
            Name::SortBy => query.add(name, choice(sort.by, &SortKey::WORDS)),
            Name::SortOrder => query.add(name, choice(sort.order, &SortOrder::WORDS)),
            Name::Limit => {
                let is_export = request.format.is_export();
                let default = if is_export { u32::MAX } else { Page::DEFAULT_LIMIT };
                query.add(name, unless_default(page.limit, default));
            }
            Name::Offset => {
                if let Start::Offset(offset) = page.start {
                    query.add(name, unless_default(offset, 0));
                }
            }
            Name::Cursor => {
                if let Start::After(cursor) = &page.start {
                    query.add(name, [cursor.encode()]);
                }
            }
            Name::Facets => {
                let names = facets.wanted.iter().map(|facet| facet.name().to_owned());
                let names: Vec<String> =
                    names.chain(facets.crossed.map(CrossedFacet::name)).collect();
                query.add(name, (!names.is_empty()).then(|| names.join(",")));
            }
            // Without facets, neither the order nor the limit has an effect.
            Name::FacetSort | Name::FacetLimit if facets.is_empty() => {}
            Name::FacetSort => {
                let word = |sort| FacetSort::WORDS.iter().find(|(_, known)| *known == sort);
                query.add(name, facets.sort.and_then(word).map(|(word, _)| *word));
            }
            Name::FacetLimit => {
                query.add(name, unless_default(facets.limit, Facets::DEFAULT_LIMIT));
            }
            Name::Format => query.add(name, choice(request.format, &FORMATS)),
            Name::Digits => query.add(name, request.digits),
            // All other parameters are filters, which know their canonical spelling.
            _ => {
                let filter = filters.iter().find(|filter| filter.name == *name);
                query.add(name, filter.into_iter().flat_map(|filter| &filter.values));
            }
        }
    }
    query.0
}

/// The first word for `value`, unless it is the default.
fn choice<'w, T: Copy + Default + PartialEq>(
    value: T,
    choices: &[(&'w str, T)],
) -> Option<&'w str> {
    let word = choices.iter().find(|(_, meaning)| *meaning == value).map(|(word, _)| *word);
    word.filter(|_| value != T::default())
}

fn unless_default(value: u32, default: u32) -> Option<String> {
    (value != default).then(|| value.to_string())
}

#[derive(Default)]
struct Query(String);

impl Query {
    fn add(&mut self, name: &str, values: impl IntoIterator<Item: Display>) {
        for value in values {
            if !self.0.is_empty() {
                self.0.push('&');
            }
            let value = value.to_string();
            let value = utf8_percent_encode(&value, ESCAPED).to_string();
            self.0.push_str(name);
            self.0.push('=');
            self.0.push_str(&value.replace(' ', "+"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Format, RawParams};
    use outfall_records::RecordKind;
    use outfall_request::{Cursor, CursorKey};
    use proptest::prelude::*;

    fn canonical(query: &str) -> Option<String> {
        let raw = RawParams::from_query_string(query, RecordKind::Release);
        let request = match query.contains("digits=") {
            true => CheckedRequest::of_places(RecordKind::Release, raw),
            false => CheckedRequest::new(RecordKind::Release, raw, Format::Json),
        };
        request.ok().map(|request| canonical_query(&request))
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
            (
                &["facets=year%20*%20medium,units", "facets=units, YEAR%2AMedium,year*medium"],
                "facets=units,year*medium",
            ),
            (
                &["facet_sort=SUM&facets=year", "facets=Year&facet_sort=sum&facet_limit=20"],
                "facets=year&facet_sort=sum",
            ),
            (&["facet_limit=5", "facets=,", "facet_sort=value"], ""),
            (&["format=JSON"], ""),
            (&["format=csv&limit=25", "limit=25&format=CSV&offset=0"], "limit=25&format=csv"),
        ] {
            for query in queries {
                assert_eq!(canonical(query).as_deref(), Some(expected), "{query}");
            }
        }
    }

    #[test]
    fn every_parameter_is_in_it() {
        let cursor = Cursor::after(
            &SearchRequest::all(RecordKind::Release),
            CursorKey::Year(2023),
            "983:2023:71-43-2:air".to_owned(),
            25,
        );
        for parameter in &PARAMETERS {
            let name = parameter.name;
            let query = match parameter.id {
                Name::Cursor => format!("cursor={}", cursor.encode()),
                Name::WithinKm => "near=43.68,-79.77&within_km=25".to_owned(),
                Name::FacetSort => "facets=year&facet_sort=sum".to_owned(),
                Name::FacetLimit => "facets=year&facet_limit=5".to_owned(),
                Name::Format => "format=csv".to_owned(),
                _ => format!("{name}={}", utf8_percent_encode(parameter.example, ESCAPED)),
            };
            let canonical = canonical(&query).unwrap();
            let is_in = canonical.split('&').any(|pair| pair.split('=').next() == Some(name));
            assert!(is_in, "{query}: {canonical}");
        }
    }

    proptest! {
        #[test]
        fn a_canonical_query_is_its_own(
            name in prop::sample::select(vec!["q", "substance", "facility_id", "record_id", "value_min", "year",
                "city", "company", "near", "within_km", "bbox"]),
            value in "\\PC{1,30}|[0-9/ .-]{1,12}|-?[0-9]{1,2},-?[0-9.]{1,3}(,-?[0-9]{2},-?[0-9]{2})?|NA ?- ?[A-Z0-9/]{1,4}",
        ) {
            let value = utf8_percent_encode(&value, ESCAPED).to_string();
            let with = if name == "within_km" { "near=43,-79&" } else { "" };
            let query = format!("{with}{name}={}", value.replace(' ', "+"));
            if let Some(once) = canonical(&query) {
                prop_assert_eq!(canonical(&once), Some(once.clone()), "{}", once);
            }
        }
    }
}
