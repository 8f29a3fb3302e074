//! Reading the index of one kind into memory.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::io::Write;
use std::ops::Range;

use outfall_records::{Entity, Medium};
use tantivy::{Searcher, TantivyError};

use super::postings::Postings;
use super::rows::open_rows;
use super::sets::StoredSets;
use super::{ROWS, SETS, TABLES, TEXTS};
use crate::codec::Decoder;
use crate::engine;
use crate::fragments::Template;
use crate::order::{Compared, IdOrder, ValueOrder};
use crate::schema::{TextFields, text_schema};
use crate::{LayoutError, Strings};

/// The index of one kind in memory. Documents are numbered in canonical order.
#[derive(Debug)]
pub struct Kind {
    /// The kind.
    pub entity: Entity,
    /// Newest first; together they are all documents.
    pub years: Vec<YearBlock>,
    /// The steps of assembling a body.
    pub template: Template,
    /// The id of each site.
    pub site_ids: Strings,
    /// The fragments of each site, one after the other.
    pub site_fragments: Strings,
    /// The id of each substance.
    pub substance_ids: Strings,
    /// The fragments of each substance, one after the other.
    pub substance_fragments: Strings,
    /// The fragments of each medium in [`Medium::ALL`].
    pub medium_fragments: Strings,
    /// The JSON of a breakdown's row up to its quantity, by category.
    pub categories: Strings,
    /// Estimation methods as JSON texts.
    pub methods: Strings,
    /// The site of each document.
    pub site_of: Vec<u32>,
    /// The substance of each document; empty for emissions.
    pub substance_of: Vec<u32>,
    /// The medium of each document; empty for emissions.
    pub medium_of: Vec<Medium>,
    /// The order by id.
    pub ids: IdOrder,
    /// The documents of each description: sites, substances, sets of media, years.
    pub postings: Postings,
    /// The descriptions that show each text.
    pub described: Postings,
    /// The sets of documents that are stored whole.
    pub sets: StoredSets,
    /// The index of texts.
    pub texts: Searcher,
    /// Its fields.
    pub fields: TextFields,
    orders: Vec<ValueOrder>,
    row_ends: Vec<u32>,
    row_bytes: Vec<u8>,
}

/// More bytes than nearly every `record_id` has.
const LONGEST_ID: usize = 48;

/// The documents of a reporting year.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct YearBlock {
    /// The year.
    pub year: u16,
    /// Its documents.
    pub documents: Range<u32>,
}

impl Kind {
    /// Reads the files of a kind, by their paths below its folder.
    ///
    /// # Errors
    /// [`LayoutError::Engine`] and [`LayoutError::Damaged`].
    pub(crate) fn open(
        entity: Entity,
        mut files: BTreeMap<String, Vec<u8>>,
    ) -> Result<Self, LayoutError> {
        let mut take = |name: &str| files.remove(name).unwrap_or_default();
        let (tables, sets) = (take(TABLES), take(SETS));
        let (schema, fields) = text_schema();
        let failed = |folder| move |error: TantivyError| LayoutError::engine(folder, &error);
        let texts = engine::open(below(TEXTS, &mut files), &schema).map_err(failed(TEXTS))?;
        let rows = open_rows(below(ROWS, &mut files)).map_err(failed(ROWS))?;
        let damaged = |name| move || LayoutError::damaged(name, "its tables do not fit together");
        let kind =
            Self::decode(entity, &tables, texts, fields, rows).ok_or_else(damaged(TABLES))?;
        let sets = StoredSets::decode(&sets, entity, kind.len()).ok_or_else(damaged(SETS))?;
        Ok(Self { sets, ..kind })
    }

