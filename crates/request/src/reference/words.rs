//! The words of all records of a kind.

use std::collections::BTreeSet;

use outfall_records::Record;

use crate::{Vocabulary, WordList};

/// Every word of the records of a kind, and every city.
#[derive(Debug, Default)]
pub(super) struct ReferenceWords {
    words: BTreeSet<String>,
    cities: BTreeSet<String>,
}

impl ReferenceWords {
    pub(super) fn of<'a>(records: impl Iterator<Item = &'a Record>) -> Self {
        let mut all = Self::default();
        let mut texts = BTreeSet::new();
        for record in records {
            texts.extend(record.texts().into_iter().map(|text| text.text.into_owned()));
            all.cities
                .extend(record.site().city.iter().flat_map(|city| WordList::Cities.entries(city)));
        }
        all.words.extend(texts.iter().flat_map(|text| WordList::Words.entries(text)));
        all
    }
}

impl Vocabulary for ReferenceWords {
    fn visit(&self, list: WordList, visit: &mut dyn FnMut(&str)) {
        let entries = match list {
            WordList::Words => &self.words,
            WordList::Cities => &self.cities,
        };
        entries.iter().for_each(|entry| visit(entry));
    }
}
