//! The distinct values of each facet, and which of them a part has.

use std::collections::BTreeMap;

use outfall_layout::Kind;
use outfall_records::{Medium, Province, Unit};

use super::shown::{ShownSite, ShownSubstance, objects};
use crate::facet::unit_name_fr;
use crate::{Facet, FacetValue};

/// The values of one facet by slot; the slot after the last is that of the parts without a value.
#[derive(Debug)]
pub(super) struct Values {
    /// In byte order.
    values: Vec<FacetValue>,
    /// The slot of each part.
    slots: Vec<u32>,
}

impl Values {
    /// Of the value of each part, in the order of their first records: the first names a value.
    fn of(parts: Vec<Option<FacetValue>>) -> Self {
        let mut distinct: BTreeMap<&str, (u32, &FacetValue)> = BTreeMap::new();
        for value in parts.iter().flatten() {
            distinct.entry(&value.value).or_insert((0, value));
        }
        distinct.values_mut().zip(0..).for_each(|((slot, _), place)| *slot = place);
        let none = distinct.len() as u32;
        let slot = |value: &FacetValue| distinct.get(value.value.as_str()).map(|(slot, _)| *slot);
        let slots = parts.iter().map(|part| part.as_ref().and_then(slot).unwrap_or(none));
        let slots = slots.collect();
        Self { values: distinct.into_values().map(|(_, value)| value.clone()).collect(), slots }
    }

    /// How many slots there are.
    pub(super) const fn slots(&self) -> usize {
        self.values.len() + 1
    }

    pub(super) fn slot_of(&self, part: usize) -> usize {
        self.slots[part] as usize
    }

    pub(super) fn get(&self, slot: usize) -> Option<&FacetValue> {
        self.values.get(slot)
    }
}

/// The values of every facet of a kind.
pub(super) fn of_kind(kind: &Kind) -> Vec<(Facet, Values)> {
    let sites: Vec<String> = objects(&kind.site_fragments, kind.site_ids.len()).collect();
    // What was cut from the JSON of records is JSON, so the fallback is never taken.
    let sites: Vec<ShownSite<'_>> =
        sites.iter().map(|json| serde_json::from_str(json).unwrap_or_default()).collect();
    let facet = |facet| (facet, Values::of(values(kind, &sites, facet)));
    Facet::of(kind.entity).map(facet).collect()
}

/// The value of each part that tells a facet.
fn values(kind: &Kind, sites: &[ShownSite<'_>], facet: Facet) -> Vec<Option<FacetValue>> {
    let site_value =
        |value: &dyn Fn(&ShownSite<'_>) -> Option<FacetValue>| sites.iter().map(value).collect();
    match facet {
        Facet::Province => site_value(&|site| {
            let code = site.province.as_deref()?;
            let province = Province::ALL.into_iter().find(|province| province.code() == code)?;
            let (en, fr) = (province.name_en(), province.name_fr());
            Some(FacetValue::named(province.code(), Some(en), Some(fr)))
        }),
        Facet::NaicsCode => site_value(&|site| {
            let (en, fr) = (site.naics_en.as_deref(), site.naics_fr.as_deref());
            Some(FacetValue::named(site.naics_code.as_deref()?, en, fr))
        }),
        Facet::Company => site_value(&|site| site.company_name.as_deref().map(FacetValue::plain)),
        Facet::Facility => {
            let named = |(number, site): (usize, &ShownSite<'_>)| {
                let name = site.facility_name.as_deref();
                Some(FacetValue::named(kind.site_ids.get(number), name, name))
            };
            sites.iter().enumerate().map(named).collect()
        }
        Facet::Year => {
            kind.years.iter().map(|it| Some(FacetValue::plain(it.year.to_string()))).collect()
        }
        Facet::Substance => {
            let named = |(number, json): (usize, String)| {
                let ShownSubstance { substance_en, substance_fr } =
                    serde_json::from_str(&json).unwrap_or_default();
                let (en, fr) = (substance_en.as_deref(), substance_fr.as_deref());
                Some(FacetValue::named(kind.substance_ids.get(number), en, fr))
            };
            let objects = objects(&kind.substance_fragments, kind.substance_ids.len());
            objects.enumerate().map(named).collect()
        }
        Facet::Medium => {
            let named =
                |it: Medium| FacetValue::named(it.slug(), Some(it.name_en()), Some(it.name_fr()));
            Medium::ALL.map(|medium| Some(named(medium))).into()
        }
        Facet::Units => {
            let named =
                |it: Unit| FacetValue::named(it.name(), Some(it.name()), Some(unit_name_fr(it)));
            Unit::ALL.map(|unit| Some(named(unit))).into()
        }
    }
}
