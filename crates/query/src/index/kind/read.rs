//! Reads the index of one kind into memory.

use std::collections::BTreeMap;

use outfall_records::RecordKind;
use tantivy::directory::OwnedBytes;
use tantivy::{Searcher, TantivyError};

use super::amounts::Amounts;
use super::head::Head;
use super::opened::Kind;
use super::postings::Postings;
use super::sets::StoredSets;
use super::{SETS, TABLES, TEXTS};
use crate::index::bytes::{FileDecoder, Numbers};
use crate::index::engine::{TextFields, text_schema};
use crate::index::order::{IdOrder, ValueMeasure, ValueOrder};
use crate::index::{IndexError, engine};

impl Kind {
    /// Reads the files of a kind, by their paths below its folder.
    ///
    /// # Errors
    /// [`IndexError::Engine`] and [`outfall_store::StoreError::Damaged`].
    pub(crate) fn open(
        record_kind: RecordKind,
        mut files: BTreeMap<String, OwnedBytes>,
    ) -> Result<Self, IndexError> {
        let mut take = |name: &str| files.remove(name).unwrap_or_else(OwnedBytes::empty);
        let (tables, sets) = (take(TABLES), take(SETS));
        let (schema, fields) = text_schema();
        let failed = |folder| move |error: TantivyError| IndexError::engine(folder, &error);
        let damaged = |name| move || IndexError::damaged(name, "its tables do not fit together");
        let texts = engine::open(below(TEXTS, &mut files), &schema).map_err(failed(TEXTS))?;
        let kind = Self::decode(record_kind, &tables, texts, fields);
        let mut kind = kind.ok_or_else(damaged(TABLES))?;
        let sets = StoredSets::decode(&sets, record_kind, &fields, kind.len());
        kind.sets = sets.ok_or_else(damaged(SETS))?;
        Ok(kind)
    }

    fn decode(
        record_kind: RecordKind,
        file: &OwnedBytes,
        texts: Searcher,
        fields: TextFields,
    ) -> Option<Self> {
        let mut decoder = FileDecoder::new(file);
        let head = Head::decode(&mut decoder, record_kind)?;
        let len = head.len;
        let site_of = decoder.numbers::<u32>(len)?;
        let of_release = if record_kind.has_substances() { len } else { 0 };
        let substance_of = decoder.numbers::<u16>(of_release)?;
        let media_of = decoder.numbers::<u32>(of_release)?;
        let postings = Postings::of_columns(
            (&site_of, head.site_ids.len()),
            (&substance_of, head.substance_ids.len()),
            (&media_of, head.media.len()),
            head.years.iter().map(|block| block.documents.clone()),
        )?;
        let mut medium_of = Numbers::zeroed(of_release);
        for (medium, place) in medium_of.iter_mut().zip(media_of.iter()) {
            *medium = head.media[*place as usize] as u8;
        }
        let row_ends = decoder.u32s()?;
        let row_len = decoder.len()?;
        let row_bytes = decoder.aligned(row_len)?;
        let rows_fit = row_ends.len() == len
            && row_ends.is_sorted()
            && row_ends.last().copied().unwrap_or(0) as usize == row_len;
        if !rows_fit || texts.num_docs() != head.described.len() as u64 {
            return None;
        }
        let ids = IdOrder::decode(&mut decoder, len)?;
        let mut orders = Vec::new();
        for _ in ValueMeasure::of(record_kind) {
            orders.push(ValueOrder::decode(&mut decoder, len)?);
        }
        let mut kind = Self {
            record_kind,
            years: head.years,
            template: head.template,
            site_ids: head.site_ids,
            site_fragments: head.site_fragments,
            substance_ids: head.substance_ids,
            substance_fragments: head.substance_fragments,
            medium_fragments: head.medium_fragments,
            categories: head.categories,
            methods: head.methods,
            coordinates: head.coordinates,
            site_of,
            substance_of,
            medium_of: medium_of.shared(),
            ids,
            amounts: Amounts::default(),
            postings,
            described: head.described,
            sets: StoredSets::default(),
            texts,
            fields,
            words: head.words,
            cities: head.cities,
            labels: head.labels,
            orders,
            row_ends,
            row_bytes,
        };
        kind.amounts = Amounts::of(&kind)?;
        decoder.is_at_end().then_some(kind)
    }
}

/// Takes the files of a folder out of `files`, and names them within it.
fn below(folder: &str, files: &mut BTreeMap<String, OwnedBytes>) -> BTreeMap<String, OwnedBytes> {
    let name = |path: &String| path.strip_prefix(folder)?.strip_prefix('/').map(str::to_owned);
    let paths: Vec<String> = files.keys().filter(|path| name(path).is_some()).cloned().collect();
    let taken = paths.into_iter().filter_map(|path| Some((name(&path)?, files.remove(&path)?)));
    taken.collect()
}
