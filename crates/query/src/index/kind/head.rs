//! The beginning of the tables of a kind: everything that records share.

use outfall_records::{Medium, RecordKind};
use outfall_request::Coordinates;

use super::coordinates::decode_coordinates;
use super::labels::{Labelled, Labels};
use super::opened::YearBlock;
use super::postings::Postings;
use crate::index::Strings;
use crate::index::bytes::FileDecoder;
use crate::index::record::Template;

/// What the records of a kind share. After it come the columns and the rows of the records, which
/// are as long as the kind has records.
pub(super) struct Head {
    /// The number of records.
    pub(super) len: usize,
    pub(super) template: Template,
    pub(super) years: Vec<YearBlock>,
    pub(super) site_ids: Strings,
    pub(super) site_fragments: Strings,
    pub(super) substance_ids: Strings,
    pub(super) substance_fragments: Strings,
    pub(super) medium_fragments: Strings,
    pub(super) categories: Strings,
    pub(super) methods: Strings,
    /// The medium of each medium with its categories.
    pub(super) media: Vec<Medium>,
    pub(super) labels: Vec<Labels>,
    pub(super) words: Strings,
    pub(super) cities: Strings,
    pub(super) coordinates: Vec<Option<Coordinates>>,
    pub(super) described: Postings,
}

impl Head {
    /// Reads it, and leaves the decoder where the columns begin. `None` if the bytes end too early
    /// or make no sense.
    pub(super) fn decode(decoder: &mut FileDecoder<'_>, record_kind: RecordKind) -> Option<Self> {
        let len = decoder.len()?;
        let template = serde_json::from_str(decoder.text()?).ok()?;
        let years = decode_years(decoder, len)?;
        let site_ids = Strings::decode(decoder)?;
        let site_fragments = Strings::decode(decoder)?;
        let mut release_texts: [Strings; 5] = Default::default();
        let mut media = Vec::new();
        if record_kind.has_substances() {
            for strings in &mut release_texts {
                *strings = Strings::decode(decoder)?;
            }
            let count = decoder.len()?;
            for medium in decoder.bytes(count)? {
                media.push(*Medium::ALL.get(usize::from(*medium))?);
            }
        }
        let [substance_ids, substance_fragments, medium_fragments, categories, methods] =
            release_texts;
        let mut labels = Vec::new();
        for labelled in Labelled::of(record_kind) {
            let described = match labelled {
                Labelled::Substance => substance_ids.len(),
                _ => site_ids.len(),
            };
            labels.push(Labels::decode(decoder, described)?);
        }
        let (words, cities) = (Strings::decode(decoder)?, Strings::decode(decoder)?);
        let coordinates = decode_coordinates(decoder, site_ids.len())?;
        let dimensions = site_ids.len() + substance_ids.len() + media.len() + years.len();
        let described = Postings::decode(decoder, dimensions)?;
        Some(Self {
            len,
            template,
            years,
            site_ids,
            site_fragments,
            substance_ids,
            substance_fragments,
            medium_fragments,
            categories,
            methods,
            media,
            labels,
            words,
            cities,
            coordinates,
            described,
        })
    }
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
