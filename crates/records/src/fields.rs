//! What the fields of a record are: the one table that tells a caller what the serialiser writes.
//!
//! CSV takes its columns from here, and the service its description; a test compares it with what
//! is written.

use crate::{BreakdownPart, Emission, Entity, Medium, Province, Release, Unit};

/// A field of a record. It is always written, `null` when the source has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its name in JSON, and the head of its column in CSV.
    pub name: &'static str,
    /// What its value is.
    pub kind: FieldKind,
    /// Whether the source may have no value.
    pub is_nullable: bool,
    /// What it tells, in one line.
    pub doc: &'static str,
}

/// What the value of a field is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldKind {
    /// Any text.
    Text,
    /// An absolute URL.
    Url,
    /// A decimal number.
    Number,
    /// A reporting year.
    Year,
    /// One of a few texts.
    Choice(&'static [&'static str]),
    /// A list of objects with these fields.
    Parts(&'static [Field]),
}

/// A field that always has a value.
const fn field(name: &'static str, kind: FieldKind, doc: &'static str) -> Field {
    Field { name, kind, is_nullable: false, doc }
}

/// A field that may have none.
const fn nullable(name: &'static str, kind: FieldKind, doc: &'static str) -> Field {
    Field { name, kind, is_nullable: true, doc }
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

use FieldKind::{Number, Parts, Text, Url, Year};

const PROVINCE: FieldKind = words!(Province::ALL, Province::code);
const UNITS: FieldKind = words!(Unit::ALL, Unit::name);
const MEDIUM_EN: FieldKind = words!(Medium::ALL, Medium::name_en);
const MEDIUM_FR: FieldKind = words!(Medium::ALL, Medium::name_fr);
const CO2E_UNITS: FieldKind = FieldKind::Choice(&[Emission::UNITS]);

impl Release {
    /// The fields, in their order.
    pub const FIELDS: [Field; 24] = [
        field(
            "record_id",
            Text,
            "the permanent address of the record, `<facility_id>:<year>:<substance_id>:<medium>`",
        ),
        nullable("facility_name", Text, "the name in that year, or the latest known"),
        nullable("substance_en", Text, "the English name of that year"),
        nullable("substance_fr", Text, "the French name of that year"),
        field("quantity", Number, "how much, in `units`: the exact sum of the breakdown"),
        field("units", UNITS, "the unit of `quantity` and of the breakdown"),
        field(
            "medium_en",
            MEDIUM_EN,
            "where it went; all media together are reported instead of a medium, never added to one",
        ),
        nullable("province", PROVINCE, "two-letter code; null offshore"),
        field("facility_id", Text, "NPRI id of the facility"),
        field("year", Year, "the reporting year"),
        field(
            "substance_id",
            Text,
            "CAS RN in canonical form, or NPRI code without spaces and slash",
        ),
        nullable("cas_number", Text, "CAS RN; null for NPRI codes"),
        field("medium_fr", MEDIUM_FR, "`medium_en` in French"),
        nullable("company_name", Text, "the company that reported"),
        nullable("city", Text, "where the facility is"),
        nullable("naics_code", Text, "the industry, by its NAICS code"),
        nullable("naics_en", Text, "English title of the industry"),
        nullable("naics_fr", Text, "French title of the industry"),
        nullable("quantity_kg", Number, "`quantity` in kilograms; null for `g TEQ`, no mass"),
        field(
            "breakdown",
            Parts(&BreakdownPart::FIELDS),
            "the rows of the source that add up to the record",
        ),
        nullable("latitude", Number, "degrees north"),
        nullable("longitude", Number, "degrees east, so negative in Canada"),
        nullable("ghgrp_id", Text, "the facility's id in the greenhouse-gas inventory"),
        field("source_url", Url, "the official dataset"),
    ];
}

impl BreakdownPart {
    /// The fields, in their order.
    pub const FIELDS: [Field; 4] = [
        nullable("category_en", Text, "how it left the facility, in English"),
        nullable("category_fr", Text, "how it left the facility, in French"),
        field("quantity", Number, "how much, in the record's `units`"),
        nullable("estimation_method", Text, "how it was estimated, as the source writes it"),
    ];
}

impl Emission {
    /// The fields, in their order.
    pub const FIELDS: [Field; 22] = [
        field("record_id", Text, "the permanent address of the record, `<facility_id>:<year>`"),
        nullable("facility_name", Text, "the name in that year, or the latest known"),
        nullable("company_name", Text, "the legal name of the company that reported"),
        field("total_co2e", Number, "the total as reported, in tonnes CO2e; never recomputed"),
        nullable("province", PROVINCE, "two-letter code"),
        nullable("naics_code", Text, "the industry, by its NAICS code"),
        field("year", Year, "the reporting year"),
        field("facility_id", Text, "GHGRP id of the facility"),
        nullable("npri_id", Text, "the facility's id in the pollutant inventory"),
        nullable("city", Text, "where the facility is"),
        nullable("naics_en", Text, "English title of the industry"),
        nullable("naics_fr", Text, "French title of the industry"),
        nullable("co2", Number, "carbon dioxide, in tonnes"),
        nullable("ch4_co2e", Number, "methane, in tonnes CO2e"),
        nullable("n2o_co2e", Number, "nitrous oxide, in tonnes CO2e"),
        nullable("hfc_co2e", Number, "hydrofluorocarbons, in tonnes CO2e"),
        nullable("pfc_co2e", Number, "perfluorocarbons, in tonnes CO2e"),
        nullable("sf6_co2e", Number, "sulphur hexafluoride, in tonnes CO2e"),
        field("total_co2e_units", CO2E_UNITS, "the unit of `total_co2e`"),
        nullable("latitude", Number, "degrees north"),
        nullable("longitude", Number, "degrees east, so negative in Canada"),
        field("source_url", Url, "the official page of the record"),
    ];
}

impl Entity {
    /// The fields of its records, in their order.
    #[must_use]
    pub const fn fields(self) -> &'static [Field] {
        match self {
            Self::Release => &Release::FIELDS,
            Self::Emission => &Emission::FIELDS,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gases_stand_as_they_are_written() {
        let names = Emission::FIELDS.map(|field| field.name);
        let start = names.iter().position(|name| *name == "co2").unwrap();
        assert_eq!(names[start..start + 6], crate::Gases::NAMES);
    }

    #[test]
    fn every_kind_of_record_has_an_address_first() {
        for entity in Entity::ALL {
            assert_eq!(entity.fields()[0].name, "record_id");
            assert!(entity.fields().iter().all(|field| !field.doc.is_empty()));
        }
    }
}
