//! The sum of an entry of a facet.

use outfall_records::{Decimal, RecordKind, Unit};

use crate::{ExactSum, ValueUnit};

/// The exact sum of the published numbers of some records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FacetSum {
    /// The sums of releases; `None` if no release is in that unit.
    Release {
        /// All masses, in kilograms.
        kilograms: Option<ExactSum>,
        /// Toxic equivalents, in grams.
        grams_teq: Option<ExactSum>,
    },
    /// The sum of emissions.
    Emission {
        /// The totals, in tonnes CO2e.
        tonnes: ExactSum,
    },
}

impl FacetSum {
    /// The sum of no records.
    #[must_use]
    pub const fn zero(record_kind: RecordKind) -> Self {
        match record_kind {
            RecordKind::Release => Self::Release { kilograms: None, grams_teq: None },
            RecordKind::Emission => Self::Emission { tonnes: ExactSum::ZERO },
        }
    }

    /// Adds the number that a record publishes; the unit is that of a release.
    pub fn add(&mut self, value: Decimal, unit: Option<Unit>) {
        let part = match self {
            Self::Emission { tonnes } => tonnes,
            Self::Release { grams_teq, .. } if unit == Some(Unit::GramsTeq) => {
                grams_teq.get_or_insert(ExactSum::ZERO)
            }
            Self::Release { kilograms, .. } => kilograms.get_or_insert(ExactSum::ZERO),
        };
        part.add_shifted(value.mantissa(), value.scale() as i32 + places_to_sum(unit));
    }

    /// The part that `facet_sort=sum` compares: toxic equivalents if `value_unit` asks for these,
    /// or else mass or emissions; `None` if no record has such an amount.
    #[must_use]
    pub const fn compared(&self, value_unit: ValueUnit) -> Option<ExactSum> {
        match (*self, value_unit) {
            (Self::Emission { tonnes }, _) => Some(tonnes),
            (
                Self::Release { grams_teq, .. },
                ValueUnit::GramsTeq | ValueUnit::Mass(Unit::GramsTeq),
            ) => grams_teq,
            (Self::Release { kilograms, .. }, _) => kilograms,
        }
    }

    /// The sums by their names in an answer.
    #[must_use]
    pub fn parts(&self) -> Vec<(&'static str, Option<ExactSum>)> {
        match *self {
            Self::Release { kilograms, grams_teq } => {
                vec![("kg", kilograms), ("g_teq", grams_teq)]
            }
            Self::Emission { tonnes } => vec![("tonnes", Some(tonnes))],
        }
    }
}

/// How many decimal places a number moves to the right when it is added to its sum.
#[must_use]
pub const fn places_to_sum(unit: Option<Unit>) -> i32 {
    match unit {
        Some(Unit::Grams) => 3,
        Some(Unit::Tonnes) => -3,
        Some(Unit::Kilograms | Unit::GramsTeq) | None => 0,
    }
}
