//! A record as a row of a table: the values of the fields that fit in a cell.

use std::fmt;

use outfall_records::{Field, FieldKind, RecordKind};
use serde::Deserialize;
use serde::de::{Deserializer, Error, MapAccess, Visitor};
use serde_json::value::RawValue;

/// The fields that fit in a cell, in their order: all but lists.
pub(super) fn columns(record_kind: RecordKind) -> Vec<&'static Field> {
    let mut fields = record_kind.fields();
    fields.retain(|field| !matches!(field.kind, FieldKind::Parts(_)));
    fields
}

/// The value of each column in the JSON of a record, as it is written there.
///
/// # Errors
/// When the record is not a JSON object with all of these fields in their order.
pub(super) fn cells<'r>(
    record: &'r [u8],
    columns: &[&'static Field],
) -> serde_json::Result<Vec<&'r RawValue>> {
    let Entries(entries) = serde_json::from_slice(record)?;
    let mut entries = entries.into_iter();
    let cell = |column: &&Field| {
        let found = entries.find(|(name, _)| *name == column.name);
        found.map(|(_, value)| value).ok_or_else(|| Error::missing_field(column.name))
    };
    columns.iter().map(cell).collect()
}

/// The names and values of an object, in its order.
struct Entries<'r>(Vec<(&'r str, &'r RawValue)>);

impl<'de> Deserialize<'de> for Entries<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct EntriesVisitor;

        impl<'de> Visitor<'de> for EntriesVisitor {
            type Value = Entries<'de>;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a record")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Entries<'de>, A::Error> {
                /// More than any record has.
                const FIELDS: usize = 32;
                let mut entries = Vec::with_capacity(FIELDS);
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(Entries(entries))
            }
        }

        deserializer.deserialize_map(EntriesVisitor)
    }
}
