//! Counts and sums by value as JSON.

use outfall_records::{Amount, FieldValue, Province};
use outfall_request::{
    CrossedTable, FacetDetails, FacetEntry, FacetInfo, FacetPlace, FacetSum, FacetTables,
};
use schemars::JsonSchema;
use serde::ser::{Error, SerializeMap, SerializeSeq};
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

/// The facet tables of an answer, by facet name.
pub(crate) struct FacetsJson<'a>(pub(crate) &'a FacetTables);

/// How much of each facet is listed, by facet name.
pub(crate) struct FacetInfosJson<'a>(pub(crate) &'a FacetTables);

/// How many values a facet has, and what its list leaves out.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "FacetInfo")]
#[schemars(extend(
    "x-fr" = "Combien de valeurs a une facette, et ce que sa liste omet."
))]
pub(crate) struct InfoJson {
    /// How many values the matches have, `null` among them; of a crossed facet, how many pairs.
    #[schemars(extend(
        "x-fr" = "Combien de valeurs ont les résultats, `null` compris; d’une facette croisée, \
                  combien de paires."
    ))]
    values: u64,
    /// How many of these the list leaves out.
    #[schemars(extend("x-fr" = "Combien d’entre elles la liste omet."))]
    left_out: u64,
    /// How many matches those have.
    #[schemars(extend("x-fr" = "Combien de résultats ont celles-ci."))]
    left_out_count: u64,
}

struct Entries<'a>(&'a [FacetEntry]);

struct CrossedEntries<'a>(&'a CrossedTable);

/// An entry, and the entries of another facet inside it.
struct Entry<'a> {
    entry: &'a FacetEntry,
    inner: Option<(&'static str, &'a [FacetEntry])>,
}

struct SumJson(FacetSum);

impl Serialize for FacetsJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for table in &self.0.tables {
            map.serialize_entry(table.facet.name(), &Entries(&table.entries))?;
        }
        if let Some(table) = &self.0.crossed {
            map.serialize_entry(&table.crossed.name(), &CrossedEntries(table))?;
        }
        map.end()
    }
}

impl Serialize for FacetInfosJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.infos().map(|(name, info)| (name, InfoJson::from(info))))
    }
}

impl From<FacetInfo> for InfoJson {
    fn from(FacetInfo { values, left_out, left_out_count }: FacetInfo) -> Self {
        Self { values, left_out, left_out_count }
    }
}

impl Serialize for Entries<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(|entry| Entry { entry, inner: None }))
    }
}

impl Serialize for CrossedEntries<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let name = self.0.crossed.inner().name();
        let mut entries = serializer.serialize_seq(Some(self.0.entries.len()))?;
        for crossed in &self.0.entries {
            let inner = Some((name, crossed.inner.as_slice()));
            entries.serialize_element(&Entry { entry: &crossed.outer, inner })?;
        }
        entries.end()
    }
}

impl Serialize for Entry<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let FacetEntry { value, count, sum } = self.entry;
        let value = value.as_ref();
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("value", &value.map(|value| &value.value))?;
        map.serialize_entry("label_en", &value.and_then(|value| value.label_en.as_ref()))?;
        map.serialize_entry("label_fr", &value.and_then(|value| value.label_fr.as_ref()))?;
        match value.map(|value| &value.details) {
            None | Some(FacetDetails::None) => {}
            Some(FacetDetails::Facility(place)) => {
                let FacetPlace { province, city, latitude, longitude } = place;
                map.serialize_entry("province", &province.map(Province::code))?;
                map.serialize_entry("city", city)?;
                map.serialize_entry("latitude", &FieldValue::from(*latitude))?;
                map.serialize_entry("longitude", &FieldValue::from(*longitude))?;
            }
            Some(FacetDetails::Substance { cas_number }) => {
                map.serialize_entry("cas_number", cas_number)?;
            }
        }
        map.serialize_entry("count", count)?;
        map.serialize_entry("sum", &SumJson(*sum))?;
        if let Some((name, inner)) = self.inner {
            map.serialize_entry(name, &Entries(inner))?;
        }
        map.end()
    }
}

impl Serialize for SumJson {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for (name, sum) in self.0.parts() {
            map.serialize_entry(name, &exact::<S::Error>(sum)?)?;
        }
        map.end()
    }
}

/// A sum as an exact decimal; a float would round it.
pub(crate) fn exact<E: Error>(sum: Option<Amount>) -> Result<Option<Box<RawValue>>, E> {
    number(sum.map(|sum| sum.to_string()))
}

/// A number as it is written.
pub(crate) fn number<E: Error>(written: Option<String>) -> Result<Option<Box<RawValue>>, E> {
    written.map(RawValue::from_string).transpose().map_err(E::custom)
}
