//! The filters of a request; a record is returned only if it passes all of them.

use outfall_records::{FacilityKey, NaicsBranch, Province, SubstanceId, Unit};

use crate::Bound;

/// Every filter of a request but its text. A list that is empty keeps everything; otherwise a
/// record passes when any entry of the list does.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filters {
    /// `province=`.
    pub provinces: Vec<Province>,
    /// `facility_id=`.
    pub facilities: Vec<FacilityKey>,
    /// `naics_code=`.
    pub naics: Vec<NaicsBranch>,
    /// `substance=`, only on releases.
    pub substances: Vec<SubstanceFilter>,
    /// `record_id=`, compared exactly.
    pub record_ids: Vec<String>,
    /// `issued_after=` and `issued_before=`.
    pub years: YearRange,
    /// `value_min=` and `value_max=`.
    pub values: ValueRange,
}

/// One `substance=`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SubstanceFilter {
    /// The value is a CAS RN or an NPRI code: the id itself.
    Id(SubstanceId),
    /// The tokens of each word; every word occurs in some name that the substance ever had.
    /// There is a word, and every word has a token: a value without any is refused, not ignored.
    Words(Vec<Vec<String>>),
}

/// Reporting years, both ends included.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct YearRange {
    /// Keeps years at or after it.
    pub from: Option<u16>,
    /// Keeps years at or before it.
    pub to: Option<u16>,
}

impl YearRange {
    /// Whether a record of `year` passes.
    #[must_use]
    pub fn contains(&self, year: u16) -> bool {
        self.from.is_none_or(|from| from <= year) && self.to.is_none_or(|to| year <= to)
    }
}

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
