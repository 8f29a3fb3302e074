//! What changed from one edition to the next: the list of it, and a summary.

mod built;
mod list;
mod summary;

use std::cell::Cell;
use std::io;

use outfall_records::{PerKind, RecordKind};
use outfall_request::{Change, Edition, EditionRecords, compare};

use crate::Progress;

pub(crate) use built::list_changes;
pub use list::{ChangeList, ChangeListError, read_changes};
pub use summary::{ChangeSummary, Compared, EditCounts, KindChanges, Restatement};

/// How many records are compared between two signs of progress.
const RECORDS_PER_SIGN: u64 = 1 << 16;

/// Why two editions were not compared to the end.
#[derive(Debug, thiserror::Error)]
pub enum CompareError<E> {
    /// The records of an edition cannot be read.
    #[error(transparent)]
    Edition(E),
    /// A change could not be listed.
    #[error("cannot write the list of changes: {0}")]
    List(io::Error),
}

/// Compares the records of two editions, which are in canonical order, and hands every change to
/// `on_change`: releases before emissions, each kind in canonical order.
///
/// # Errors
/// See [`CompareError`].
pub fn compare_editions<E>(
    old: Edition<'_, E>,
    new: PerKind<EditionRecords<'_, E>>,
    mut on_change: impl FnMut(&Change) -> csv::Result<()>,
    progress: &dyn Progress,
) -> Result<ChangeSummary, CompareError<E>> {
    progress.begin(&format!("comparing with {}", old.name), None);
    let mut summary = ChangeSummary::since(old.name);
    let mut on_change = |change: Change| -> Result<(), CompareError<E>> {
        on_change(&change).map_err(|error| CompareError::List(error.into()))?;
        summary.add(change);
        Ok(())
    };
    let compared = Cell::new(0_u64);
    let count = || {
        compared.set(compared.get() + 1);
        if compared.get().is_multiple_of(RECORDS_PER_SIGN) {
            progress.advance(0, compared.get());
        }
    };
    let mut compare = |kind, old: EditionRecords<'_, E>, new: EditionRecords<'_, E>| {
        let old = old.inspect(|_| count()).map(|record| record.map_err(CompareError::Edition));
        let new = new.map(|record| record.map_err(CompareError::Edition));
        compare(kind, old, new, &mut on_change)
    };
    let done = compare(RecordKind::Release, old.records.releases, new.releases)
        .and_then(|()| compare(RecordKind::Emission, old.records.emissions, new.emissions));
    progress.advance(0, compared.get());
    progress.end();
    done.map(|()| summary)
}
