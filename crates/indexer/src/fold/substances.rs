//! Finds the substance of each id and pair of names, damaged ids included.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use outfall_records::SubstanceId;
use outfall_records::text::fold;

use crate::read::{ReleaseSubstance, SubstanceText};

/// The ids of substances as rows show them, by number.
pub(crate) struct ResolvedSubstances {
    /// `None` if a damaged id cannot be recovered.
    pub(crate) ids: Vec<Option<SubstanceId>>,
    /// Every name that each id has had.
    pub(crate) names: BTreeMap<SubstanceId, Vec<String>>,
}

impl ResolvedSubstances {
    /// Resolves `substances`; only those `used` by an accepted row count as evidence.
    pub(crate) fn of(substances: &[Arc<ReleaseSubstance>], used: &[bool]) -> Self {
        let mut known: BTreeMap<&SubstanceId, BTreeSet<String>> = BTreeMap::new();
        for (substance, is_used) in substances.iter().zip(used) {
            if let (SubstanceText::Id(id), true) = (&substance.id, is_used) {
                known.entry(id).or_default().extend(names(substance).map(|name| fold(name)));
            }
        }
        let ids: Vec<Option<SubstanceId>> = substances
            .iter()
            .map(|substance| match &substance.id {
                SubstanceText::Id(id) => Some(id.clone()),
                SubstanceText::Date { first_group, others, .. } => {
                    recover(*first_group, *others, substance, &known)
                }
            })
            .collect();
        let mut all: BTreeMap<SubstanceId, Vec<String>> = BTreeMap::new();
        for ((substance, id), is_used) in substances.iter().zip(&ids).zip(used) {
            let (Some(id), true) = (id, is_used) else {
                continue;
            };
            let known = all.entry(id.clone()).or_default();
            for name in names(substance) {
                if !known.contains(name) {
                    known.push(name.clone());
                }
            }
        }
        Self { ids, names: all }
    }
}

fn names(substance: &ReleaseSubstance) -> impl Iterator<Item = &String> {
    substance.name_en.iter().chain(&substance.name_fr)
}

/// The one known substance with these digits, whichever order a spreadsheet put them in, and with
/// one of these names.
fn recover(
    first_group: u32,
    others: [u8; 2],
    substance: &ReleaseSubstance,
    known: &BTreeMap<&SubstanceId, BTreeSet<String>>,
) -> Option<SubstanceId> {
    let [a, b] = others.map(u32::from);
    let candidates: BTreeSet<SubstanceId> = [(a, b), (b, a)]
        .into_iter()
        .filter_map(|(second, third)| SubstanceId::from_cas_groups(first_group, second, third))
        .filter(|id| {
            let is_named =
                |known: &BTreeSet<String>| names(substance).any(|name| known.contains(&fold(name)));
            known.get(id).is_some_and(is_named)
        })
        .collect();
    let mut candidates = candidates.into_iter();
    match (candidates.next(), candidates.next()) {
        (Some(only), None) => Some(only),
        _ => None,
    }
}
