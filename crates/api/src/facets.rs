//! Counts and sums by value as JSON.

use outfall_request::{FacetEntry, FacetSum, FacetTable};
use serde::ser::{Error, SerializeMap, SerializeSeq};
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

/// The facet tables of an answer, by facet name.
pub(crate) struct FacetsJson<'a>(pub(crate) &'a [FacetTable]);

struct Entries<'a>(&'a [FacetEntry]);

struct Entry<'a>(&'a FacetEntry);

struct SumJson(FacetSum);

impl Serialize for FacetsJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for table in self.0 {
            map.serialize_entry(table.facet.name(), &Entries(&table.entries))?;
        }
        map.end()
    }
}

impl Serialize for Entries<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut entries = serializer.serialize_seq(Some(self.0.len()))?;
        for entry in self.0 {
            entries.serialize_element(&Entry(entry))?;
        }
        entries.end()
    }
}

impl Serialize for Entry<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let FacetEntry { value, count, sum } = self.0;
        let value = value.as_ref();
        let mut map = serializer.serialize_map(Some(5))?;
        map.serialize_entry("value", &value.map(|value| &value.value))?;
        map.serialize_entry("label_en", &value.and_then(|value| value.label_en.as_ref()))?;
        map.serialize_entry("label_fr", &value.and_then(|value| value.label_fr.as_ref()))?;
        map.serialize_entry("count", count)?;
        map.serialize_entry("sum", &SumJson(*sum))?;
        map.end()
    }
}

/// Writes the sums as exact decimals; a float would round them.
impl Serialize for SumJson {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for (name, sum) in self.0.parts() {
            let number = sum.map(|sum| RawValue::from_string(sum.to_string())).transpose();
            map.serialize_entry(name, &number.map_err(S::Error::custom)?)?;
        }
        map.end()
    }
}
