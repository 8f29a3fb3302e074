//! The words of a kind, among which a word that occurs nowhere has its neighbours.

use outfall_request::{SearchError, Vocabulary, WordList};

use crate::search::index::KindIndex;

impl Vocabulary for KindIndex {
    /// All of them: some tens of thousands are compared within a millisecond.
    fn visit_near(
        &self,
        list: WordList,
        _word: &str,
        _distance: usize,
        visit: &mut dyn FnMut(&str),
    ) -> Result<(), SearchError> {
        let entries = match list {
            WordList::Words => &self.words,
            WordList::Cities => &self.cities,
        };
        (0..entries.len()).for_each(|entry| visit(entries.get(entry)));
        Ok(())
    }
}
