//! The sets of documents that are stored as one bit each: those that a search would have to put
//! together of ten thousands of lists.
//!
//! A word of a province's name stands in a third of all records. The set of each text and of each
//! token that a 64th of all documents have is made once, when the index is built; to make them
//! when it was opened took a third of the time. Texts and tokens of the same documents (a province,
//! its code, its French name) share one set, which halves what is stored.

use std::collections::HashMap;
use std::sync::Arc;

use outfall_records::{Entity, Unit};

use super::postings::Postings;
use super::texts::Texts;
use crate::codec::{Decoder, Encoder};
use crate::tables::{Rows, Tables};

/// A set of at least this share of all documents is stored.
const DENSE_SHARE: usize = 64;

/// Documents, one bit each; those past the last one are not set.
#[derive(Clone, Debug)]
pub struct DocumentSet {
    /// The bits, the lowest first.
    pub words: Arc<Vec<u64>>,
    /// How many are set.
    pub count: usize,
}

/// The stored sets of a kind.
#[derive(Debug, Default)]
pub struct StoredSets {
    sets: Vec<DocumentSet>,
    texts: HashMap<u32, u32>,
    tokens: HashMap<Box<str>, u32>,
    names: HashMap<Box<str>, u32>,
    units: Vec<u32>,
}

impl StoredSets {
    /// The documents of a text, if they are many.
    #[must_use]
    pub fn of_text(&self, text: u32) -> Option<&DocumentSet> {
        self.texts.get(&text).map(|set| &self.sets[*set as usize])
    }

    /// The documents with a token in any text, if they are many.
    #[must_use]
    pub fn of_token(&self, token: &str) -> Option<&DocumentSet> {
        self.tokens.get(token).map(|set| &self.sets[*set as usize])
    }

    /// The documents with a token in a name, if they are many.
    #[must_use]
    pub fn of_name_token(&self, token: &str) -> Option<&DocumentSet> {
        self.names.get(token).map(|set| &self.sets[*set as usize])
    }

    /// The documents of each unit; none for emissions.
    pub fn units(&self) -> impl Iterator<Item = (Unit, &DocumentSet)> {
        Unit::ALL.into_iter().zip(self.units.iter().map(|set| &self.sets[*set as usize]))
    }
}

/// Collects distinct sets.
struct Collector<'a> {
    postings: &'a Postings,
    documents: usize,
    numbers: HashMap<Vec<u64>, u32>,
    counts: Vec<u32>,
}

impl Collector<'_> {
    /// The number of the set of all documents of `descriptions`, if they are many.
    fn add<'d>(&mut self, descriptions: impl Iterator<Item = &'d u32> + Clone) -> Option<u32> {
        let lists = descriptions.map(|description| self.postings.of(*description));
        let least = self.documents.div_ceil(DENSE_SHARE);
        if lists.clone().map(<[u32]>::len).sum::<usize>() < least {
            return None;
        }
        let words = self.words(lists.flatten().copied());
        let is_dense = count(&words) >= least;
        is_dense.then(|| self.number(words))
    }

    fn words(&self, documents: impl Iterator<Item = u32>) -> Vec<u64> {
        let mut words = vec![0; self.documents.div_ceil(64)];
        documents.for_each(|document| words[document as usize / 64] |= 1 << (document % 64));
        words
    }

    fn number(&mut self, words: Vec<u64>) -> u32 {
        let next = self.counts.len() as u32;
        let count = count(&words) as u32;
        let number = *self.numbers.entry(words).or_insert(next);
        if number == next {
            self.counts.push(count);
        }
        number
    }
}

fn count(words: &[u64]) -> usize {
    words.iter().map(|word| word.count_ones() as usize).sum()
}

/// The file of the stored sets; [`StoredSets::decode`] reads it in this order.
pub(super) fn encode_sets(tables: &Tables, texts: &Texts, postings: &Postings) -> Vec<u8> {
    let documents = tables.len();
    let mut collector =
        Collector { postings, documents, numbers: HashMap::new(), counts: Vec::new() };
    let mut of_texts = Vec::new();
    for (text, descriptions) in texts.described.iter().enumerate() {
        if let Some(set) = collector.add(descriptions.iter()) {
            of_texts.push((text, set));
        }
    }
    let of_tokens = texts.by_token().map(|tokens| {
        let mut dense = Vec::new();
        for (token, numbers) in tokens {
            let mut descriptions: Vec<u32> = Vec::new();
            numbers.iter().for_each(|it| descriptions.extend(&texts.described[*it as usize]));
            descriptions.sort_unstable();
            descriptions.dedup();
            if let Some(set) = collector.add(descriptions.iter()) {
                dense.push((token, set));
            }
        }
        dense
    });
    let of_units = match &tables.rows {
        Rows::Release { records, .. } => Unit::ALL.map(|unit| {
            let documents = (0..).zip(records).filter(|(_, row)| row.unit == unit);
            let words = collector.words(documents.map(|(document, _)| document));
            collector.number(words)
        }),
        Rows::Emission { .. } => Default::default(),
    };

    let mut encoder = Encoder::default();
    encoder.u32s(&collector.counts);
    encoder.len(of_texts.len());
    for (text, set) in of_texts {
        encoder.len(text);
        encoder.u32(set);
    }
    for dense in of_tokens {
        encoder.len(dense.len());
        for (token, set) in dense {
            encoder.text(&token);
            encoder.u32(set);
        }
    }
    if tables.entity() == Entity::Release {
        of_units.iter().for_each(|set| encoder.u32(*set));
    }
    let mut sets: Vec<(Vec<u64>, u32)> = collector.numbers.into_iter().collect();
    sets.sort_unstable_by_key(|(_, number)| *number);
    sets.iter().for_each(|(words, _)| encoder.u64s(words));
    encoder.bytes
}

impl StoredSets {
    /// Reads the sets of a kind with that many documents; `None` when the bytes mean nothing.
    pub(super) fn decode(bytes: &[u8], entity: Entity, documents: usize) -> Option<Self> {
        let mut decoder = Decoder::new(bytes);
        let counts = decoder.u32s()?;
        let known = |set: u32| ((set as usize) < counts.len()).then_some(set);
        let mut stored = Self::default();
        for _ in 0..decoder.len()? {
            let text = u32::try_from(decoder.len()?).ok()?;
            stored.texts.insert(text, known(decoder.u32()?)?);
        }
        for tokens in [&mut stored.tokens, &mut stored.names] {
            for _ in 0..decoder.len()? {
                tokens.insert(decoder.text()?.into(), known(decoder.u32()?)?);
            }
        }
        if entity == Entity::Release {
            for _ in Unit::ALL {
                stored.units.push(known(decoder.u32()?)?);
            }
        }
        for expected in &counts {
            let words = decoder.u64s(documents.div_ceil(64))?;
            let past_the_last = match documents % 64 {
                0 => 0,
                used => words.last()? >> used,
            };
            if past_the_last != 0 || count(&words) != *expected as usize {
                return None;
            }
            stored.sets.push(DocumentSet { words: Arc::new(words), count: *expected as usize });
        }
        decoder.is_at_end().then_some(stored)
    }
}