    /// Everything but the stored sets.
    fn decode(
        entity: Entity,
        bytes: &[u8],
        texts: Searcher,
        fields: TextFields,
        mut postings: Postings,
    ) -> Option<Self> {
        let mut decoder = Decoder::new(bytes);
        let len = decoder.len()?;
        let template = serde_json::from_str(decoder.text()?).ok()?;
        let years = decode_years(&mut decoder, len)?;
        let site_ids = Strings::decode(&mut decoder)?;
        let site_fragments = Strings::decode(&mut decoder)?;
        let mut release_texts: [Strings; 5] = Default::default();
        let mut media = Vec::new();
        if entity == Entity::Release {
            for strings in &mut release_texts {
                *strings = Strings::decode(&mut decoder)?;
            }
            let count = decoder.len()?;
            for medium in decoder.bytes(count)? {
                media.push(*Medium::ALL.get(usize::from(*medium))?);
            }
        }
        let [substance_ids, substance_fragments, medium_fragments, categories, methods] =
            release_texts;
        let (sites, substances) = (site_ids.len(), site_ids.len() + substance_ids.len());
        let media_end = substances + media.len();
        postings.resize(media_end);
        let site_of = postings.column(0..sites, len)?;
        let (mut substance_of, mut medium_of) = (Vec::new(), Vec::new());
        if entity == Entity::Release {
            substance_of = postings.column(sites..substances, len)?;
            let media_of = postings.column(substances..media_end, len)?;
            medium_of = media_of.iter().map(|it| media[*it as usize]).collect();
        }
        years.iter().for_each(|block| postings.push(block.documents.clone()));
        let described = Postings::decode(&mut decoder, postings.len())?;
        let row_ends = decoder.u32s()?;
        let row_len = decoder.len()?;
        let row_bytes = decoder.bytes(row_len)?.to_vec();
        let ids = IdOrder::decode(&mut decoder, len)?;
        let mut orders = Vec::new();
        for _ in Compared::of(entity) {
            orders.push(ValueOrder::decode(&mut decoder, &ids)?);
        }
        let rows_fit = row_ends.len() == len
            && row_ends.is_sorted()
            && row_ends.last().copied().unwrap_or(0) as usize == row_len;
        if !rows_fit || !decoder.is_at_end() {
            return None;
        }
        if texts.num_docs() != described.len() as u64 {
            return None;
        }
        Some(Self {
            entity,
            years,
            template,
            site_ids,
            site_fragments,
            substance_ids,
            substance_fragments,
            medium_fragments,
            categories,
            methods,
            site_of,
            substance_of,
            medium_of,
            ids,
            postings,
            described,
            sets: StoredSets::default(),
            texts,
            fields,
            orders,
            row_ends,
            row_bytes,
        })
    }

    /// How many documents there are.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.row_ends.len()
    }

    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.row_ends.is_empty()
    }

    /// The bytes of a document's own values.
    ///
    /// # Panics
    /// When there is no such document.
    #[must_use]
    pub fn row(&self, document: u32) -> &[u8] {
        let document = document as usize;
        let start = document.checked_sub(1).map_or(0, |before| self.row_ends[before] as usize);
        &self.row_bytes[start..self.row_ends[document] as usize]
    }

    /// The `record_id` of a document.
    ///
    /// # Panics
    /// When there is no such document.
    #[must_use]
    pub fn record_id(&self, document: u32) -> String {
        let mut id = Vec::with_capacity(LONGEST_ID);
        self.write_record_id(document, &mut id);
        // Every part of it is a text.
        String::from_utf8(id).unwrap_or_default()
    }

    /// Compares the `record_id` of a document with `other`, in byte order.
    ///
    /// # Panics
    /// When there is no such document.
    #[must_use]
    pub fn compare_record_id(&self, document: u32, other: &str) -> Ordering {
        let mut id = Vec::with_capacity(LONGEST_ID);
        self.write_record_id(document, &mut id);
        id.as_slice().cmp(other.as_bytes())
    }

    /// Appends the `record_id` of a document.
    ///
    /// # Panics
    /// When there is no such document.
    pub fn write_record_id(&self, document: u32, id: &mut Vec<u8>) {
        let place = document as usize;
        id.extend_from_slice(self.site_ids.get(self.site_of[place] as usize).as_bytes());
        // Nothing that is written to memory fails.
        let _ = write!(id, ":{}", self.year_of(document));
        if self.entity == Entity::Release {
            let substance = self.substance_ids.get(self.substance_of[place] as usize);
            for part in [substance, self.medium_of[place].slug()] {
                id.push(b':');
                id.extend_from_slice(part.as_bytes());
            }
        }
    }

    /// The order by a value that the kind has, else by the reported one.
    #[must_use]
    pub fn order(&self, compared: Compared) -> &ValueOrder {
        let place = Compared::of(self.entity).iter().position(|it| *it == compared);
        &self.orders[place.unwrap_or(0)]
    }

    /// The year of a document.
    #[must_use]
    pub fn year_of(&self, document: u32) -> u16 {
        let block = self.years.partition_point(|block| block.documents.end <= document);
        self.years.get(block).map_or(0, |block| block.year)
    }
}

/// Takes the files of a folder out of `files`, under their names in it.
fn below(folder: &str, files: &mut BTreeMap<String, Vec<u8>>) -> BTreeMap<String, Vec<u8>> {
    let name = |path: &String| path.strip_prefix(folder)?.strip_prefix('/').map(str::to_owned);
    let paths: Vec<String> = files.keys().filter(|path| name(path).is_some()).cloned().collect();
    let taken = paths.into_iter().filter_map(|path| Some((name(&path)?, files.remove(&path)?)));
    taken.collect()
}

fn decode_years(decoder: &mut Decoder<'_>, len: usize) -> Option<Vec<YearBlock>> {
    let mut years: Vec<YearBlock> = Vec::new();
    let mut start = 0_u32;
    for _ in 0..decoder.len()? {
        let year = u16::try_from(decoder.len()?).ok()?;
        let end = start.checked_add(decoder.u32()?)?;
        years.push(YearBlock { year, documents: start..end });
        start = end;
    }
    let is_whole = start as usize == len && years.is_sorted_by(|a, b| a.year > b.year);
    is_whole.then_some(years)
}
