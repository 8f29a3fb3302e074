//! The JSON of a record, cut where what records share meets what is a record's own.
//!
//! A record's JSON is some 900 bytes, nearly all of it shared with other records of its site or
//! substance. Each description's share is escaped once, when the index is built, and a body is
//! assembled from these fragments by a [`Template`]. The template is cut from what
//! `outfall_records` writes, so that the names and the order of the fields have one definition.

use outfall_records::{Category, Entity, Gases, Record};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::LayoutError;

/// Where the value of a field comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Slot {
    /// A fragment of the site: whole fields with their names.
    Site,
    /// A fragment of the substance.
    Substance,
    /// A fragment of the medium.
    Medium,
    /// A value of the record's own, after its name.
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
    /// `breakdown`.
    Breakdown,
    /// A gas, by its place in [`Gases::NAMES`].
    Gas(usize),
    /// `source_url` of an emission.
    SourceUrl,
}

/// One step of assembling a body.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Piece {
    /// What to append after the literal.
    pub slot: Slot,
    /// The punctuation and the name before a value of the record's own; empty before a fragment.
    pub literal: String,
    /// Which of the fragments that its site, substance or medium has.
    pub fragment: usize,
    /// How many of them there are.
    pub of: usize,
}

/// The steps of assembling the body of any record of one kind; after them comes a `}`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Template {
    /// In order.
    pub pieces: Vec<Piece>,
}

/// The JSON of one record, cut into fragments and values of its own.
pub(crate) struct CutRecord {
    runs: Vec<(Slot, Vec<Field>)>,
}

type Field = (String, Box<RawValue>);

impl CutRecord {
    /// Cuts a record where the slot of its fields changes.
    ///
    /// # Errors
    /// [`LayoutError::UnknownField`] when a record has a field that no slot gives.
    pub(crate) fn new(record: &Record) -> Result<Self, LayoutError> {
        let mut runs: Vec<(Slot, Vec<Field>)> = Vec::new();
        for (name, value) in top_level_fields(record)? {
            let slot = slot(record.entity(), &name)
                .ok_or_else(|| LayoutError::UnknownField { field: name.clone() })?;
            match runs.last_mut() {
                Some((last, fields)) if *last == slot && !matches!(slot, Slot::Own(_)) => {
                    fields.push((name, value));
                }
                _ => runs.push((slot, vec![(name, value)])),
            }
        }
        Ok(Self { runs })
    }

    /// The template that any record of the kind is assembled by.
    pub(crate) fn template(&self) -> Template {
        let mut pieces: Vec<Piece> = Vec::new();
        for (slot, fields) in &self.runs {
            let opening = if pieces.is_empty() { '{' } else { ',' };
            let literal = match (slot, fields.first()) {
                (Slot::Own(_), Some((name, _))) => format!("{opening}\"{name}\":"),
                _ => String::new(),
            };
            let fragment = pieces.iter().filter(|piece| piece.slot == *slot).count();
            let of = self.fragments(*slot).count();
            pieces.push(Piece { slot: *slot, literal, fragment, of });
        }
        Template { pieces }
    }

    /// What the record shares with every other of the same site, substance or medium.
    pub(crate) fn fragments(&self, slot: Slot) -> impl Iterator<Item = String> {
        let runs = self.runs.iter().filter(move |(run, _)| *run == slot);
        runs.map(|(_, fields)| {
            fields.iter().map(|(name, value)| format!(",\"{name}\":{value}")).collect()
        })
    }
}

/// The JSON of a breakdown's row up to its quantity.
pub(crate) fn of_category(category: &Category) -> String {
    let name = |name: &Option<String>| Value::from(name.as_deref()).to_string();
    let (english, french) = (name(&category.name_en), name(&category.name_fr));
    format!("{{\"category_en\":{english},\"category_fr\":{french},\"quantity\":")
}

fn slot(entity: Entity, field: &str) -> Option<Slot> {
    let own = |field| Some(Slot::Own(field));
    match (entity, field) {
        (_, "record_id") => own(OwnField::RecordId),
        (_, "year") => own(OwnField::Year),
        (Entity::Release, "quantity") | (Entity::Emission, "total_co2e") => own(OwnField::Value),
        (Entity::Release, "units") => own(OwnField::Units),
        (Entity::Release, "quantity_kg") => own(OwnField::QuantityKg),
        (Entity::Release, "breakdown") => own(OwnField::Breakdown),
        (Entity::Emission, "source_url") => own(OwnField::SourceUrl),
        (Entity::Release, "substance_en" | "substance_fr" | "substance_id" | "cas_number") => {
            Some(Slot::Substance)
        }
        (Entity::Release, "medium_en" | "medium_fr") => Some(Slot::Medium),
        (
            _,
            "facility_name" | "company_name" | "province" | "facility_id" | "city" | "naics_code"
            | "naics_en" | "naics_fr" | "latitude" | "longitude",
        )
        | (Entity::Release, "ghgrp_id" | "source_url")
        | (Entity::Emission, "npri_id" | "total_co2e_units") => Some(Slot::Site),
        (Entity::Emission, gas) => Gases::NAMES
            .iter()
            .position(|name| *name == gas)
            .map(|gas| Slot::Own(OwnField::Gas(gas))),
        _ => None,
    }
}

/// The fields of an object with their values as written.
fn top_level_fields(record: &Record) -> Result<Vec<Field>, LayoutError> {
    struct Fields(Vec<Field>);

    impl<'de> serde::Deserialize<'de> for Fields {
        fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            deserializer.deserialize_map(FieldsVisitor)
        }
    }

    struct FieldsVisitor;

    impl<'de> serde::de::Visitor<'de> for FieldsVisitor {
        type Value = Fields;

        fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            formatter.write_str("a record")
        }

        fn visit_map<A: serde::de::MapAccess<'de>>(self, mut map: A) -> Result<Fields, A::Error> {
            let mut fields = Vec::new();
            while let Some(field) = map.next_entry()? {
                fields.push(field);
            }
            Ok(Fields(fields))
        }
    }

    let fields =
        serde_json::to_string(record).and_then(|json| serde_json::from_str::<Fields>(&json));
    fields
        .map(|fields| fields.0)
        .map_err(|error| LayoutError::UnknownField { field: error.to_string() })
}
