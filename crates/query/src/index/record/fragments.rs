//! The JSON of a record, cut into what records share and what is a record's own.
//!
//! A record's JSON is some 900 bytes, nearly all of it shared with other records of its site or
//! substance. Each dimension's share is escaped once, when the index is built, and a body is
//! assembled from these fragments by a [`Template`]. The template is cut from what
//! `outfall_records` writes, so that the names and the order of the fields have one definition.

use outfall_records::{BreakdownPart, Category, Field, FieldValue, Record, RecordPart};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// One step of assembling a body.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TemplateStep {
    /// The source of what is appended after the literal.
    pub slot: RecordPart,
    /// The punctuation and the name before an own value; empty before a fragment.
    pub literal: String,
    /// The index among the fragments of its site, substance or medium.
    pub fragment: usize,
    /// The number of those fragments.
    pub of: usize,
}

/// The steps of assembling the body of any record of one kind; after them comes a `}`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Template {
    /// In order.
    pub pieces: Vec<TemplateStep>,
}

/// The JSON of one record, cut into fragments and its own values.
pub(crate) struct CutRecord {
    /// Neighbouring fields that records share together, and each field of the record's own.
    runs: Vec<Run>,
}

struct Run {
    part: RecordPart,
    /// The name of the first field.
    name: &'static str,
    /// The fields with their names, without the braces around them.
    json: String,
}

impl CutRecord {
    /// Cuts a record where its fields come from another part of it.
    pub(crate) fn new(record: &Record) -> Self {
        let mut runs: Vec<Run> = Vec::new();
        for (Field { name, part, .. }, value) in record.field_values() {
            let json = format!("\"{name}\":{}", json_of(&value));
            match runs.last_mut() {
                Some(run) if run.part == *part && !matches!(part, RecordPart::Own(_)) => {
                    run.json.push(',');
                    run.json.push_str(&json);
                }
                _ => runs.push(Run { part: *part, name, json }),
            }
        }
        Self { runs }
    }

    /// The template for the body of any record of the kind.
    pub(crate) fn template(&self) -> Template {
        let mut pieces: Vec<TemplateStep> = Vec::new();
        for Run { part, name, .. } in &self.runs {
            let opening = if pieces.is_empty() { '{' } else { ',' };
            let literal = match part {
                RecordPart::Own(_) => format!("{opening}\"{name}\":"),
                _ => String::new(),
            };
            let fragment = pieces.iter().filter(|piece| piece.slot == *part).count();
            let of = self.fragments(*part).count();
            pieces.push(TemplateStep { slot: *part, literal, fragment, of });
        }
        Template { pieces }
    }

    /// The JSON that the record shares with every other of the same site, substance or medium.
    pub(crate) fn fragments(&self, part: RecordPart) -> impl Iterator<Item = String> {
        let runs = self.runs.iter().filter(move |run| run.part == part);
        runs.map(|run| [",", &run.json].concat())
    }
}

#[expect(clippy::expect_used, reason = "texts and decimals always serialise")]
fn json_of(value: &FieldValue<'_>) -> String {
    serde_json::to_string(value).expect("texts and decimals")
}

/// The JSON of a breakdown row up to its quantity.
pub(crate) fn of_category(category: &Category) -> String {
    let name = |name: &Option<String>| Value::from(name.as_deref()).to_string();
    let (english, french) = (name(&category.name_en), name(&category.name_fr));
    let [english_name, french_name, quantity, _method] =
        BreakdownPart::FIELDS.map(|part| part.field.name);
    format!("{{\"{english_name}\":{english},\"{french_name}\":{french},\"{quantity}\":")
}
