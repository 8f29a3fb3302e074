//! The one table of a record's fields: their names and order, what they mean, how they are written.
//!
//! JSON, CSV and Parquet are written from it; the service's schemas and the fragments that an index
//! stores are derived from it.

mod emission;
mod release;
mod site;
mod value;

use serde::{Deserialize, Serialize};

pub use value::FieldValue;

use crate::{
    BreakdownPart, Doc, Emission, FixedPoint, Medium, Province, RecordKind, Release, Unit,
};

/// A field of a record. It is always written, `null` when the source has no value.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// Its name in JSON, and the head of its column in CSV.
    pub name: &'static str,
    /// The type of its value.
    pub kind: FieldKind,
    /// Whether the source may have no value.
    pub is_nullable: bool,
    /// The records that show the same value.
    pub part: RecordPart,
    /// Its meaning, in one line.
    pub doc: Doc,
}

/// The type of a field's value.
#[derive(Clone, Copy, Debug)]
pub enum FieldKind {
    /// Any text.
    Text,
    /// An absolute URL.
    Url,
    /// A decimal number of this form.
    Number(FixedPoint),
    /// A reporting year.
    Year,
    /// One of a few texts.
    Choice(&'static [&'static str]),
    /// A list of the rows of a breakdown.
    Parts(&'static [RecordField<BreakdownPart>]),
}

/// The records that show the same value in a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum RecordPart {
    /// Every other record of its site.
    Site,
    /// Every other record of its substance.
    Substance,
    /// Every other record of its medium.
    Medium,
    /// No other record.
    Own(OwnField),
}

/// A field that a record shares with no other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum OwnField {
    /// `record_id`.
    RecordId,
    /// `year`.
    Year,
    /// `quantity` or `total_co2e`.
    Value,
    /// `units` of a release.
    Units,
    /// `quantity_kg`.
    QuantityKg,
    /// `breakdown`, and what each of its rows shows.
    Breakdown,
    /// A gas, by its place in [`crate::Gases::NAMES`].
    Gas(usize),
    /// `source_url` of an emission.
    SourceUrl,
}

/// A field of `R`, and how to get its value.
#[derive(Clone, Copy, Debug)]
pub struct RecordField<R> {
    /// Its description.
    pub field: Field,
    pub(crate) value: for<'a> fn(&'a R) -> FieldValue<'a>,
}

/// A field that always has a value.
const fn field<R>(
    name: &'static str,
    kind: FieldKind,
    part: RecordPart,
    doc: Doc,
    value: for<'a> fn(&'a R) -> FieldValue<'a>,
) -> RecordField<R> {
    RecordField { field: Field { name, kind, is_nullable: false, part, doc }, value }
}

/// A field that may have none.
const fn nullable<R>(
    name: &'static str,
    kind: FieldKind,
    part: RecordPart,
    doc: Doc,
    value: for<'a> fn(&'a R) -> FieldValue<'a>,
) -> RecordField<R> {
    let mut nullable = field(name, kind, part, doc, value);
    nullable.field.is_nullable = true;
    nullable
}

/// The word of each value, such as the codes of all provinces.
macro_rules! words {
    ($values:expr, $word:path) => {{
        const WORDS: [&str; $values.len()] = {
            let mut words = [""; $values.len()];
            let mut index = 0;
            while index < words.len() {
                words[index] = $word($values[index]);
                index += 1;
            }
            words
        };
        FieldKind::Choice(&WORDS)
    }};
}

const PROVINCE: FieldKind = words!(Province::ALL, Province::code);
const UNITS: FieldKind = words!(Unit::ALL, Unit::name);
const MEDIUM_EN: FieldKind = words!(Medium::ALL, Medium::name_en);
const MEDIUM_FR: FieldKind = words!(Medium::ALL, Medium::name_fr);
const CO2E_UNITS: FieldKind = FieldKind::Choice(&[Emission::UNITS]);

impl RecordKind {
    /// The fields of its records, in their order.
    #[must_use]
    pub fn fields(self) -> Vec<&'static Field> {
        match self {
            Self::Release => Release::FIELDS.iter().map(|field| &field.field).collect(),
            Self::Emission => Emission::FIELDS.iter().map(|field| &field.field).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Gases;

    #[test]
    fn the_gases_are_in_their_order() {
        for (field, name) in Emission::FIELDS.iter().filter_map(|field| match field.field.part {
            RecordPart::Own(OwnField::Gas(gas)) => Some((field.field.name, Gases::NAMES[gas])),
            _ => None,
        }) {
            assert_eq!(field, name);
        }
    }

    #[test]
    fn every_kind_of_record_has_an_address_first() {
        for record_kind in RecordKind::ALL {
            assert_eq!(record_kind.fields()[0].name, "record_id");
        }
    }
}
