//! Editions of the records, one after the other, and what changed from one to the next.

mod change;
mod compare;
mod names;

use std::cmp::Ordering;

use outfall_records::{Amount, Decimal, Emission, Medium, PerKind, ReportingYear, Unit};

pub use change::{Change, Edit};
pub use compare::compare;
pub use names::{EditionNames, OwnValues, RecordNames, edition_records};

/// The records of one kind in canonical order: newest year first, then by `record_id` in byte
/// order.
pub type EditionRecords<'a, E> = Box<dyn Iterator<Item = Result<EditionRecord, E>> + 'a>;

/// The records of a build, as they are compared with those of another.
pub struct Edition<'a, E> {
    /// Its name, such as `gen-000042`.
    pub name: String,
    /// Its records.
    pub records: PerKind<EditionRecords<'a, E>>,
}

/// What a list of changes shows of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EditionRecord {
    /// The `record_id`.
    pub record_id: String,
    /// The reporting year.
    pub year: ReportingYear,
    /// The names that the record shows.
    pub names: RecordNames,
    /// The medium of a release.
    pub medium: Option<Medium>,
    /// The published number.
    pub quantity: Quantity,
}

/// A published number with its unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quantity {
    /// The number, exactly as it is published.
    pub value: Decimal,
    /// The unit of a release; emissions are in tonnes CO2e.
    pub unit: Option<Unit>,
}

impl EditionRecord {
    /// Compares the places of two records in the canonical order.
    fn place(&self, other: &Self) -> Ordering {
        other.year.cmp(&self.year).then_with(|| self.record_id.cmp(&other.record_id))
    }
}

impl Quantity {
    /// The unit as records show it.
    #[must_use]
    pub const fn units(&self) -> &'static str {
        match self.unit {
            Some(unit) => unit.name(),
            None => Emission::UNITS,
        }
    }

    /// The quantity as an amount; `None` if it does not fit, which no record of an index causes.
    pub(super) fn amount(&self) -> Option<Amount> {
        Amount::of(self.value, self.unit)
    }

    /// The unit in which it is compared with others: all masses are compared in kilograms.
    pub(super) const fn compared_in(&self) -> &'static str {
        match self.unit {
            Some(unit) if unit.is_mass() => Unit::Kilograms.name(),
            _ => self.units(),
        }
    }
}
