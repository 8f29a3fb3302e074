//! The numbered dimensions that documents are tallied by.

use outfall_records::RecordKind;
use outfall_request::Facet;

/// A numbered dimension of which every document of a kind has exactly one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Site,
    Year,
    /// See [`Flows`](super::flows::Flows).
    Flow,
}

impl Part {
    pub(super) const fn of_kind(record_kind: RecordKind) -> &'static [Self] {
        match record_kind {
            RecordKind::Release => &[Self::Site, Self::Year, Self::Flow],
            RecordKind::Emission => &[Self::Site, Self::Year],
        }
    }

    /// The part that determines the value of a facet.
    pub(super) const fn of(facet: Facet) -> Self {
        match facet {
            Facet::Province | Facet::NaicsCode | Facet::Facility | Facet::Company => Self::Site,
            Facet::Year => Self::Year,
            Facet::Substance | Facet::Medium | Facet::Units => Self::Flow,
        }
    }
}
