//! Documents tallied together, part after part while they and their amounts are in the cache.

use outfall_records::{Amount, Unit};

use crate::index::Amounts;
use crate::search::sets::Members;

/// The most documents of a batch.
const BATCH: usize = 1024;

/// Some documents in increasing order.
#[derive(Debug)]
pub(super) struct Batch {
    /// How many of the places of the lists are in use.
    len: usize,
    documents: Vec<u32>,
    amounts: Vec<Amount>,
}

impl Batch {
    fn empty() -> Self {
        Self { len: 0, documents: vec![0; BATCH], amounts: vec![Amount::ZERO; BATCH] }
    }

    pub(super) const fn len(&self) -> usize {
        self.len
    }

    pub(super) fn documents(&self) -> &[u32] {
        &self.documents[..self.len]
    }

    /// What each adds to its sum.
    pub(super) fn amounts(&self) -> &[Amount] {
        &self.amounts[..self.len]
    }
}

/// Some documents, those in `g TEQ` apart.
#[derive(Debug)]
pub(super) struct Batches {
    pub(super) plain: Batch,
    pub(super) teq: Batch,
    /// All of them, as they were taken from the set.
    taken: Vec<u32>,
}

impl Default for Batches {
    fn default() -> Self {
        Self { plain: Batch::empty(), teq: Batch::empty(), taken: vec![0; BATCH] }
    }
}

impl Batches {
    /// Replaces the documents with the next ones of a set; `false` if there are none.
    pub(super) fn fill(&mut self, amounts: &Amounts, members: &mut Members<'_>) -> bool {
        let Self { plain, teq, taken } = self;
        let count = members.take_into(taken);
        let (mut kept, mut apart) = (0, 0);
        for document in &taken[..count] {
            let amount = amounts.of_document(*document);
            // Those in `g TEQ` are few: the next document takes their place.
            (plain.documents[kept], plain.amounts[kept]) = (*document, amount);
            if amounts.unit(*document) == Unit::GramsTeq {
                (teq.documents[apart], teq.amounts[apart]) = (*document, amount);
                apart += 1;
            } else {
                kept += 1;
            }
        }
        (plain.len, teq.len) = (kept, apart);
        count > 0
    }
}
