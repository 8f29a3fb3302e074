//! The sum of an entry of a facet.

use outfall_records::{Amount, RecordKind, Unit};

use crate::ValueUnit;

/// The exact sum of the published numbers of some records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FacetSum {
    /// The sums of releases; `None` if no release is in that unit.
    Release {
        /// All masses, in kilograms.
        kilograms: Option<Amount>,
        /// Toxic equivalents, in grams.
        grams_teq: Option<Amount>,
    },
    /// The sum of emissions.
    Emission {
        /// The totals, in tonnes CO2e.
        tonnes: Amount,
    },
}

impl FacetSum {
    /// The sum of no records.
    #[must_use]
    pub const fn zero(record_kind: RecordKind) -> Self {
        match record_kind {
            RecordKind::Release => Self::Release { kilograms: None, grams_teq: None },
            RecordKind::Emission => Self::Emission { tonnes: Amount::ZERO },
        }
    }

    /// Adds the amount of a record, which is published in `unit` if it is a release.
    pub fn add(&mut self, amount: Amount, unit: Option<Unit>) {
        let part = match self {
            Self::Emission { tonnes } => tonnes,
            Self::Release { grams_teq, .. } if unit == Some(Unit::GramsTeq) => {
                grams_teq.get_or_insert(Amount::ZERO)
            }
            Self::Release { kilograms, .. } => kilograms.get_or_insert(Amount::ZERO),
        };
        *part += amount;
    }

    /// The part that `facet_sort=sum` compares: toxic equivalents if `value_unit` asks for these,
    /// or else mass or emissions; `None` if no record has such an amount.
    #[must_use]
    pub const fn compared(&self, value_unit: ValueUnit) -> Option<Amount> {
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
    pub fn parts(&self) -> Vec<(&'static str, Option<Amount>)> {
        match *self {
            Self::Release { kilograms, grams_teq } => {
                vec![("kg", kilograms), ("g_teq", grams_teq)]
            }
            Self::Emission { tonnes } => vec![("tonnes", Some(tonnes))],
        }
    }
}
