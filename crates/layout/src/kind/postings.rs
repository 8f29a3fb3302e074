//! The documents of each description, decoded from the index of rows when it is opened.

use std::collections::BTreeMap;
use std::ops::Range;

use tantivy::schema::IndexRecordOption;
use tantivy::{DocSet, TERMINATED, TantivyError};

use crate::engine;
use crate::schema::row_schema;

/// The documents of each description, in order: sites, substances, media, years.
#[derive(Debug, Default)]
pub struct Postings {
    starts: Vec<u32>,
    documents: Vec<u32>,
}

impl Postings {
    /// The documents of a description, in order.
    ///
    /// # Panics
    /// When there is no such description.
    #[must_use]
    pub fn of(&self, description: u32) -> &[u32] {
        let description = description as usize;
        &self.documents[self.starts[description] as usize..self.starts[description + 1] as usize]
    }

    pub(super) const fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Gives the descriptions below `len` that no document has their empty lists.
    pub(super) fn resize(&mut self, len: usize) {
        while self.len() < len {
            self.starts.push(self.documents.len() as u32);
        }
    }

    pub(super) fn push(&mut self, documents: Range<u32>) {
        self.documents.extend(documents);
        self.starts.push(self.documents.len() as u32);
    }

    /// For each document, which of `descriptions` it has; `None` unless it has exactly one.
    pub(super) fn column(&self, descriptions: Range<usize>, len: usize) -> Option<Vec<u32>> {
        let mut column = vec![u32::MAX; len];
        let mut filled = 0;
        for (place, description) in descriptions.enumerate() {
            for document in self.of(description as u32) {
                *column.get_mut(*document as usize)? = place as u32;
                filled += 1;
            }
        }
        (filled == len && !column.contains(&u32::MAX)).then_some(column)
    }
}

/// Decodes the index of rows once, so that no search has to.
pub(super) fn open_rows(files: BTreeMap<String, Vec<u8>>) -> Result<Postings, TantivyError> {
    let (schema, field) = row_schema();
    let searcher = engine::open(files, &schema)?;
    let mut postings = Postings { starts: vec![0], documents: Vec::new() };
    for segment in searcher.segment_readers() {
        let inverted = segment.inverted_index(field)?;
        let mut terms = inverted.terms().stream()?;
        while let Some((term, info)) = terms.next() {
            // Terms are big-endian numbers, so they come in the order of the descriptions.
            let number = term.iter().fold(0_u64, |number, byte| number << 8 | u64::from(*byte));
            postings.resize(number as usize);
            let mut documents =
                inverted.read_postings_from_terminfo(info, IndexRecordOption::Basic)?;
            while documents.doc() != TERMINATED {
                postings.documents.push(documents.doc());
                documents.advance();
            }
            postings.starts.push(postings.documents.len() as u32);
        }
    }
    Ok(postings)
}
