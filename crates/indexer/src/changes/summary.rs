//! How many records changed, and the largest restatements.

use std::collections::BTreeMap;
use std::fmt;

use outfall_records::{Amount, FieldValue};
use outfall_request::{Change, Edit};
use serde::ser::Error;
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

/// How many restatements are shown in each unit.
const LARGEST: usize = 10;

/// What changed since an edition.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ChangeSummary {
    /// The edition that it is compared with, `gen-000041`.
    pub since: String,
    /// The numbers of changes, by the name of the kind; a kind without any is not named.
    pub kinds: BTreeMap<String, KindChanges>,
    /// The changed records whose numbers are farthest apart, the largest difference first: masses
    /// by the difference in `kg`, others in `g TEQ` and in `tonnes CO2e`.
    pub largest: BTreeMap<&'static str, Vec<Restatement>>,
}

/// The changes of a kind of record.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct KindChanges {
    /// Of all years.
    #[serde(flatten)]
    pub all: EditCounts,
    /// By reporting year; a year without changes is not named.
    pub years: BTreeMap<u16, EditCounts>,
}

/// Numbers of changed records.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct EditCounts {
    /// Records that only the newer edition has.
    pub added: u64,
    /// Records whose number or unit differs.
    pub changed: u64,
    /// Records that only the older edition has.
    pub removed: u64,
}

/// A changed record, with the difference of its numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Restatement {
    /// The record.
    pub change: Change,
    /// How far apart its numbers are, in the unit that it is listed by.
    pub difference: Amount,
}

/// Whether a build was compared with what was served before.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Compared {
    /// It was.
    With(ChangeSummary),
    /// It could not be.
    Not {
        /// Why not.
        not_compared: String,
    },
}

impl ChangeSummary {
    /// No change yet since the edition of that name.
    #[must_use]
    pub fn since(name: String) -> Self {
        Self { since: name, ..Self::default() }
    }

    /// Counts a change.
    pub fn add(&mut self, change: Change) {
        let kind = self.kinds.entry(change.record_kind.name().to_owned()).or_default();
        kind.all.add(change.edit);
        kind.years.entry(change.year.get()).or_default().add(change.edit);
        let Some((units, difference)) = change.edit.difference() else { return };
        if difference == Amount::ZERO {
            return;
        }
        let largest = self.largest.entry(units).or_default();
        // Of equal differences, the one that comes first in the list is kept first.
        let place = largest.partition_point(|known| known.difference >= difference);
        if place < LARGEST {
            largest.insert(place, Restatement { change, difference });
            largest.truncate(LARGEST);
        }
    }

    /// The numbers of changes of all kinds.
    #[must_use]
    pub fn all(&self) -> EditCounts {
        self.kinds.values().fold(EditCounts::default(), |sum, kind| EditCounts {
            added: sum.added + kind.all.added,
            changed: sum.changed + kind.all.changed,
            removed: sum.removed + kind.all.removed,
        })
    }
}

impl EditCounts {
    fn add(&mut self, edit: Edit) {
        match edit {
            Edit::Added(_) => self.added += 1,
            Edit::Changed { .. } => self.changed += 1,
            Edit::Removed(_) => self.removed += 1,
        }
    }
}

/// As reports show it: `12 added, 3 changed, 1 removed`.
impl fmt::Display for EditCounts {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { added, changed, removed } = self;
        write!(formatter, "{added} added, {changed} changed, {removed} removed")
    }
}

impl fmt::Display for ChangeSummary {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(formatter, "changes since {}: {}", self.since, self.all())?;
        for (name, kind) in &self.kinds {
            writeln!(formatter, "{name}: {}", kind.all)?;
            for (year, counts) in kind.years.iter().rev() {
                writeln!(formatter, "  {year}: {counts}")?;
            }
        }
        for (units, restatements) in &self.largest {
            writeln!(formatter, "largest restatements, in {units}:")?;
            for Restatement { change, difference } in restatements {
                write!(formatter, "  {difference}: {}", change.record_id)?;
                if let Edit::Changed { old, new } = change.edit {
                    let (was, is) = ((old.value, old.units()), (new.value, new.units()));
                    write!(formatter, ", {} {}, was {} {}", is.0, is.1, was.0, was.1)?;
                }
                let names = [&change.names.facility_name, &change.names.substance_en];
                let names: Vec<&str> = names.into_iter().flatten().map(AsRef::as_ref).collect();
                if !names.is_empty() {
                    write!(formatter, " ({})", names.join(", "))?;
                }
                writeln!(formatter)?;
            }
        }
        Ok(())
    }
}

/// The fields of the list of changes, and the difference.
#[derive(Serialize)]
struct RestatementFields<'a> {
    record_id: &'a str,
    year: u16,
    facility_name: Option<&'a str>,
    substance_en: Option<&'a str>,
    substance_fr: Option<&'a str>,
    medium: Option<&'a str>,
    old_value: Option<FieldValue<'a>>,
    old_units: Option<&'a str>,
    new_value: Option<FieldValue<'a>>,
    new_units: Option<&'a str>,
    difference: Box<RawValue>,
}

impl Serialize for Restatement {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Change { record_id, year, names, medium, edit, .. } = &self.change;
        let (old, new) = (edit.before(), edit.after());
        let fields = RestatementFields {
            record_id,
            year: year.get(),
            facility_name: names.facility_name.as_deref(),
            substance_en: names.substance_en.as_deref(),
            substance_fr: names.substance_fr.as_deref(),
            medium: medium.map(|medium| medium.slug()),
            old_value: old.map(|old| old.value.into()),
            old_units: old.map(|old| old.units()),
            new_value: new.map(|new| new.value.into()),
            new_units: new.map(|new| new.units()),
            difference: RawValue::from_string(self.difference.to_string())
                .map_err(S::Error::custom)?,
        };
        fields.serialize(serializer)
    }
}
