//! Makes the stored sets, each distinct one once.

use std::iter;

use outfall_records::{RecordTable, Tables, Unit};
use rayon::iter::{
    IndexedParallelIterator, IntoParallelIterator, IntoParallelRefIterator, ParallelIterator,
};
use rustc_hash::FxHashMap;

use super::Pieces;
use super::texts::TextTable;
use crate::index::bytes::{Encoder, numbered};
use crate::index::kind::postings::Postings;
use crate::index::kind::sets::count;

/// A set is stored if it holds at least one document in this many.
const DENSE_SHARE: usize = 64;
/// Sets made before equal ones are merged: enough for every core, and some megabytes.
const AT_ONCE: usize = 64;

/// Collects distinct sets.
struct Collector<'a> {
    postings: &'a Postings,
    documents: usize,
    /// The number of the set of some dimensions; `None` if it is not stored.
    known: FxHashMap<Vec<u32>, Option<u32>>,
    numbers: FxHashMap<Vec<u64>, u32>,
    counts: Vec<u32>,
}

impl Collector<'_> {
    /// Adds a set for each item whose dimensions together have many documents; returns these items
    /// with the numbers of their sets.
    fn add<T: Send + Sync, D: AsRef<[u32]> + Send + Sync>(
        &mut self,
        described: impl ParallelIterator<Item = (T, D)>,
    ) -> Vec<(T, u32)> {
        let candidates: Vec<_> =
            described.filter(|(_, of)| self.may_be_dense(of.as_ref())).collect();
        let mut new = Vec::new();
        for (_, of) in &candidates {
            let of = of.as_ref();
            if !self.known.contains_key(of) {
                self.known.insert(of.to_vec(), None);
                new.push(of);
            }
        }
        for new in new.chunks(AT_ONCE) {
            let sets: Vec<_> = new.par_iter().map(|of| self.dense_set(of)).collect();
            for (of, set) in new.iter().zip(sets) {
                let number = set.map(|set| self.number(set));
                self.known.insert(of.to_vec(), number);
            }
        }
        let number = |of: &[u32]| self.known.get(of).copied().flatten();
        candidates.into_iter().filter_map(|(key, of)| Some((key, number(of.as_ref())?))).collect()
    }

    /// The fewest documents of a stored set.
    const fn least(&self) -> usize {
        self.documents.div_ceil(DENSE_SHARE)
    }

    fn may_be_dense(&self, dimensions: &[u32]) -> bool {
        let lengths = dimensions.iter().map(|number| self.postings.of(*number).len());
        lengths.sum::<usize>() >= self.least()
    }

    fn dense_set(&self, dimensions: &[u32]) -> Option<Vec<u64>> {
        let documents = dimensions.iter().flat_map(|number| self.postings.of(*number));
        let words = self.words(documents.copied());
        (count(&words) >= self.least()).then_some(words)
    }

    fn words(&self, documents: impl Iterator<Item = u32>) -> Vec<u64> {
        let mut words = vec![0; self.documents.div_ceil(64)];
        documents.for_each(|document| words[document as usize / 64] |= 1 << (document % 64));
        words
    }

    fn number(&mut self, words: Vec<u64>) -> u32 {
        let next = numbered(self.counts.len());
        let count = numbered(count(&words));
        let number = *self.numbers.entry(words).or_insert(next);
        if number == next {
            self.counts.push(count);
        }
        number
    }
}

/// The file of the stored sets; [`crate::index::StoredSets`] reads it in this order.
pub(super) fn encode_sets(tables: &Tables, texts: &TextTable, postings: &Postings) -> Pieces {
    let documents = tables.len();
    let (known, numbers) = (FxHashMap::default(), FxHashMap::default());
    let mut collector = Collector { postings, documents, known, numbers, counts: Vec::new() };
    let of_texts = collector.add(texts.described.par_iter().enumerate());
    let of_words = texts.by_word().map(|words| {
        let described = words.into_par_iter();
        collector.add(described.map(|(word, texts_with)| (word, texts.describing(&texts_with))))
    });
    let of_units = match &tables.rows {
        RecordTable::Release { records, .. } => Unit::ALL.map(|unit| {
            let documents = (0..).zip(records).filter(|(_, row)| row.unit == unit);
            let words = collector.words(documents.map(|(document, _)| document));
            collector.number(words)
        }),
        RecordTable::Emission { .. } => Default::default(),
    };

    let mut encoder = Encoder::default();
    encoder.u32s(&collector.counts);
    encoder.len(of_texts.len());
    for (text, set) in of_texts {
        encoder.len(text);
        encoder.u32(set);
    }
    for dense in of_words {
        encoder.len(dense.len());
        for (word, set) in dense {
            encoder.text(&word);
            encoder.u32(set);
        }
    }
    if tables.record_kind().has_units() {
        of_units.iter().for_each(|set| encoder.u32(*set));
    }
    encoder.align();
    let mut sets: Vec<(Vec<u64>, u32)> = collector.numbers.into_iter().collect();
    sets.sort_unstable_by_key(|(_, number)| *number);
    // Each is freed as soon as its bytes are made: together they are half of the index.
    let bytes = sets.into_iter().map(|(words, _)| {
        let mut encoder = Encoder::default();
        encoder.u64s(&words);
        encoder.bytes
    });
    iter::once(encoder.bytes).chain(bytes).collect()
}
