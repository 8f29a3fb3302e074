//! Counts and sums of the matches by value.

use std::cmp::Reverse;
use std::collections::HashMap;

use outfall_records::Record;

use super::record::SearchedRecord;
use crate::facet::unit_name_fr;
use crate::{Facet, FacetEntry, FacetSum, FacetTable, FacetValue, SearchRequest};

/// One table of `matches`, named after `all` records.
pub(super) fn table<'a>(
    facet: Facet,
    request: &SearchRequest,
    all: &[SearchedRecord],
    matches: impl Iterator<Item = &'a SearchedRecord>,
) -> FacetTable {
    let mut entries: HashMap<Option<String>, FacetEntry> = HashMap::new();
    for SearchedRecord { record, .. } in matches {
        let value = value(facet, record);
        let entry = entries.entry(value.as_ref().map(|it| it.value.clone()));
        let sum = FacetSum::zero(request.entity);
        let entry = entry.or_insert(FacetEntry { value, count: 0, sum });
        entry.count += 1;
        entry.sum.add(record.value(), record.unit());
    }
    let mut first: HashMap<String, &SearchedRecord> = HashMap::new();
    let place = |it: &SearchedRecord| (Reverse(it.record.year()), it.record_id.clone());
    for other in all.iter().filter(|it| it.record.entity() == request.entity) {
        if let Some(value) = value(facet, &other.record) {
            let first = first.entry(value.value).or_insert(other);
            if place(other) < place(first) {
                *first = other;
            }
        }
    }
    let mut entries: Vec<FacetEntry> = entries.into_values().collect();
    for entry in &mut entries {
        let first = entry.value.as_ref().and_then(|it| first.get(&it.value));
        entry.value = first.and_then(|first| value(facet, &first.record));
    }
    let text = |entry: &FacetEntry| entry.value.as_ref().map(|it| it.value.clone());
    entries.sort_by_key(|it| (Reverse(it.count), text(it).is_none(), text(it)));
    entries.truncate(request.facets.limit as usize);
    FacetTable { facet, entries }
}

/// The value of one record, named as the record names it.
fn value(facet: Facet, record: &Record) -> Option<FacetValue> {
    let site = record.site();
    match facet {
        Facet::Province => site
            .province
            .map(|it| FacetValue::named(it.code(), Some(it.name_en()), Some(it.name_fr()))),
        Facet::Year => Some(FacetValue::plain(record.year().to_string())),
        Facet::NaicsCode => site.naics_code.map(|code| {
            FacetValue::named(code.as_str(), site.naics_en.as_deref(), site.naics_fr.as_deref())
        }),
        Facet::Substance => record.substance().map(|it| {
            FacetValue::named(it.id.as_str(), it.name_en.as_deref(), it.name_fr.as_deref())
        }),
        Facet::Medium => match record {
            Record::Release(it) => {
                let (en, fr) = (it.medium.name_en(), it.medium.name_fr());
                Some(FacetValue::named(it.medium.slug(), Some(en), Some(fr)))
            }
            Record::Emission(_) => None,
        },
        Facet::Facility => {
            let name = site.facility_name.as_deref();
            Some(FacetValue::named(site.facility_id.to_string(), name, name))
        }
        Facet::Company => site.company_name.as_deref().map(FacetValue::plain),
        Facet::Units => record
            .unit()
            .map(|it| FacetValue::named(it.name(), Some(it.name()), Some(unit_name_fr(it)))),
    }
}
