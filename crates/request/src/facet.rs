//! Counts and sums of all matches by the values of a field: `facets` and `facet_limit`.

use outfall_records::{Decimal, RecordKind, Unit};

use crate::ExactSum;

/// A field whose values are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Facet {
    /// The province, by its code.
    Province,
    /// The reporting year.
    Year,
    /// The industry, by the code that the record shows.
    NaicsCode,
    /// The substance of a release, by its id.
    Substance,
    /// The medium of a release, by the last part of its `record_id`.
    Medium,
    /// The facility, by its id.
    Facility,
    /// The company, by the name that the record shows.
    Company,
    /// The unit of a release, as the record shows it.
    Units,
}

impl Facet {
    /// Every facet; a release has them all.
    pub const ALL: [Self; 8] = [
        Self::Province,
        Self::Year,
        Self::NaicsCode,
        Self::Substance,
        Self::Medium,
        Self::Facility,
        Self::Company,
        Self::Units,
    ];

    /// The name in `facets=` and in an answer.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Province => "province",
            Self::Year => "year",
            Self::NaicsCode => "naics_code",
            Self::Substance => "substance",
            Self::Medium => "medium",
            Self::Facility => "facility",
            Self::Company => "company",
            Self::Units => "units",
        }
    }

    /// The facets of one kind, in the order of [`Facet::ALL`].
    pub fn of(record_kind: RecordKind) -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().filter(move |facet| match facet {
            Self::Substance | Self::Medium => record_kind.has_substances(),
            Self::Units => record_kind.has_units(),
            Self::Province | Self::Year | Self::NaicsCode | Self::Facility | Self::Company => true,
        })
    }
}

/// The facets to count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facets {
    /// The facets of the kind asked for, in the order of the answer, each at most once.
    pub wanted: Vec<Facet>,
    /// The most entries of each, 1 to [`Facets::MAX_LIMIT`].
    pub limit: u32,
}

impl Facets {
    /// The limit of a request that gives none.
    pub const DEFAULT_LIMIT: u32 = 20;
    /// The largest limit.
    pub const MAX_LIMIT: u32 = 1_000;
}

impl Default for Facets {
    fn default() -> Self {
        Self { wanted: Vec::new(), limit: Self::DEFAULT_LIMIT }
    }
}

/// The entries of one facet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FacetTable {
    /// The facet.
    pub facet: Facet,
    /// Largest count first, then by value in byte order; the entry without a value comes last among
    /// equal counts.
    pub entries: Vec<FacetEntry>,
}

/// The matches that have one value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FacetEntry {
    /// The value with its names; `None` for the records without one.
    pub value: Option<FacetValue>,
    /// How many matches have it.
    pub count: u64,
    /// Their sum.
    pub sum: FacetSum,
}

/// A value of a facet. Its names are those of the first record in default order that has the
/// value, whether it matches or not, so that no filter changes them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FacetValue {
    /// The value, in the form that the parameter takes, if there is one.
    pub value: String,
    /// The English name, or the only one.
    pub label_en: Option<String>,
    /// The French name, or the only one.
    pub label_fr: Option<String>,
}

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

/// The name of a unit in French.
#[must_use]
pub const fn unit_name_fr(unit: Unit) -> &'static str {
    match unit {
        Unit::Grams => "grammes",
        Unit::Kilograms => "kg",
        Unit::Tonnes => "tonnes",
        Unit::GramsTeq => "g ET",
    }
}

impl FacetValue {
    /// A value with its own names.
    #[must_use]
    pub fn named(value: impl Into<String>, label_en: Option<&str>, label_fr: Option<&str>) -> Self {
        let owned = |label: Option<&str>| label.map(str::to_owned);
        Self { value: value.into(), label_en: owned(label_en), label_fr: owned(label_fr) }
    }

    /// A value that is its own name in both languages.
    #[must_use]
    pub fn plain(value: impl Into<String>) -> Self {
        let value = value.into();
        Self { label_en: Some(value.clone()), label_fr: Some(value.clone()), value }
    }
}
