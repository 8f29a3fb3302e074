//! The documents that have any of several words, phrases and keywords.
//!
//! A word or text of many documents has a stored set; for the others, dimensions list their
//! documents. A few lists are merged; many are put into a bitset, which costs a nanosecond a
//! document where sorting costs twenty.

use outfall_request::SearchError;
use outfall_request::text::{Sought, TextUnit};
use tantivy::schema::Field;

use crate::index::{StoredBitmap, UnitFields};
use crate::search::deadline::Deadline;
use crate::search::index::KindIndex;
use crate::search::sets::{Bits, DocSet};
use crate::search::texts::{with_term, with_tokens};

/// Once the lists hold one document in this many, they go into a bitset instead of being sorted.
const SORTED_SHARE: usize = 1024;

/// Alternatives as they are found.
pub(crate) struct Union<'a> {
    kind: &'a KindIndex,
    deadline: &'a Deadline,
    /// The union of the stored sets.
    stored: Option<Bits>,
    dimensions: Vec<u32>,
}

impl<'a> Union<'a> {
    pub(crate) const fn new(kind: &'a KindIndex, deadline: &'a Deadline) -> Self {
        Self { kind, deadline, stored: None, dimensions: Vec::new() }
    }

    /// Adds the documents that hold a unit within one text of the fields, or whose substance it
    /// abbreviates, whether or not it is excluded.
    pub(crate) fn add_unit(
        &mut self,
        fields: UnitFields,
        unit: &TextUnit,
    ) -> Result<(), SearchError> {
        match unit.pattern.sought() {
            Sought::Class(class) => self.add_term(fields.classes, &class)?,
            Sought::InARow([token]) => self.add_term(fields.tokens, token)?,
            Sought::InARow(tokens) => self.add_in_a_row(fields.tokens, tokens)?,
        }
        for substance in unit.pattern.abbreviation.iter().flat_map(|known| known.substances) {
            self.add_term(self.kind.fields.substance, substance)?;
        }
        Ok(())
    }

    /// Adds the documents that hold `tokens` in a row within one text of a field.
    pub(crate) fn add_in_a_row(
        &mut self,
        field: Field,
        tokens: &[String],
    ) -> Result<(), SearchError> {
        let Self { kind, deadline, .. } = *self;
        with_tokens(kind, field, tokens, deadline, |text| self.add_text(text))
    }

    /// Adds the documents of a word, or of a value that a filter compares whole.
    pub(crate) fn add_term(&mut self, field: Field, term: &str) -> Result<(), SearchError> {
        match self.kind.sets.of_word(field, term) {
            Some(set) => self.add_set(set),
            None => with_term(self.kind, field, term, self.deadline, |text| self.add_text(text)),
        }
    }

    fn add_text(&mut self, text: u32) -> Result<(), SearchError> {
        match self.kind.sets.of_text(text) {
            Some(set) => self.add_set(set),
            None => {
                self.dimensions.extend_from_slice(self.kind.described.of(text));
                Ok(())
            }
        }
    }

    pub(crate) fn add_dimensions(&mut self, dimensions: Vec<u32>) {
        self.dimensions.extend(dimensions);
    }

    fn add_set(&mut self, set: &StoredBitmap) -> Result<(), SearchError> {
        self.deadline.spend(set.words.len() / 16)?;
        let set = Bits::stored(set);
        self.stored = Some(match self.stored.take() {
            Some(stored) => stored.or(&set),
            None => set,
        });
        Ok(())
    }

    /// The documents of everything added.
    pub(crate) fn finish(self) -> Result<DocSet, SearchError> {
        let Self { kind, deadline, stored, mut dimensions } = self;
        dimensions.sort_unstable();
        dimensions.dedup();
        let lists = || dimensions.iter().map(|dimension| kind.postings.of(*dimension));
        let total: usize = lists().map(<[u32]>::len).sum();
        if stored.is_none() && (dimensions.len() <= 1 || total < kind.len() / SORTED_SHARE) {
            let mut documents = Vec::with_capacity(total);
            lists().for_each(|list| documents.extend_from_slice(list));
            if dimensions.len() > 1 {
                documents.sort_unstable();
                documents.dedup();
            }
            return Ok(DocSet::List(documents));
        }
        if total == 0 {
            return Ok(stored.map_or(DocSet::NONE, DocSet::Bits));
        }
        let mut bits = stored.unwrap_or_else(|| Bits::none(kind.len()));
        for list in lists() {
            deadline.spend(list.len() + 1)?;
            bits.insert(list.iter().copied());
        }
        Ok(DocSet::Bits(bits))
    }
}
