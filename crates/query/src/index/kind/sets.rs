//! The sets of documents that are stored as one bit each: those that a search would otherwise have
//! to assemble from tens of thousands of lists.
//!
//! A word of a province's name occurs in a third of all records. The set of each text and of each
//! token or class of tokens that a 64th of all documents have is made once, when the index is
//! built; making them when it was opened took a third of the time. Texts and words of the same
//! documents (a province, its code, its French name) share one set, which halves the size of the
//! file.

use std::collections::HashMap;

use outfall_records::{RecordKind, Unit};
use tantivy::directory::OwnedBytes;
use tantivy::schema::Field;

use crate::index::TextFields;
use crate::index::bytes::{FileDecoder, Numbers};

/// Documents, one bit each; bits past the last document are not set.
#[derive(Clone, Debug)]
pub struct StoredBitmap {
    /// The bits, the lowest first.
    pub words: Numbers<u64>,
    /// The number of documents in the set.
    pub count: usize,
}

/// The stored sets of a kind.
#[derive(Debug, Default)]
pub struct StoredSets {
    sets: Vec<StoredBitmap>,
    texts: HashMap<u32, u32>,
    words: HashMap<Field, HashMap<Box<str>, u32>>,
    units: Vec<u32>,
}

impl StoredSets {
    /// The documents of a text, if they are so many that their set is stored.
    #[must_use]
    pub fn of_text(&self, text: u32) -> Option<&StoredBitmap> {
        self.texts.get(&text).map(|set| &self.sets[*set as usize])
    }

    /// The documents with a token or a class in a field, if they are so many that their set is
    /// stored and words of the field have sets.
    #[must_use]
    pub fn of_word(&self, field: Field, word: &str) -> Option<&StoredBitmap> {
        self.words.get(&field)?.get(word).map(|set| &self.sets[*set as usize])
    }

    /// The documents of each unit; none for emissions.
    pub fn units(&self) -> impl Iterator<Item = (Unit, &StoredBitmap)> {
        Unit::ALL.into_iter().zip(self.units.iter().map(|set| &self.sets[*set as usize]))
    }
}

pub(super) fn count(words: &[u64]) -> usize {
    words.iter().map(|word| word.count_ones() as usize).sum()
}

impl StoredSets {
    /// Reads the sets that [`super::write`] wrote for a kind of that many documents; `None` if the
    /// bytes make no sense.
    pub(super) fn decode(
        file: &OwnedBytes,
        record_kind: RecordKind,
        fields: &TextFields,
        documents: usize,
    ) -> Option<Self> {
        let mut decoder = FileDecoder::new(file);
        let counts = decoder.u32s()?;
        let known = |set: u32| ((set as usize) < counts.len()).then_some(set);
        let mut stored = Self::default();
        for _ in 0..decoder.len()? {
            let text = u32::try_from(decoder.len()?).ok()?;
            stored.texts.insert(text, known(decoder.u32()?)?);
        }
        for field in fields.of_words() {
            let words = stored.words.entry(field).or_default();
            for _ in 0..decoder.len()? {
                words.insert(decoder.text()?.into(), known(decoder.u32()?)?);
            }
        }
        if record_kind.has_units() {
            for _ in Unit::ALL {
                stored.units.push(known(decoder.u32()?)?);
            }
        }
        decoder.align();
        for expected in counts.iter() {
            let words: Numbers<u64> = decoder.numbers(documents.div_ceil(64))?;
            let past_the_last = match documents % 64 {
                0 => 0,
                used => words.last()? >> used,
            };
            if past_the_last != 0 || count(&words) != *expected as usize {
                return None;
            }
            stored.sets.push(StoredBitmap { words, count: *expected as usize });
        }
        decoder.is_at_end().then_some(stored)
    }
}
