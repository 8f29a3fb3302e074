//! Counts and sums of all matches by the values of a field: `facets`, `facet_sort` and
//! `facet_limit`.

mod sum;
mod tables;
mod wanted;

use outfall_records::RecordKind;

pub use self::sum::FacetSum;
pub use self::tables::{
    CrossedEntry, CrossedTable, FacetDetails, FacetEntry, FacetInfo, FacetPlace, FacetTable,
    FacetTables, FacetValue, unit_name_fr,
};
pub use self::wanted::{CrossedFacet, FacetSort, Facets};

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

    /// Whether its values are a short, closed list, which an answer always has whole.
    #[must_use]
    pub const fn is_short(self) -> bool {
        match self {
            Self::Province | Self::Year | Self::Medium | Self::Units => true,
            Self::NaicsCode | Self::Substance | Self::Facility | Self::Company => false,
        }
    }
}
