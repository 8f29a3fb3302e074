//! The JSON of a record, cut where what records share meets what is a record's own.
//!
//! A record's JSON is some 900 bytes, nearly all of it shared with other records of its site or
//! substance. Each dimension's share is escaped once, when the index is built, and a body is
//! assembled from these fragments by a [`Template`]. The template is cut from what
//! `outfall_records` writes, so that the names and the order of the fields have one definition.

use std::ops::Range;

use outfall_records::{Category, Entity, Gases, Record};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::index::IndexError;
use crate::index::outline::outlined;

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
    json: String,
    /// Fields in a row that have the same slot, and where they stand.
    runs: Vec<(Slot, Range<usize>)>,
}

impl CutRecord {
    /// Cuts a record where the slot of its fields changes.
    ///
    /// # Errors
    /// [`IndexError::UnknownField`] when a record has a field that no slot gives.
    pub(crate) fn new(record: &Record) -> Result<Self, IndexError> {
        let (json, fields) = outlined(record)?;
        let mut runs: Vec<(Slot, Range<usize>)> = Vec::new();
        for field in fields {
            let name = name_of(&json[field.clone()]);
            let slot = slot(record.entity(), name)
                .ok_or_else(|| IndexError::UnknownField { field: name.to_owned() })?;
            match runs.last_mut() {
                Some((last, run)) if *last == slot && !matches!(slot, Slot::Own(_)) => {
                    run.end = field.end;
                }
                _ => runs.push((slot, field)),
            }
        }
        Ok(Self { json, runs })
    }

    /// The template that any record of the kind is assembled by.
    pub(crate) fn template(&self) -> Template {
        let mut pieces: Vec<Piece> = Vec::new();
        for (slot, run) in &self.runs {
            let opening = if pieces.is_empty() { '{' } else { ',' };
            let literal = match slot {
                Slot::Own(_) => format!("{opening}\"{}\":", name_of(&self.json[run.clone()])),
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
        runs.map(|(_, run)| [",", &self.json[run.clone()]].concat())
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

/// The name of a field as written; no name has a character that JSON escapes.
fn name_of(field: &str) -> &str {
    field.split('"').nth(1).unwrap_or_default()
}
