//! Reading the index of one kind into memory.

use std::collections::BTreeMap;

use outfall_records::{Entity, Medium};
use tantivy::directory::OwnedBytes;
use tantivy::{Searcher, TantivyError};

use super::labels::{Labelled, Labels};
use super::opened::{Kind, YearBlock};
use super::postings::{Postings, PostingsMut};
use super::quantities::Quantities;
use super::rows::read_rows;
use super::sets::StoredSets;
use super::{ROWS, SETS, TABLES, TEXTS};
use crate::index::codec::FileDecoder;
use crate::index::engine;
use crate::index::numbers::Numbers;
use crate::index::order::{IdOrder, ValueMeasure, ValueOrder};
use crate::index::schema::{TextFields, text_schema};
use crate::index::{IndexError, Strings};

impl Kind {
    /// Reads the files of a kind, by their paths below its folder.
    ///
    /// # Errors
    /// [`IndexError::Engine`] and [`IndexError::Damaged`].
    pub(crate) fn open(
        entity: Entity,
        mut files: BTreeMap<String, OwnedBytes>,
    ) -> Result<Self, IndexError> {
        let mut take = |name: &str| files.remove(name).unwrap_or_else(OwnedBytes::empty);
        let (tables, sets) = (take(TABLES), take(SETS));
        let (schema, fields) = text_schema();
        let failed = |folder| move |error: TantivyError| IndexError::engine(folder, &error);
        let damaged = |name| move || IndexError::damaged(name, "its tables do not fit together");
        let texts = engine::open(below(TEXTS, &mut files), &schema).map_err(failed(TEXTS))?;
        let (mut kind, media) =
            Self::decode(entity, &tables, texts, fields).ok_or_else(damaged(TABLES))?;
        let rows = below(ROWS, &mut files);
        let rows = read_rows(rows, entity, kind.len(), kind.shared() + media.len());
        let rows = rows.map_err(failed(ROWS))?.ok_or_else(damaged(ROWS))?;
        kind.link(rows, &media).ok_or_else(damaged(ROWS))?;
        let sets = StoredSets::decode(&sets, entity, &fields, kind.len());
        kind.sets = sets.ok_or_else(damaged(SETS))?;
        Ok(kind)
    }

    /// What the tables hold, and the medium of each dimension that is one with its categories.
    fn decode(
        entity: Entity,
        file: &OwnedBytes,
        texts: Searcher,
        fields: TextFields,
    ) -> Option<(Self, Vec<Medium>)> {
        let mut decoder = FileDecoder::new(file);
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
        let mut labels = Vec::new();
        for labelled in Labelled::of(entity) {
            let described = match labelled {
                Labelled::Substance => substance_ids.len(),
                _ => site_ids.len(),
            };
            labels.push(Labels::decode(&mut decoder, described)?);
        }
        let dimensions = site_ids.len() + substance_ids.len() + media.len() + years.len();
        let described = Postings::decode(&mut decoder, dimensions)?;
        let row_ends = decoder.u32s()?;
        let row_len = decoder.len()?;
        let row_bytes = decoder.aligned(row_len)?;
        let rows_fit = row_ends.len() == len
            && row_ends.is_sorted()
            && row_ends.last().copied().unwrap_or(0) as usize == row_len;
        if !rows_fit || texts.num_docs() != described.len() as u64 {
            return None;
        }
        let ids = IdOrder::decode(&mut decoder, len)?;
        let mut orders = Vec::new();
        for _ in ValueMeasure::of(entity) {
            orders.push(ValueOrder::decode(&mut decoder, len)?);
        }
        let mut kind = Self {
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
            site_of: Numbers::default(),
            substance_of: Numbers::default(),
            medium_of: Numbers::default(),
            ids,
            quantities: Quantities::default(),
            postings: Postings::default(),
            described,
            sets: StoredSets::default(),
            texts,
            fields,
            labels,
            orders,
            row_ends,
            row_bytes,
        };
        kind.quantities = Quantities::of(&kind)?;
        decoder.is_at_end().then_some((kind, media))
    }

    /// How many sites and substances there are.
    fn shared(&self) -> usize {
        self.site_ids.len() + self.substance_ids.len()
    }

    /// Tells the dimensions of each document from the documents of each dimension.
    fn link(&mut self, mut rows: PostingsMut, media: &[Medium]) -> Option<()> {
        for block in &self.years {
            rows.extend_range(block.documents.clone())?;
            rows.end_list();
        }
        let (len, sites, shared) = (self.len(), self.site_ids.len(), self.shared());
        self.postings = rows.finish()?;
        self.site_of = self.postings.column(0..sites, len, u32::MAX, |site| site as u32)?;
        if self.entity == Entity::Release {
            // There are at most as many substances as numbers of 16 bits, the last of which is none.
            let substance = |place| u16::try_from(place).unwrap_or(u16::MAX);
            self.substance_of = self.postings.column(sites..shared, len, u16::MAX, substance)?;
            let (all, medium) = (shared..shared + media.len(), |place: usize| media[place] as u8);
            self.medium_of = self.postings.column(all, len, u8::MAX, medium)?;
        }
        Some(())
    }
}

/// Takes the files of a folder out of `files`, under their names in it.
fn below(folder: &str, files: &mut BTreeMap<String, OwnedBytes>) -> BTreeMap<String, OwnedBytes> {
    let name = |path: &String| path.strip_prefix(folder)?.strip_prefix('/').map(str::to_owned);
    let paths: Vec<String> = files.keys().filter(|path| name(path).is_some()).cloned().collect();
    let taken = paths.into_iter().filter_map(|path| Some((name(&path)?, files.remove(&path)?)));
    taken.collect()
}

fn decode_years(decoder: &mut FileDecoder<'_>, len: usize) -> Option<Vec<YearBlock>> {
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
