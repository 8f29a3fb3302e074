//! The distinct values of each facet, and the value of each part.

use outfall_records::{Medium, Province, Unit};
use outfall_request::{Facet, FacetValue, unit_name_fr};

use crate::index::{Kind, Labelled, Labels};

/// The values of one facet by slot; parts without a value share the slot after the last.
#[derive(Debug)]
pub(super) enum FacetValues {
    /// The values that sites or substances show, as the index stores them.
    Stored(Facet, Labels),
    /// Every part has its own value.
    Own {
        /// In byte order.
        values: Vec<FacetValue>,
        /// The slot of each part.
        slots: Vec<u32>,
    },
}

impl FacetValues {
    pub(super) fn of(kind: &Kind, facet: Facet) -> Self {
        let stored = |labelled| Self::Stored(facet, kind.labels(labelled));
        match facet {
            Facet::Province => stored(Labelled::Province),
            Facet::NaicsCode => stored(Labelled::Naics),
            Facet::Facility => stored(Labelled::Facility),
            Facet::Company => stored(Labelled::Company),
            Facet::Substance => stored(Labelled::Substance),
            Facet::Year => {
                Self::own(kind.years.iter().map(|block| FacetValue::plain(block.year.to_string())))
            }
            Facet::Medium => Self::own(Medium::ALL.into_iter().map(|medium| {
                let (name_en, name_fr) = (medium.name_en(), medium.name_fr());
                FacetValue::named(medium.slug(), Some(name_en), Some(name_fr))
            })),
            Facet::Units => Self::own(Unit::ALL.into_iter().map(|unit| {
                let name = unit.name();
                FacetValue::named(name, Some(name), Some(unit_name_fr(unit)))
            })),
        }
    }

    /// Assigns a slot to the value of each part.
    fn own(parts: impl Iterator<Item = FacetValue>) -> Self {
        let mut parts: Vec<(usize, FacetValue)> = parts.enumerate().collect();
        parts.sort_unstable_by(|(_, a), (_, b)| a.value.cmp(&b.value));
        let mut slots = vec![0; parts.len()];
        parts.iter().zip(0..).for_each(|((part, _), slot)| slots[*part] = slot);
        Self::Own { values: parts.into_iter().map(|(_, value)| value).collect(), slots }
    }

    /// The number of slots, counting the one of parts without a value.
    pub(super) fn slots(&self) -> usize {
        1 + match self {
            Self::Stored(_, labels) => labels.len(),
            Self::Own { values, .. } => values.len(),
        }
    }

    /// The slot of each part.
    pub(super) fn by_part(&self) -> &[u32] {
        match self {
            Self::Stored(_, labels) => &labels.slots,
            Self::Own { slots, .. } => slots,
        }
    }

    /// The value of a slot; `None` for that of parts without a value.
    pub(super) fn get(&self, slot: usize) -> Option<FacetValue> {
        let (facet, labels) = match self {
            Self::Stored(facet, labels) => (facet, labels),
            Self::Own { values, .. } => return values.get(slot).cloned(),
        };
        let label = labels.get(slot)?;
        let (name_en, name_fr) = match facet {
            Facet::Company => (Some(label.value), Some(label.value)),
            Facet::Facility => (label.name_en, label.name_en),
            Facet::Province => {
                let mut all = Province::ALL.into_iter();
                let province = all.find(|province| province.code() == label.value);
                (province.map(Province::name_en), province.map(Province::name_fr))
            }
            _ => (label.name_en, label.name_fr),
        };
        Some(FacetValue::named(label.value, name_en, name_fr))
    }
}
