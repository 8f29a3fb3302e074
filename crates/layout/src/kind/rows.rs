//! The index of rows: every record as the numbers of its descriptions, in canonical order.

use std::collections::BTreeMap;
use std::iter::{self, Repeat, Zip};
use std::slice;

use tantivy::schema::{Document, Field, IndexRecordOption};
use tantivy::{DocSet, TERMINATED, TantivyError};

use super::descriptions::Descriptions;
use super::postings::Postings;
use crate::engine::{self, EngineWriter};
use crate::schema::row_schema;
use crate::tables::Tables;

/// The files of the index of rows.
pub(super) fn write_rows(
    tables: &Tables,
    descriptions: &Descriptions,
) -> Result<BTreeMap<String, Vec<u8>>, TantivyError> {
    let (schema, field) = row_schema();
    let mut writer = EngineWriter::new(schema)?;
    let sites = tables.sites.len() as u64;
    let media = sites + tables.substances() as u64;
    for (index, site) in descriptions.site_of.iter().enumerate() {
        let mut row = RowDocument { field, descriptions: [u64::from(*site), 0, 0], len: 1 };
        if let (Some(substance), Some(all)) =
            (descriptions.substance_of.get(index), descriptions.media_of.get(index))
        {
            row.descriptions[1] = sites + u64::from(*substance);
            row.descriptions[2] = media + u64::from(*all);
            row.len = 3;
        }
        writer.add(row)?;
    }
    writer.finish()
}

/// The numbers of a row's descriptions, of which the first `len` count. There are as many of these
/// documents as records, so that none of them allocates.
struct RowDocument {
    field: Field,
    descriptions: [u64; 3],
    len: usize,
}

impl Document for RowDocument {
    type Value<'a> = &'a u64;
    type FieldsValuesIter<'a> = Zip<Repeat<Field>, slice::Iter<'a, u64>>;

    fn iter_fields_and_values(&self) -> Self::FieldsValuesIter<'_> {
        iter::repeat(self.field).zip(&self.descriptions[..self.len])
    }
}

/// Decodes the index of rows once, so that no search has to: the documents of each description.
pub(super) fn open_rows(files: BTreeMap<String, Vec<u8>>) -> Result<Postings, TantivyError> {
    let (schema, field) = row_schema();
    let searcher = engine::open(files, &schema)?;
    let mut postings = Postings::default();
    for segment in searcher.segment_readers() {
        let inverted = segment.inverted_index(field)?;
        let mut terms = inverted.terms().stream()?;
        while let Some((term, info)) = terms.next() {
            // Terms are big-endian numbers, so they come in the order of the descriptions.
            let number = term.iter().fold(0_u64, |number, byte| number << 8 | u64::from(*byte));
            postings.resize(number as usize);
            let mut documents =
                inverted.read_postings_from_terminfo(info, IndexRecordOption::Basic)?;
            postings.push(iter::from_fn(|| {
                let document = documents.doc();
                documents.advance();
                (document != TERMINATED).then_some(document)
            }));
        }
    }
    Ok(postings)
}
