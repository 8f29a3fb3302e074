//! The body of an answer about places: every facility of the matches, in columns.

use std::num::NonZeroU32;

use outfall_records::{FieldValue, RecordKind};
use outfall_request::{
    Facet, FacetDetails, FacetEntry, FacetPlace, FacetSort, FacetSum, Facets, Page, SearchPage,
    SearchRequest, Start,
};
use schemars::JsonSchema;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use crate::envelope::{Query, Warning, push_json, warnings};
use crate::facets::{exact, number};
use crate::{CheckedRequest, Language};

/// The names of the columns before the sums.
pub(crate) const COLUMNS: [&str; 4] = ["facility_id", "longitude", "latitude", "count"];

/// The search for every facility that matches.
pub(crate) fn search(of_records: SearchRequest) -> SearchRequest {
    // In the order of ids, which is the cheapest one and the same for every unit.
    let facets = Facets {
        wanted: vec![Facet::Facility],
        crossed: None,
        limit: Facets::NO_LIMIT,
        sort: Some(FacetSort::Value),
    };
    let page = Page { start: Start::Offset(0), limit: 0 };
    SearchRequest { page, facets, ..of_records }
}

/// The body of an answer about places. The page has the facilities as its only facet.
#[must_use]
pub fn places(checked: &CheckedRequest, page: &SearchPage, language: Language) -> Vec<u8> {
    let CheckedRequest { search: request, digits, .. } = checked;
    let table = page.facets.tables.first();
    let entries = table.map_or(&[][..], |table| &table.entries);
    let mut nowhere = Nowhere::default();
    let mut columns = Columns::of(request.record_kind, *digits);
    for entry in entries {
        if columns.add(entry).is_none() {
            nowhere.add(entry);
        }
    }
    let query = Query::of(request, page);
    let answer = PlacesJson {
        entity_type: request.record_kind.name(),
        count: page.total,
        facilities: entries.len() as u64,
        digits: *digits,
        nowhere,
        places: columns,
        warnings: warnings(request, page, language),
        query: (!query.is_empty()).then_some(query),
    };
    let mut body = Vec::with_capacity(60 * entries.len() + 600);
    push_json(&mut body, &answer);
    body
}

#[derive(Serialize)]
struct PlacesJson<'a> {
    entity_type: &'static str,
    count: u64,
    facilities: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    digits: Option<NonZeroU32>,
    nowhere: Nowhere,
    places: Columns<'a>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<Warning>,
    #[serde(skip_serializing_if = "Option::is_none")]
    query: Option<Query<'a>>,
}

/// What has no coordinates, and therefore no place.
#[derive(Debug, Default, Serialize, JsonSchema)]
#[schemars(extend("x-fr" = "Ce qui n’a pas de coordonnées, et donc pas d’endroit."))]
pub(crate) struct Nowhere {
    /// How many facilities.
    #[schemars(extend("x-fr" = "Nombre d’installations."))]
    facilities: u64,
    /// How many matches those have.
    #[schemars(extend("x-fr" = "Nombre de résultats de celles-ci."))]
    count: u64,
}

impl Nowhere {
    const fn add(&mut self, entry: &FacetEntry) {
        self.facilities += 1;
        self.count += entry.count;
    }
}

/// The facilities with coordinates, in columns, as data frames and canvases take them. Compressed,
/// columns are no smaller than rows: half of the bytes are digits of exact sums.
struct Columns<'a> {
    record_kind: RecordKind,
    digits: Option<NonZeroU32>,
    ids: Vec<&'a str>,
    longitudes: Vec<FieldValue<'static>>,
    latitudes: Vec<FieldValue<'static>>,
    counts: Vec<u64>,
    sums: Vec<FacetSum>,
}

impl<'a> Columns<'a> {
    const fn of(record_kind: RecordKind, digits: Option<NonZeroU32>) -> Self {
        Self {
            record_kind,
            digits,
            ids: Vec::new(),
            longitudes: Vec::new(),
            latitudes: Vec::new(),
            counts: Vec::new(),
            sums: Vec::new(),
        }
    }

    /// Adds a facility; `None` if it has no coordinates.
    fn add(&mut self, entry: &'a FacetEntry) -> Option<()> {
        let value = entry.value.as_ref()?;
        let FacetDetails::Facility(FacetPlace { latitude, longitude, .. }) = value.details else {
            return None;
        };
        let (longitude, latitude) = longitude.zip(latitude)?;
        self.ids.push(&value.value);
        self.longitudes.push(longitude.into());
        self.latitudes.push(latitude.into());
        self.counts.push(entry.count);
        self.sums.push(entry.sum);
        Some(())
    }
}

impl Serialize for Columns<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let [ids, longitudes, latitudes, counts] = COLUMNS;
        let mut columns = serializer.serialize_map(None)?;
        columns.serialize_entry(ids, &self.ids)?;
        columns.serialize_entry(longitudes, &self.longitudes)?;
        columns.serialize_entry(latitudes, &self.latitudes)?;
        columns.serialize_entry(counts, &self.counts)?;
        for (place, (name, _)) in FacetSum::zero(self.record_kind).parts().iter().enumerate() {
            let parts = self.sums.iter().filter_map(|sum| sum.parts().into_iter().nth(place));
            let sums = parts.map(|(_, sum)| match self.digits {
                // Written with an exponent, so that nobody takes it for an exact sum.
                Some(digits) => number(sum.map(|sum| format!("{:e}", sum.rounded(digits)))),
                None => exact(sum),
            });
            columns.serialize_entry(name, &sums.collect::<Result<Vec<_>, S::Error>>()?)?;
        }
        columns.end()
    }
}
