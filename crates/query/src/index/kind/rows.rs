//! The index of rows: every record as the numbers of its dimensions, in canonical order.

use std::collections::BTreeMap;
use std::iter::{self, Repeat, Zip};
use std::slice;

use outfall_records::Entity;
use tantivy::TantivyError;
use tantivy::directory::OwnedBytes;
use tantivy::postings::BlockSegmentPostings;
use tantivy::schema::{Document, Field};

use super::dimensions::Dimensions;
use super::postings::PostingsMut;
use crate::index::engine::{self, EngineWriter};
use crate::index::schema::row_schema;
use crate::index::tables::Tables;

/// The files of the index of rows.
pub(super) fn write_rows(
    tables: &Tables,
    dimensions: &Dimensions,
) -> Result<BTreeMap<String, Vec<u8>>, TantivyError> {
    let (schema, field) = row_schema();
    let mut writer = EngineWriter::new(schema)?;
    let sites = tables.sites.len() as u64;
    let media = sites + tables.substances() as u64;
    for (index, site) in dimensions.site_of.iter().enumerate() {
        let mut row = RowDocument { field, dimensions: [u64::from(*site), 0, 0], len: 1 };
        if let (Some(substance), Some(all)) =
            (dimensions.substance_of.get(index), dimensions.media_of.get(index))
        {
            row.dimensions[1] = sites + u64::from(*substance);
            row.dimensions[2] = media + u64::from(*all);
            row.len = 3;
        }
        writer.add(row)?;
    }
    writer.finish()
}

/// The numbers of a row's dimensions, of which the first `len` count. There are as many of these
/// documents as records, so that none of them allocates.
struct RowDocument {
    field: Field,
    dimensions: [u64; 3],
    len: usize,
}

impl Document for RowDocument {
    type Value<'a> = &'a u64;
    type FieldsValuesIter<'a> = Zip<Repeat<Field>, slice::Iter<'a, u64>>;

    fn iter_fields_and_values(&self) -> Self::FieldsValuesIter<'_> {
        iter::repeat(self.field).zip(&self.dimensions[..self.len])
    }
}

/// How many dimensions a record of a kind has in the index of rows.
const fn columns(entity: Entity) -> usize {
    match entity {
        Entity::Release => 3,
        Entity::Emission => 1,
    }
}

/// Decodes the index of rows once, so that no search has to: the documents of each of so many
/// dimensions, with room for those of the years. `None` when it is not the index of that many
/// rows.
pub(super) fn read_rows(
    files: BTreeMap<String, OwnedBytes>,
    entity: Entity,
    documents: usize,
    dimensions: usize,
) -> Result<Option<PostingsMut>, TantivyError> {
    let (schema, field) = row_schema();
    let searcher = engine::open(files, &schema)?;
    // Those of the years are all documents once more.
    let mut postings = PostingsMut::with_room(documents * (columns(entity) + 1));
    for segment in searcher.segment_readers() {
        let inverted = segment.inverted_index(field)?;
        let mut block = BlockSegmentPostings::empty();
        let mut terms = inverted.terms().stream()?;
        while let Some((term, info)) = terms.next() {
            // Terms are big-endian numbers, so they come in the order of the dimensions.
            let number = term.iter().fold(0_u64, |number, byte| number << 8 | u64::from(*byte));
            if number >= dimensions as u64 {
                return Ok(None);
            }
            postings.resize(number as usize);
            inverted.reset_block_postings_from_terminfo(info, &mut block)?;
            while !block.docs().is_empty() {
                if postings.extend(block.docs()).is_none() {
                    return Ok(None);
                }
                block.advance();
            }
            postings.end_list();
        }
    }
    postings.resize(dimensions);
    Ok(Some(postings))
}
