//! The distinct values of each facet, and the value of each part.

use outfall_records::{Medium, Province, SubstanceId, Unit};
use outfall_request::{Facet, FacetDetails, FacetValue, unit_name_fr};

use super::flows::Flows;
use crate::index::{Kind, Labelled, Labels, Numbers};

/// The values of one facet by slot; parts without a value share the slot after the last.
#[derive(Debug)]
pub(super) enum FacetValues {
    /// The values that sites or substances show, as the index stores them.
    Stored(Facet, Labels),
    /// Values that are known without the index.
    Own {
        /// In byte order.
        values: Vec<FacetValue>,
        /// The slot of each number of the part.
        slots: Vec<u32>,
    },
}

impl FacetValues {
    pub(super) fn of(kind: &Kind, flows: &Flows, facet: Facet) -> Self {
        let stored = |labelled| Self::Stored(facet, kind.labels(labelled));
        match facet {
            Facet::Province => stored(Labelled::Province),
            Facet::NaicsCode => stored(Labelled::Naics),
            Facet::Facility => stored(Labelled::Facility),
            Facet::Company => stored(Labelled::Company),
            Facet::Substance => {
                let mut labels = kind.labels(Labelled::Substance);
                let mut slots = Numbers::zeroed(flows.len());
                for (slot, flow) in slots.iter_mut().zip(flows.iter()) {
                    *slot = labels.slots[usize::from(flow.substance)];
                }
                labels.slots = slots.shared();
                Self::Stored(facet, labels)
            }
            Facet::Year => {
                let years = kind.years.iter().map(|block| block.year.to_string());
                Self::own(years.map(FacetValue::plain), 0..kind.years.len())
            }
            Facet::Medium => {
                let media = Medium::ALL.into_iter().map(|medium| {
                    let (name_en, name_fr) = (medium.name_en(), medium.name_fr());
                    FacetValue::named(medium.slug(), Some(name_en), Some(name_fr))
                });
                Self::own(media, flows.iter().map(|flow| usize::from(flow.medium)))
            }
            Facet::Units => {
                let units = Unit::ALL.into_iter().map(|unit| {
                    let name = unit.name();
                    FacetValue::named(name, Some(name), Some(unit_name_fr(unit)))
                });
                Self::own(units, flows.iter().map(|flow| flow.unit as usize))
            }
        }
    }

    /// Assigns a slot to each number of the part, by the place of its value among `values`.
    fn own(values: impl Iterator<Item = FacetValue>, places: impl Iterator<Item = usize>) -> Self {
        let mut values: Vec<(usize, FacetValue)> = values.enumerate().collect();
        values.sort_unstable_by(|(_, a), (_, b)| a.value.cmp(&b.value));
        let mut slot_of = vec![0; values.len()];
        values.iter().zip(0..).for_each(|((place, _), slot)| slot_of[*place] = slot);
        let slots = places.map(|place| slot_of[place]).collect();
        Self::Own { values: values.into_iter().map(|(_, value)| value).collect(), slots }
    }

    /// The number of slots, counting the one of parts without a value.
    pub(super) fn slots(&self) -> usize {
        1 + match self {
            Self::Stored(_, labels) => labels.len(),
            Self::Own { values, .. } => values.len(),
        }
    }

    /// The slot of each number of the part.
    pub(super) fn by_part(&self) -> &[u32] {
        match self {
            Self::Stored(_, labels) => &labels.slots,
            Self::Own { slots, .. } => slots,
        }
    }

    /// The value of a slot; `None` for that of parts without a value.
    pub(super) fn get(&self, slot: u32) -> Option<FacetValue> {
        let slot = slot as usize;
        let (facet, labels) = match self {
            Self::Stored(facet, labels) => (facet, labels),
            Self::Own { values, .. } => return values.get(slot).cloned(),
        };
        let label = labels.get(slot)?;
        let (name_en, name_fr) = match facet {
            Facet::Company => (Some(label.value), Some(label.value)),
            Facet::Facility => (label.name_en, label.name_en),
            Facet::Province => {
                let province = Province::of_code(label.value);
                (province.map(Province::name_en), province.map(Province::name_fr))
            }
            _ => (label.name_en, label.name_fr),
        };
        let value = FacetValue::named(label.value, name_en, name_fr);
        Some(match facet {
            Facet::Substance => value.with(substance(label.value)),
            _ => value,
        })
    }
}

/// The details of the entry of a substance. Every id that the index stores is valid.
fn substance(id: &str) -> FacetDetails {
    let id = SubstanceId::parse(id).ok();
    let cas_number = id.as_ref().and_then(SubstanceId::cas_number).map(str::to_owned);
    FacetDetails::Substance { cas_number }
}
