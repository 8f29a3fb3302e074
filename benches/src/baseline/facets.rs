//! Facets the plain way: visits every match and looks its values up by number.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use outfall_records::{Amount, Record, Site, Tables, Unit};
use outfall_request::{
    CrossedEntry, CrossedFacet, CrossedTable, Facet, FacetDetails, FacetEntry, FacetInfo,
    FacetPlace, FacetSort, FacetSum, FacetTable, FacetTables, FacetValue, SearchRequest,
};

/// The values of every record of a kind, by the place of the record in canonical order.
#[derive(Debug, Default)]
pub(crate) struct FacetColumns {
    columns: Vec<(Facet, FacetColumn)>,
    amounts: Vec<(Amount, Option<Unit>)>,
    sites: Vec<Arc<Site>>,
    site_of: Vec<u32>,
}

#[derive(Debug, Default)]
struct FacetColumn {
    /// The distinct values, each named as its first record names it.
    values: Vec<FacetValue>,
    places: Vec<Option<u32>>,
}

/// An entry, and the place of its first record.
type FirstAndEntry = (usize, FacetEntry);

impl FacetColumns {
    #[expect(clippy::expect_used, reason = "the indexer refuses what cannot be added up")]
    pub(crate) fn of(tables: &Tables) -> Self {
        let column = |facet| (facet, FacetColumn::of(tables, facet));
        let amounts = (0..tables.len()).map(|index| {
            let (number, unit) = tables.quantity(index);
            (Amount::of(number, unit).expect("an amount"), unit)
        });
        Self {
            columns: Facet::of(tables.record_kind()).map(column).collect(),
            amounts: amounts.collect(),
            sites: tables.sites.clone(),
            site_of: (0..tables.len()).map(|index| tables.shared(index).0).collect(),
        }
    }

    /// The requested tables, counted over the records at these places.
    pub(crate) fn tables(&self, request: &SearchRequest, matches: &[u64]) -> FacetTables {
        let facets = &request.facets;
        let tables = facets.wanted.iter().filter_map(|facet| {
            let (entries, info) = self.entries(*facet, request, matches)?;
            Some(FacetTable { facet: *facet, entries, info })
        });
        let crossed = facets.crossed.and_then(|crossed| self.crossed(crossed, request, matches));
        let counts_substances = facets.counts_substances(request.record_kind);
        let substances =
            self.column(Facet::Substance).filter(|_| counts_substances).map(|column| {
                let found: HashSet<_> =
                    matches.iter().map(|place| column.places[*place as usize]).collect();
                found.len() as u64
            });
        FacetTables { tables: tables.collect(), crossed, substances }
    }

    fn column(&self, facet: Facet) -> Option<&FacetColumn> {
        self.columns.iter().find(|(of, _)| *of == facet).map(|(_, column)| column)
    }

    fn crossed(
        &self,
        crossed: CrossedFacet,
        request: &SearchRequest,
        matches: &[u64],
    ) -> Option<CrossedTable> {
        let column = self.column(crossed.outer())?;
        let mut inside: BTreeMap<Option<&str>, Vec<u64>> = BTreeMap::new();
        for place in matches {
            let number = column.places[*place as usize];
            let value = number.map(|number| column.values[number as usize].value.as_str());
            inside.entry(value).or_default().push(*place);
        }
        let mut info = FacetInfo::default();
        let mut entries = Vec::new();
        for outer in self.entries(crossed.outer(), request, matches)?.0 {
            let value = outer.value.as_ref().map(|value| value.value.as_str());
            let (inner, of_entry) = self.entries(crossed.inner(), request, inside.get(&value)?)?;
            info.add(of_entry);
            entries.push(CrossedEntry { outer, inner });
        }
        Some(CrossedTable { crossed, entries, info })
    }

    /// The listed entries of a facet, and what they leave out; `None` if the kind does not have it.
    fn entries(
        &self,
        facet: Facet,
        request: &SearchRequest,
        matches: &[u64],
    ) -> Option<(Vec<FacetEntry>, FacetInfo)> {
        let column = self.column(facet)?;
        let mut found: HashMap<Option<u32>, FirstAndEntry> = HashMap::new();
        for place in matches.iter().map(|place| *place as usize) {
            let number = column.places[place];
            let (first, entry) = found.entry(number).or_insert_with(|| {
                let value = number.map(|number| column.values[number as usize].clone());
                (place, FacetEntry { value, count: 0, sum: FacetSum::zero(request.record_kind) })
            });
            *first = place.min(*first);
            entry.count += 1;
            let (amount, unit) = self.amounts[place];
            entry.sum.add(amount, unit);
        }
        let mut entries: Vec<FirstAndEntry> = found.into_values().collect();
        entries.sort_by_cached_key(|(_, entry)| {
            let value = entry.value.as_ref().map(|value| value.value.clone());
            let (count, sum) = match request.facets.sort_of(facet) {
                FacetSort::Count => (entry.count, None),
                FacetSort::Sum => (0, entry.sum.compared(request.value_unit)),
                FacetSort::Value => (0, None),
            };
            (Reverse((count, sum)), value.is_none(), value)
        });
        let listed = entries.len().min(request.facets.limit_of(facet));
        let left_out = &entries[listed..];
        let info = FacetInfo {
            values: entries.len() as u64,
            left_out: left_out.len() as u64,
            left_out_count: left_out.iter().map(|(_, entry)| entry.count).sum(),
        };
        entries.truncate(listed);
        Some((entries.into_iter().map(|entry| self.told(facet, entry)).collect(), info))
    }

    /// The entry with the details that its facet has besides value and names.
    fn told(&self, facet: Facet, (first, entry): FirstAndEntry) -> FacetEntry {
        let told = |value: FacetValue| match facet {
            Facet::Facility => {
                let site = &self.sites[self.site_of[first] as usize];
                value.with(FacetDetails::Facility(FacetPlace {
                    province: site.province,
                    city: site.city.clone(),
                    latitude: site.latitude,
                    longitude: site.longitude,
                }))
            }
            Facet::Substance => {
                let cas_number = (!value.value.starts_with("NA-")).then(|| value.value.clone());
                value.with(FacetDetails::Substance { cas_number })
            }
            _ => value,
        };
        FacetEntry { value: entry.value.map(told), ..entry }
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
    let (label_en, label_fr) = (owned(label_en), owned(label_fr));
    FacetValue { value: value.to_owned(), label_en, label_fr, details: FacetDetails::None }
}
