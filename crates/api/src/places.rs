//! The body of an answer about places: every facility of the matches, a short row each.

use outfall_records::FieldValue;
use outfall_request::{
    Facet, FacetDetails, FacetEntry, FacetPlace, FacetSort, FacetSum, Facets, Page, SearchPage,
    SearchRequest, Start,
};
use schemars::JsonSchema;
use serde::ser::SerializeSeq;
use serde::{Serialize, Serializer};

use crate::Language;
use crate::envelope::{Query, Warning, push_json, warnings};
use crate::facets::exact;

/// The columns before the sums.
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
pub fn places(request: &SearchRequest, page: &SearchPage, language: Language) -> Vec<u8> {
    let table = page.facets.tables.first();
    let entries = table.map_or(&[][..], |table| &table.entries);
    let sums = FacetSum::zero(request.record_kind).parts();
    let mut nowhere = Nowhere::default();
    let mut rows = Vec::with_capacity(entries.len());
    for entry in entries {
        match Row::of(entry) {
            Some(row) => rows.push(row),
            None => nowhere.add(entry),
        }
    }
    let query = Query::of(request, page);
    let answer = PlacesJson {
        entity_type: request.record_kind.name(),
        count: page.total,
        facilities: entries.len() as u64,
        nowhere,
        columns: COLUMNS.into_iter().chain(sums.into_iter().map(|(name, _)| name)).collect(),
        places: rows,
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
    nowhere: Nowhere,
    columns: Vec<&'static str>,
    places: Vec<Row<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<Warning>,
    #[serde(skip_serializing_if = "Option::is_none")]
    query: Option<Query<'a>>,
}

/// What has no coordinates, and therefore no row.
#[derive(Debug, Default, Serialize, JsonSchema)]
#[schemars(extend("x-fr" = "Ce qui n’a pas de coordonnées, et donc pas de ligne."))]
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

/// A facility with coordinates.
struct Row<'a> {
    id: &'a str,
    longitude: FieldValue<'static>,
    latitude: FieldValue<'static>,
    count: u64,
    sum: FacetSum,
}

impl<'a> Row<'a> {
    fn of(entry: &'a FacetEntry) -> Option<Self> {
        let value = entry.value.as_ref()?;
        let FacetDetails::Facility(FacetPlace { latitude, longitude, .. }) = value.details else {
            return None;
        };
        Some(Self {
            id: &value.value,
            longitude: longitude?.into(),
            latitude: latitude?.into(),
            count: entry.count,
            sum: entry.sum,
        })
    }
}

impl Serialize for Row<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut row = serializer.serialize_seq(None)?;
        row.serialize_element(self.id)?;
        row.serialize_element(&self.longitude)?;
        row.serialize_element(&self.latitude)?;
        row.serialize_element(&self.count)?;
        for (_, sum) in self.sum.parts() {
            row.serialize_element(&exact::<S::Error>(sum)?)?;
        }
        row.end()
    }
}
