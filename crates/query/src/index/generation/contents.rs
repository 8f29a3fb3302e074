//! Checks an opened kind against its manifest. Hashes show that the bytes are those that were
//! written; this shows that they still mean the same.

use outfall_records::{Tables, TooLarge};
use serde::{Deserialize, Serialize};

use super::Manifest;
use crate::index::Kind;

/// The ends of a kind's order by id, and the sum of its amounts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Contents {
    /// The first `record_id` in byte order; empty without records.
    pub first_id: String,
    /// The last one.
    pub last_id: String,
    /// The sum of the amounts of all records, whatever their units.
    pub sum: String,
}

impl Contents {
    /// The contents of records about to be written.
    ///
    /// # Errors
    /// See [`Tables::total`].
    pub(crate) fn of_tables(tables: &Tables) -> Result<Self, TooLarge> {
        let sites = tables.sites.iter();
        let facilities: Vec<String> = sites.map(|site| format!("{}:", site.facility_id)).collect();
        let ends = [facilities.iter().min(), facilities.iter().max()];
        let of_ends: Vec<bool> = facilities.iter().map(|id| ends.contains(&Some(id))).collect();
        let is_at_an_end = |index: &usize| of_ends[tables.shared(*index).0 as usize];
        let ids = (0..tables.len()).filter(is_at_an_end).map(|index| tables.record(index));
        let mut ids: Vec<String> = ids.map(|record| record.record_id()).collect();
        ids.sort_unstable();
        Ok(Self {
            first_id: ids.first().cloned().unwrap_or_default(),
            last_id: ids.last().cloned().unwrap_or_default(),
            sum: tables.total()?.to_string(),
        })
    }

    /// The contents of an opened kind.
    pub(crate) fn of_kind(kind: &Kind) -> Self {
        let id = |document: Option<&u32>| document.map(|document| kind.record_id(*document));
        Self {
            first_id: id(kind.ids.documents.first()).unwrap_or_default(),
            last_id: id(kind.ids.documents.last()).unwrap_or_default(),
            sum: kind.amounts.total.to_string(),
        }
    }
}

/// How an opened kind differs from its manifest, if it does.
pub(crate) fn difference(kind: &Kind, manifest: &Manifest) -> Option<String> {
    let name = kind.record_kind.name();
    let (info, contents) =
        (manifest.about.dataset.kinds.get(name), manifest.about.contents.get(name));
    let (Some(info), Some(expected)) = (info, contents) else {
        return Some("the manifest does not say what it holds".to_owned());
    };
    if kind.len() as u64 != info.records {
        let (found, expected) = (kind.len(), info.records);
        return Some(format!("it holds {found} records, not the manifest's {expected}"));
    }
    let years = kind.years.iter().map(|block| (block.year, block.documents.len() as u64));
    if !years.rev().eq(info.years.iter().map(|(year, count)| (*year, *count))) {
        return Some("its years are not the manifest's".to_owned());
    }
    let found = Contents::of_kind(kind);
    [
        ("first record", &found.first_id, &expected.first_id),
        ("last record", &found.last_id, &expected.last_id),
        ("sum", &found.sum, &expected.sum),
    ]
    .into_iter()
    .find(|(_, found, expected)| found != expected)
    .map(|(what, found, expected)| {
        format!("its {what} is `{found}`, not the manifest's `{expected}`")
    })
}
