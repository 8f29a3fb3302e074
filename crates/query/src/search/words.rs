//! The words of a kind, from which suggestions for a word that occurs nowhere are chosen.

use outfall_request::{Vocabulary, WordList};

use crate::search::index::KindIndex;

impl Vocabulary for KindIndex {
    fn visit(&self, list: WordList, visit: &mut dyn FnMut(&str)) {
        let entries = match list {
            WordList::Words => &self.words,
            WordList::Cities => &self.cities,
        };
        (0..entries.len()).for_each(|entry| visit(entries.get(entry)));
    }
}
