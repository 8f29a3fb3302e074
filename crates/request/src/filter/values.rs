//! `value_min=` and `value_max=`: the value that a record shows, or its mass.

use outfall_records::Unit;

use super::SpelledFilter;
use crate::Bound;

/// Bounds on the compared value, both included.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ValueRange {
    /// Keeps values at or above it.
    pub min: Option<Bound>,
    /// Keeps values at or below it.
    pub max: Option<Bound>,
}

impl ValueRange {
    /// Whether there is a bound at all; records without a comparable value then match none.
    #[must_use]
    pub const fn is_bounded(&self) -> bool {
        self.min.is_some() || self.max.is_some()
    }

    pub(super) fn spelled(&self) -> [SpelledFilter; 2] {
        [("value_min", self.min.as_ref()), ("value_max", self.max.as_ref())]
            .map(|(name, bound)| SpelledFilter::single(name, bound))
    }
}

/// The measure that `value_min`, `value_max` and `sort_by=value` compare.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ValueUnit {
    /// The number that the record shows, whatever its unit.
    #[default]
    Reported,
    /// The mass in this unit (never `g TEQ`); `g TEQ` records have no value.
    Mass(Unit),
    /// The quantity of `g TEQ` records; no other has a value.
    GramsTeq,
}

impl ValueUnit {
    /// The words of `value_unit=`, each for one unit.
    pub const WORDS: [(&'static str, Self); 5] = [
        ("tonnes", Self::Mass(Unit::Tonnes)),
        ("kg", Self::Mass(Unit::Kilograms)),
        ("g", Self::Mass(Unit::Grams)),
        ("g_teq", Self::GramsTeq),
        ("reported", Self::Reported),
    ];

    /// The word of `value_unit=`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Mass(Unit::Tonnes) => "tonnes",
            Self::Mass(Unit::Kilograms) => "kg",
            Self::Mass(Unit::Grams) => "g",
            // `g TEQ` is no mass, so the two mean the same.
            Self::Mass(Unit::GramsTeq) | Self::GramsTeq => "g_teq",
            Self::Reported => "reported",
        }
    }
}
