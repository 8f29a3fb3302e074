//! Counts and sums of the matches by value.

use std::cmp::Reverse;
use std::collections::HashMap;

use outfall_records::Record;

use super::record::SearchedRecord;
use crate::facet::unit_name_fr;
use crate::{Facet, FacetEntry, FacetSum, FacetTable, FacetValue, SearchRequest};

/// The table of one facet over `matches`; the names of its values come from `all` records.
pub(super) fn table<'a>(
    facet: Facet,
    request: &SearchRequest,
    all: &[SearchedRecord],
    matches: impl Iterator<Item = &'a SearchedRecord>,
) -> FacetTable {
    let mut entries: HashMap<Option<String>, FacetEntry> = HashMap::new();
    for SearchedRecord { record, .. } in matches {
        let value = value(facet, record);
        let entry = entries.entry(value.as_ref().map(|value| value.value.clone()));
        let sum = FacetSum::zero(request.record_kind);
        let entry = entry.or_insert(FacetEntry { value, count: 0, sum });
        entry.count += 1;
        entry.sum.add(record.value(), record.unit());
    }
    let mut first: HashMap<String, &SearchedRecord> = HashMap::new();
    let place = |other: &SearchedRecord| (Reverse(other.record.year()), other.record_id.clone());
    for other in all.iter().filter(|other| other.record.record_kind() == request.record_kind) {
        if let Some(value) = value(facet, &other.record) {
            let first = first.entry(value.value).or_insert(other);
            if place(other) < place(first) {
                *first = other;
            }
        }
    }
    let mut entries: Vec<FacetEntry> = entries.into_values().collect();
    for entry in &mut entries {
        let first = entry.value.as_ref().and_then(|value| first.get(&value.value));
        entry.value = first.and_then(|first| value(facet, &first.record));
    }
    let text = |entry: &FacetEntry| entry.value.as_ref().map(|value| value.value.clone());
    entries.sort_by_key(|entry| (Reverse(entry.count), text(entry).is_none(), text(entry)));
    entries.truncate(request.facets.limit as usize);
    FacetTable { facet, entries }
}

/// The value of one record, named as the record names it.
fn value(facet: Facet, record: &Record) -> Option<FacetValue> {
    let site = record.site();
    match facet {
        Facet::Province => site.province.map(|province| {
            let (name_en, name_fr) = (province.name_en(), province.name_fr());
            FacetValue::named(province.code(), Some(name_en), Some(name_fr))
        }),
        Facet::Year => Some(FacetValue::plain(record.year().to_string())),
        Facet::NaicsCode => site.naics_code.map(|code| {
            FacetValue::named(code.as_str(), site.naics_en.as_deref(), site.naics_fr.as_deref())
        }),
        Facet::Substance => record.substance().map(|substance| {
            let (name_en, name_fr) = (substance.name_en.as_deref(), substance.name_fr.as_deref());
            FacetValue::named(substance.id.as_str(), name_en, name_fr)
        }),
        Facet::Medium => match record {
            Record::Release(release) => {
                let (en, fr) = (release.medium.name_en(), release.medium.name_fr());
                Some(FacetValue::named(release.medium.slug(), Some(en), Some(fr)))
            }
            Record::Emission(_) => None,
        },
        Facet::Facility => {
            let name = site.facility_name.as_deref();
            Some(FacetValue::named(site.facility_id.to_string(), name, name))
        }
        Facet::Company => site.company_name.as_deref().map(FacetValue::plain),
        Facet::Units => record.unit().map(|unit| {
            let name = unit.name();
            FacetValue::named(name, Some(name), Some(unit_name_fr(unit)))
        }),
    }
}
