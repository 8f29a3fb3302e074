//! Counts and sums of the matches by value.

use std::cmp::{Ordering, Reverse};
use std::collections::{BTreeSet, HashMap};

use outfall_records::Record;

use super::record::SearchedRecord;
use crate::{
    CrossedEntry, CrossedFacet, CrossedTable, Facet, FacetDetails, FacetEntry, FacetInfo,
    FacetPlace, FacetSort, FacetSum, FacetTable, FacetTables, FacetValue, SearchRequest,
    unit_name_fr,
};

/// Every table that `request` asks for, over `matches`; the names of values come from `all`
/// records.
pub(super) fn tables(
    request: &SearchRequest,
    all: &[SearchedRecord],
    matches: &[&SearchedRecord],
) -> FacetTables {
    let table = |facet: &Facet| {
        let (entries, info) = Counting::of(*facet, request, all).entries(matches);
        FacetTable { facet: *facet, entries, info }
    };
    let substances = matches.iter().filter_map(|found| found.record.substance());
    let substances: BTreeSet<&str> = substances.map(|substance| substance.id.as_str()).collect();
    let counts_substances = request.facets.counts_substances(request.record_kind);
    FacetTables {
        tables: request.facets.wanted.iter().map(table).collect(),
        crossed: request
            .facets
            .crossed
            .map(|crossed| crossed_table(crossed, request, all, matches)),
        substances: counts_substances.then_some(substances.len() as u64),
    }
}

fn crossed_table(
    crossed: CrossedFacet,
    request: &SearchRequest,
    all: &[SearchedRecord],
    matches: &[&SearchedRecord],
) -> CrossedTable {
    let outer = Counting::of(crossed.outer(), request, all);
    let inner = Counting::of(crossed.inner(), request, all);
    let mut info = FacetInfo::default();
    let entry = |outer: FacetEntry| {
        let wanted = outer.value.as_ref().map(|value| &value.value);
        let is_inside = |found: &&SearchedRecord| {
            value(crossed.outer(), &found.record).map(|value| value.value).as_ref() == wanted
        };
        let inside: Vec<&SearchedRecord> = matches.iter().copied().filter(is_inside).collect();
        let (inner, of_entry) = inner.entries(&inside);
        info.add(of_entry);
        CrossedEntry { outer, inner }
    };
    let entries = outer.entries(matches).0.into_iter().map(entry).collect();
    CrossedTable { crossed, entries, info }
}

/// How one facet is counted.
struct Counting<'a> {
    facet: Facet,
    request: &'a SearchRequest,
    /// Each value with its names.
    named: HashMap<String, FacetValue>,
}

impl<'a> Counting<'a> {
    fn of(facet: Facet, request: &'a SearchRequest, all: &[SearchedRecord]) -> Self {
        let of_kind = all.iter().filter(|own| own.record.record_kind() == request.record_kind);
        let mut in_order: Vec<&SearchedRecord> = of_kind.collect();
        in_order.sort_by(|a, b| default_order(a, b));
        let mut named = HashMap::new();
        for value in in_order.into_iter().filter_map(|own| value(facet, &own.record)) {
            named.entry(value.value.clone()).or_insert(value);
        }
        Self { facet, request, named }
    }

    /// The entries over some records, in order, and what the limit leaves out.
    fn entries(&self, records: &[&SearchedRecord]) -> (Vec<FacetEntry>, FacetInfo) {
        let mut by_value: HashMap<Option<String>, Vec<&SearchedRecord>> = HashMap::new();
        for found in records {
            let value = value(self.facet, &found.record).map(|value| value.value);
            by_value.entry(value).or_default().push(found);
        }
        let mut entries: Vec<FacetEntry> =
            by_value.into_iter().map(|(value, records)| self.entry(value, &records)).collect();
        let text = |entry: &FacetEntry| entry.value.as_ref().map(|value| value.value.clone());
        entries.sort_by_key(|entry| (text(entry).is_none(), text(entry)));
        match self.request.facets.sort_of(self.facet) {
            FacetSort::Value => {}
            FacetSort::Count => entries.sort_by_key(|entry| Reverse(entry.count)),
            // No sum is less than any, so it comes last.
            FacetSort::Sum => {
                entries.sort_by_key(|entry| Reverse(entry.sum.compared(self.request.value_unit)));
            }
        }
        let listed = entries.len().min(self.request.facets.limit_of(self.facet));
        let left_out = &entries[listed..];
        let info = FacetInfo {
            values: entries.len() as u64,
            left_out: left_out.len() as u64,
            left_out_count: left_out.iter().map(|entry| entry.count).sum(),
        };
        entries.truncate(listed);
        (entries, info)
    }

    /// The entry of the records that have one value, of which there is at least one.
    fn entry(&self, value: Option<String>, records: &[&SearchedRecord]) -> FacetEntry {
        let mut sum = FacetSum::zero(self.request.record_kind);
        records.iter().for_each(|found| sum.add(found.amount, found.record.unit()));
        let newest = records.iter().min_by(|a, b| default_order(a, b));
        let value = value.and_then(|value| self.named.get(&value)).map(|named| {
            let details = newest.map(|newest| details(self.facet, &newest.record));
            named.clone().with(details.unwrap_or_default())
        });
        FacetEntry { value, count: records.len() as u64, sum }
    }
}

/// The newest year first, then by id.
fn default_order(a: &SearchedRecord, b: &SearchedRecord) -> Ordering {
    let by_year = b.record.year().cmp(&a.record.year());
    by_year.then_with(|| a.record_id.cmp(&b.record_id))
}

/// The details of an entry besides value and names, as one of its records shows them.
fn details(facet: Facet, record: &Record) -> FacetDetails {
    let site = record.site();
    match (facet, record.substance()) {
        (Facet::Facility, _) => FacetDetails::Facility(FacetPlace {
            province: site.province,
            city: site.city.clone(),
            latitude: site.latitude,
            longitude: site.longitude,
        }),
        (Facet::Substance, Some(substance)) => {
            FacetDetails::Substance { cas_number: substance.id.cas_number().map(str::to_owned) }
        }
        _ => FacetDetails::None,
    }
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
