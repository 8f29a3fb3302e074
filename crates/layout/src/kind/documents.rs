//! The documents of the two full-text indexes.

use std::collections::{BTreeMap, BTreeSet};
use std::iter::{self, Repeat, Zip};
use std::slice;

use outfall_records::{Medium, ReportingYear, SearchText, Site, Substance, media_texts};
use rustc_hash::FxHashMap;
use tantivy::schema::{Document, Field};
use tantivy::{TantivyDocument, TantivyError};

use crate::engine::EngineWriter;
use crate::schema::{DescriptionFields, description_schema, row_schema};
use crate::tables::{ReleaseRow, Rows, Tables};

/// A medium and the categories reported for it, by number.
type Media = (Medium, BTreeSet<u16>);

/// The numbers of the descriptions of each kind, one after the other.
pub(super) struct Descriptions {
    pub(super) media: Vec<Media>,
    /// The place in `media` of each release.
    media_of: Vec<u32>,
    /// Newest first, with the number of records.
    pub(super) years: Vec<(ReportingYear, u32)>,
}

impl Descriptions {
    pub(super) fn of(tables: &Tables) -> Self {
        let mut numbers: FxHashMap<Box<[u16]>, u32> = FxHashMap::default();
        let mut media = Vec::new();
        let mut media_of = Vec::new();
        if let Rows::Release { records, .. } = &tables.rows {
            let mut key = Vec::new();
            for (index, row) in records.iter().enumerate() {
                key.clear();
                key.extend(tables.parts(index).iter().map(|part| part.category));
                key.sort_unstable();
                key.dedup();
                key.push(row.medium as u16);
                let number = numbers.get(key.as_slice()).copied().unwrap_or_else(|| {
                    let categories = tables.parts(index).iter().map(|part| part.category);
                    media.push((row.medium, categories.collect()));
                    let number = numbers.len() as u32;
                    numbers.insert(key.as_slice().into(), number);
                    number
                });
                media_of.push(number);
            }
        }
        let mut years: Vec<(ReportingYear, u32)> = Vec::new();
        for index in 0..tables.len() {
            match years.last_mut() {
                Some((year, count)) if *year == tables.year(index) => *count += 1,
                _ => years.push((tables.year(index), 1)),
            }
        }
        Self { media, media_of, years }
    }
}

/// The files of the index of descriptions.
pub(super) fn write_descriptions(
    tables: &Tables,
    descriptions: &Descriptions,
) -> Result<BTreeMap<String, Vec<u8>>, TantivyError> {
    let (schema, fields) = description_schema();
    let mut writer = EngineWriter::new(schema)?;
    for site in &tables.sites {
        writer.add(site_document(site, &fields))?;
    }
    if let Rows::Release { substances, categories, .. } = &tables.rows {
        for substance in substances {
            writer.add(substance_document(substance, &fields))?;
        }
        for (medium, numbers) in &descriptions.media {
            let categories = numbers.iter().map(|number| &*categories[usize::from(*number)]);
            writer.add(text_document(media_texts(*medium, categories), &fields))?;
        }
    }
    for (year, _) in &descriptions.years {
        let mut document = TantivyDocument::new();
        document.add_text(fields.text, year.to_string());
        writer.add(document)?;
    }
    writer.finish()
}

fn text_document<'a>(
    texts: impl Iterator<Item = SearchText<'a>>,
    fields: &DescriptionFields,
) -> TantivyDocument {
    let mut document = TantivyDocument::new();
    for SearchText { field, text } in texts {
        document.add_text(fields.text, &text);
        if field.is_name() {
            document.add_text(fields.name, &text);
        }
    }
    document
}

fn site_document(site: &Site, fields: &DescriptionFields) -> TantivyDocument {
    let mut document = text_document(site.texts(), fields);
    for key in site.facility_keys() {
        document.add_text(fields.facility, key.as_str());
    }
    if let Some(province) = site.province {
        document.add_text(fields.province, province.code());
    }
    if let Some(code) = &site.naics_code {
        let digits = code.as_str();
        for end in 2..=digits.len() {
            document.add_text(fields.naics, &digits[..end]);
        }
    }
    document
}

fn substance_document(substance: &Substance, fields: &DescriptionFields) -> TantivyDocument {
    let mut document = text_document(substance.texts(), fields);
    document.add_text(fields.substance, substance.id.as_str());
    for name in &substance.every_name {
        document.add_text(fields.substance_name, name);
    }
    document
}

/// The files of the index of rows.
pub(super) fn write_rows(
    tables: &Tables,
    descriptions: &Descriptions,
) -> Result<BTreeMap<String, Vec<u8>>, TantivyError> {
    let (schema, field) = row_schema();
    let mut writer = EngineWriter::new(schema)?;
    let sites = tables.sites.len() as u64;
    for index in 0..tables.len() {
        writer.add(match &tables.rows {
            Rows::Release { substances, records, .. } => {
                let ReleaseRow { site, substance, .. } = records[index];
                let media = sites + substances.len() as u64;
                let descriptions = [
                    u64::from(site),
                    sites + u64::from(substance),
                    media + u64::from(descriptions.media_of[index]),
                ];
                RowDocument { field, descriptions, len: 3 }
            }
            Rows::Emission { records } => {
                let descriptions = [u64::from(records[index].site), 0, 0];
                RowDocument { field, descriptions, len: 1 }
            }
        })?;
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
