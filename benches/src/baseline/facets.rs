//! Facets the plain way: visits every match and looks its values up by number.

use std::cmp::Reverse;
use std::collections::HashMap;

use outfall_records::{Decimal, Record, RecordKind, Tables, Unit};
use outfall_request::{Facet, FacetEntry, FacetSum, FacetTable, FacetValue, Facets};

/// The values of every record of a kind, by the place of the record in canonical order.
#[derive(Debug, Default)]
pub(crate) struct FacetColumns {
    columns: Vec<(Facet, FacetColumn)>,
    numbers: Vec<(Decimal, Option<Unit>)>,
}

#[derive(Debug, Default)]
struct FacetColumn {
    /// The distinct values, each named as its first record names it.
    values: Vec<FacetValue>,
    places: Vec<Option<u32>>,
}

impl FacetColumns {
    pub(crate) fn of(tables: &Tables) -> Self {
        let column = |facet| (facet, FacetColumn::of(tables, facet));
        let numbers = tables.records().map(|record| (record.value(), record.unit()));
        Self {
            columns: Facet::of(tables.record_kind()).map(column).collect(),
            numbers: numbers.collect(),
        }
    }

    /// The requested tables, counted over the records at these places.
    pub(crate) fn tables(
        &self,
        record_kind: RecordKind,
        facets: &Facets,
        matches: &[u64],
    ) -> Vec<FacetTable> {
        let wanted = facets.wanted.iter();
        let columns = wanted.filter_map(|facet| self.columns.iter().find(|(of, _)| of == facet));
        let table = |(facet, column): &(Facet, FacetColumn)| {
            let mut found: HashMap<Option<u32>, FacetEntry> = HashMap::new();
            for place in matches.iter().map(|place| *place as usize) {
                let number = column.places[place];
                let entry = found.entry(number).or_insert_with(|| FacetEntry {
                    value: number.map(|number| column.values[number as usize].clone()),
                    count: 0,
                    sum: FacetSum::zero(record_kind),
                });
                entry.count += 1;
                entry.sum.add(self.numbers[place].0, self.numbers[place].1);
            }
            let mut entries: Vec<FacetEntry> = found.into_values().collect();
            let text = |entry: &FacetEntry| entry.value.as_ref().map(|value| value.value.clone());
            entries.sort_by_key(|entry| (Reverse(entry.count), text(entry).is_none(), text(entry)));
            entries.truncate(facets.limit as usize);
            FacetTable { facet: *facet, entries }
        };
        columns.map(table).collect()
    }
}

impl FacetColumn {
    fn of(tables: &Tables, facet: Facet) -> Self {
        let mut column = Self::default();
        let mut numbers: HashMap<String, u32> = HashMap::new();
        for record in tables.records() {
            let place = value(facet, &record).map(|value| {
                *numbers.entry(value.value.clone()).or_insert_with(|| {
                    column.values.push(value);
                    column.values.len() as u32 - 1
                })
            });
            column.places.push(place);
        }
        column
    }
}

/// The value of one record, named as the record names it.
fn value(facet: Facet, record: &Record) -> Option<FacetValue> {
    let site = record.site();
    match facet {
        Facet::Province => site.province.map(|province| {
            named(province.code(), Some(province.name_en()), Some(province.name_fr()))
        }),
        Facet::Year => {
            let year = record.year().to_string();
            Some(named(&year, Some(&year), Some(&year)))
        }
        Facet::NaicsCode => site
            .naics_code
            .map(|code| named(code.as_str(), site.naics_en.as_deref(), site.naics_fr.as_deref())),
        Facet::Substance => record.substance().map(|substance| {
            named(substance.id.as_str(), substance.name_en.as_deref(), substance.name_fr.as_deref())
        }),
        Facet::Medium => match record {
            Record::Release(release) => {
                let (english, french) = (release.medium.name_en(), release.medium.name_fr());
                Some(named(release.medium.slug(), Some(english), Some(french)))
            }
            Record::Emission(_) => None,
        },
        Facet::Facility => {
            let name = site.facility_name.as_deref();
            Some(named(&site.facility_id.to_string(), name, name))
        }
        Facet::Company => {
            site.company_name.as_deref().map(|name| named(name, Some(name), Some(name)))
        }
        Facet::Units => record.unit().map(|unit| {
            let french = match unit {
                Unit::Grams => "grammes",
                Unit::Kilograms => "kg",
                Unit::Tonnes => "tonnes",
                Unit::GramsTeq => "g ET",
            };
            named(unit.name(), Some(unit.name()), Some(french))
        }),
    }
}

fn named(value: &str, label_en: Option<&str>, label_fr: Option<&str>) -> FacetValue {
    let owned = |label: Option<&str>| label.map(str::to_owned);
    FacetValue { value: value.to_owned(), label_en: owned(label_en), label_fr: owned(label_fr) }
}
