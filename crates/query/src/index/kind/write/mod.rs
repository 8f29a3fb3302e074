//! Encodes the index of one kind.

mod dimensions;
mod set_writer;
mod shared_json;
mod texts;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use outfall_records::{Category, RecordTable, Tables};
use outfall_request::WordList;
use serde_json::Value;

use self::dimensions::Dimensions;
use self::set_writer::encode_sets;
use self::shared_json::SharedJson;
use self::texts::TextTable;
use super::coordinates::encode_coordinates;
use super::labels::encode_labels;
use super::postings::Postings;
use super::{SETS, TABLES, TEXTS};
use crate::index::IndexError;
use crate::index::bytes::{Encoder, StringsMut, numbered};
use crate::index::order::{IdOrder, ValueOrder};
use crate::index::record::{encode_emission, encode_release, of_category};

/// The index of one kind, to be written by [`crate::index::Staging::write_kind`].
#[derive(Debug)]
pub struct EncodedKind {
    /// Every file, by its path below the kind's folder.
    pub(crate) files: BTreeMap<String, Pieces>,
}

/// The bytes of a file, cut so that no large piece has to be copied to join the others. In a file
/// with lists of numbers, the length of each piece is a multiple of eight bytes.
pub(crate) type Pieces = Vec<Vec<u8>>;

/// Makes the index of one kind from its records, on every core.
///
/// # Errors
/// [`IndexError::Engine`], [`IndexError::TooLarge`], [`IndexError::TooMany`].
pub fn encode(tables: &Tables) -> Result<EncodedKind, IndexError> {
    refuse_more_than_numbers(tables, "records", tables.len())?;
    let (shared, own) = rayon::join(|| encode_shared(tables), || encode_own(tables));
    let (mut encoded, mut own) = (shared?, own?);
    // Both parts share a file, in which what records share comes first, as `Kind::open` reads it.
    encoded.files.entry(TABLES.to_owned()).or_default().append(&mut own);
    Ok(encoded)
}

/// Everything that follows from what records share: the index of texts, the stored sets, and the
/// first pieces of the tables.
fn encode_shared(tables: &Tables) -> Result<EncodedKind, IndexError> {
    let dimensions = Dimensions::of(tables);
    let texts = TextTable::of(tables, &dimensions);
    let encode_sets = || encode_sets(tables, &texts, &dimensions.postings(tables));
    let ((sets, indexed), shared) = rayon::join(
        || rayon::join(encode_sets, || texts.write()),
        || encode_dimensions(tables, &dimensions, &texts),
    );
    let mut files = BTreeMap::from([(TABLES.to_owned(), shared), (SETS.to_owned(), sets)]);
    let indexed = indexed.map_err(|error| IndexError::engine(TEXTS, &error))?;
    let named = |(name, bytes)| (format!("{TEXTS}/{name}"), vec![bytes]);
    files.extend(indexed.into_iter().map(named));
    Ok(EncodedKind { files })
}

#[expect(clippy::expect_used, reason = "a template of texts and numbers always serialises")]
fn encode_dimensions(tables: &Tables, dimensions: &Dimensions, texts: &TextTable) -> Pieces {
    let mut encoder = Encoder::default();
    encoder.len(tables.len());
    let json = SharedJson::of(tables);
    let template = serde_json::to_string(&json.template);
    encoder.text(&template.expect("texts and numbers"));
    encoder.len(dimensions.years.len());
    for (year, count) in &dimensions.years {
        encoder.len(usize::from(year.get()));
        encoder.u32(*count);
    }
    let ids: Vec<String> = tables.sites.iter().map(|site| site.facility_id.to_string()).collect();
    ids.iter().map(String::as_str).collect::<StringsMut>().encode(&mut encoder);
    // The texts of sites are the bulk of it.
    let mut pieces = Vec::from(json.sites.into_pieces(encoder));
    let mut encoder = Encoder::default();
    if let RecordTable::Release { substances, categories, methods, .. } = &tables.rows {
        let ids = substances.iter().map(|substance| substance.id.as_str());
        ids.collect::<StringsMut>().encode(&mut encoder);
        json.substances.encode(&mut encoder);
        json.media.encode(&mut encoder);
        encode_breakdown_texts(categories, methods, &mut encoder);
        encoder.len(dimensions.media.len());
        dimensions.media.iter().for_each(|(medium, _)| encoder.u8(*medium as u8));
    }
    encode_labels(tables, &mut encoder);
    let cities = tables.sites.iter().filter_map(|site| site.city.as_deref());
    encode_words(WordList::Words, texts.searched(), &mut encoder);
    encode_words(WordList::Cities, cities, &mut encoder);
    encode_coordinates(&tables.sites, &mut encoder);
    Postings::of_lists(&texts.described).encode(&mut encoder);
    encoder.column(&dimensions.site_of);
    encoder.column(&dimensions.substance_of);
    encoder.column(&dimensions.media_of);
    pieces.push(encoder.bytes);
    pieces
}

/// The entries of a list that some texts have, each once.
fn encode_words<'a>(list: WordList, texts: impl Iterator<Item = &'a str>, encoder: &mut Encoder) {
    let entries: BTreeSet<String> = texts.flat_map(|text| list.entries(text)).collect();
    entries.iter().map(String::as_str).collect::<StringsMut>().encode(encoder);
}

fn encode_breakdown_texts(
    categories: &[Arc<Category>],
    methods: &[Arc<str>],
    encoder: &mut Encoder,
) {
    let mut texts = StringsMut::default();
    categories.iter().for_each(|category| texts.push(&of_category(category)));
    texts.encode(encoder);
    let mut texts = StringsMut::default();
    methods.iter().for_each(|method| texts.push(&Value::from(&**method).to_string()));
    texts.encode(encoder);
}

/// Encodes what is each record's own: its values, and its place in every order.
fn encode_own(tables: &Tables) -> Result<Pieces, IndexError> {
    let (rows, orders) = rayon::join(
        || encode_rows(tables),
        || {
            let ids = IdOrder::of(tables);
            let mut orders = vec![ids.encode()];
            orders.extend(ValueOrder::encode_all(tables, &ids)?);
            Ok::<_, IndexError>(orders)
        },
    );
    let mut pieces = rows?;
    pieces.extend(orders?);
    Ok(pieces)
}

fn refuse_more_than_numbers(
    tables: &Tables,
    what: &'static str,
    count: usize,
) -> Result<(), IndexError> {
    let kind = tables.record_kind().name();
    match u32::try_from(count) {
        Ok(_) => Ok(()),
        Err(_) => Err(IndexError::TooMany { kind, what, count }),
    }
}

fn encode_rows(tables: &Tables) -> Result<Pieces, IndexError> {
    let mut rows = Encoder::default();
    let mut ends = Vec::with_capacity(tables.len());
    for index in 0..tables.len() {
        match &tables.rows {
            RecordTable::Release { records, .. } => {
                encode_release(&records[index], tables.parts(index), &mut rows);
            }
            RecordTable::Emission { records } => encode_emission(&records[index], &mut rows),
        }
        ends.push(numbered(rows.bytes.len()));
    }
    refuse_more_than_numbers(tables, "bytes of values", rows.bytes.len())?;
    let mut lengths = Encoder::default();
    lengths.u32s(&ends);
    lengths.len(rows.bytes.len());
    lengths.align();
    rows.align();
    Ok(vec![lengths.bytes, rows.bytes])
}
