//! Where a facility is, as its newest matching record shows it.

use std::borrow::Cow;
use std::collections::HashMap;

use outfall_records::{Decimal, Province, RecordPart};
use outfall_request::{FacetPlace, SearchError};
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::index::Kind;

/// The sites of each facility, by the slot of the facility.
#[derive(Debug)]
pub(super) struct FacilitySites {
    starts: Vec<u32>,
    sites: Vec<u32>,
}

impl FacilitySites {
    /// The inverse of the slots of all sites, each below `len`.
    pub(super) fn of(slots: &[u32], len: usize) -> Self {
        let mut starts = vec![0; len + 1];
        slots.iter().for_each(|slot| starts[*slot as usize + 1] += 1);
        for slot in 0..len {
            starts[slot + 1] += starts[slot];
        }
        let mut next = starts.clone();
        let mut sites = vec![0; slots.len()];
        for (site, slot) in (0..).zip(slots) {
            let place = &mut next[*slot as usize];
            sites[*place as usize] = site;
            *place += 1;
        }
        Self { starts, sites }
    }

    fn of_slot(&self, slot: u32) -> &[u32] {
        let slot = slot as usize;
        &self.sites[self.starts[slot] as usize..self.starts[slot + 1] as usize]
    }

    /// The first document of a facility that `matches`; it is the newest, and of these the one with
    /// the lowest id.
    pub(super) fn newest(
        &self,
        kind: &Kind,
        slot: u32,
        matches: impl Fn(u32) -> bool,
    ) -> Option<u32> {
        let mut newest = None;
        for site in self.of_slot(slot) {
            let documents = kind.postings.of(*site).iter().copied();
            let mut earlier = documents.take_while(|own| newest.is_none_or(|found| *own < found));
            newest = earlier.find(|document| matches(*document)).or(newest);
        }
        newest
    }
}

/// The places of sites that were looked up, since facilities recur in the entries of a crossed
/// facet.
#[derive(Default)]
pub(super) struct Places(HashMap<u32, FacetPlace>);

impl Places {
    /// The place of a site.
    pub(super) fn of(&mut self, kind: &Kind, site: u32) -> Result<FacetPlace, SearchError> {
        if let Some(known) = self.0.get(&site) {
            return Ok(known.clone());
        }
        let place = read(kind, site).ok_or_else(|| {
            SearchError::Engine(format!("the place of site {site} cannot be read"))
        })?;
        self.0.insert(site, place.clone());
        Ok(place)
    }
}

/// The fields of a site that give its location, in the JSON that its records share.
#[derive(Deserialize)]
struct PlaceFields<'a> {
    #[serde(borrow)]
    province: Option<Cow<'a, str>>,
    #[serde(borrow)]
    city: Option<Cow<'a, str>>,
    #[serde(borrow)]
    latitude: Option<&'a RawValue>,
    #[serde(borrow)]
    longitude: Option<&'a RawValue>,
}

fn read(kind: &Kind, site: u32) -> Option<FacetPlace> {
    let of_site = |piece: &&crate::index::TemplateStep| piece.slot == RecordPart::Site;
    let mut json = vec![b'{'];
    for piece in kind.template.pieces.iter().filter(of_site) {
        let fragment = kind.site_fragments.bytes(site as usize * piece.of + piece.fragment);
        // Each begins with the comma that separates it from the one before.
        json.extend_from_slice(if json.len() == 1 { fragment.get(1..)? } else { fragment });
    }
    json.push(b'}');
    let fields: PlaceFields<'_> = serde_json::from_slice(&json).ok()?;
    let degrees = |number: Option<&RawValue>| -> Option<Option<Decimal>> {
        number.map(|number| number.get().parse().ok()).map_or(Some(None), |read| read.map(Some))
    };
    let province = match fields.province {
        Some(code) => Some(Province::of_code(&code)?),
        None => None,
    };
    Some(FacetPlace {
        province,
        city: fields.city.map(Cow::into_owned),
        latitude: degrees(fields.latitude)?,
        longitude: degrees(fields.longitude)?,
    })
}
