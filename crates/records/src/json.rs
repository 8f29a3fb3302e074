//! A record's JSON: its fields, in the order of their table.

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use crate::fields::RecordField;
use crate::{BreakdownPart, Emission, Record, Release};

fn serialize_fields<R, S: Serializer>(
    record: &R,
    fields: &[RecordField<R>],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(Some(fields.len()))?;
    for RecordField { field, value } in fields {
        map.serialize_entry(field.name, &value(record))?;
    }
    map.end()
}

impl Serialize for Release {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize_fields(self, &Self::FIELDS, serializer)
    }
}

impl Serialize for BreakdownPart {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize_fields(self, &Self::FIELDS, serializer)
    }
}

impl Serialize for Emission {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize_fields(self, &Self::FIELDS, serializer)
    }
}

impl Serialize for Record {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Release(release) => release.serialize(serializer),
            Self::Emission(emission) => emission.serialize(serializer),
        }
    }
}
