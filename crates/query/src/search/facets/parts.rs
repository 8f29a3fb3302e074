//! The numbered dimensions that documents are tallied by.

use outfall_records::{Medium, RecordKind, Unit};
use outfall_request::Facet;

use super::amounts::Batch;
use crate::index::Kind;

/// A numbered dimension of which every document of a kind has exactly one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Site,
    Year,
    Substance,
    /// Medium and unit together: both have so few values that one tally serves them.
    MediumAndUnit,
}

impl Part {
    pub(super) const fn of_kind(record_kind: RecordKind) -> &'static [Self] {
        match record_kind {
            RecordKind::Release => &[Self::Site, Self::Year, Self::Substance, Self::MediumAndUnit],
            RecordKind::Emission => &[Self::Site, Self::Year],
        }
    }

    /// How many numbers the part has.
    pub(super) fn len(self, kind: &Kind) -> usize {
        match self {
            Self::Site => kind.site_ids.len(),
            Self::Year => kind.years.len(),
            Self::Substance => kind.substance_ids.len(),
            Self::MediumAndUnit => Medium::ALL.len() * Unit::ALL.len(),
        }
    }

    /// The part that determines the value of a facet.
    pub(super) const fn of(facet: Facet) -> Self {
        match facet {
            Facet::Province | Facet::NaicsCode | Facet::Facility | Facet::Company => Self::Site,
            Facet::Year => Self::Year,
            Facet::Substance => Self::Substance,
            Facet::Medium | Facet::Units => Self::MediumAndUnit,
        }
    }

    /// The number of one document, which has this unit.
    pub(super) fn number_of(self, kind: &Kind, document: u32, unit: Unit) -> u32 {
        let place = document as usize;
        match self {
            Self::Site => kind.site_of[place],
            Self::Year => {
                kind.years.partition_point(|block| block.documents.end <= document) as u32
            }
            Self::Substance => u32::from(kind.substance_of[place]),
            Self::MediumAndUnit => {
                medium_and_unit(usize::from(kind.medium_of[place]), unit as usize)
            }
        }
    }

    /// Replaces `numbers` with the number of each document of a batch.
    pub(super) fn numbers_of(self, kind: &Kind, batch: &Batch, numbers: &mut Vec<u32>) {
        let places = batch.documents.iter().map(|document| *document as usize);
        numbers.clear();
        match self {
            Self::Site => {
                let site_of = &*kind.site_of;
                numbers.extend(places.map(|place| site_of[place]));
            }
            Self::Year => numbers.resize(batch.documents.len(), batch.year),
            Self::Substance => {
                let substance_of = &*kind.substance_of;
                numbers.extend(places.map(|place| u32::from(substance_of[place])));
            }
            Self::MediumAndUnit => {
                let medium_of = &*kind.medium_of;
                let units = batch.units.iter();
                numbers.extend(places.zip(units).map(|(place, unit)| {
                    medium_and_unit(usize::from(medium_of[place]), *unit as usize)
                }));
            }
        }
    }
}

/// The number of a medium with a unit, each by its place in `ALL`.
pub(super) const fn medium_and_unit(medium: usize, unit: usize) -> u32 {
    (medium * Unit::ALL.len() + unit) as u32
}

/// The places of medium and unit, for each number of both together.
pub(super) fn media_and_units() -> impl Iterator<Item = (usize, usize)> {
    let numbers = 0..Medium::ALL.len() * Unit::ALL.len();
    numbers.map(|number| (number / Unit::ALL.len(), number % Unit::ALL.len()))
}
