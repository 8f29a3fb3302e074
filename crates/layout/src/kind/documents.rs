//! The documents of the two full-text indexes.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use outfall_records::{Medium, ReportingYear, SearchText, Site, Substance, media_texts};
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
        let mut numbers: HashMap<Media, u32> = HashMap::new();
        let mut media = Vec::new();
        let mut media_of = Vec::new();
        if let Rows::Release { records, .. } = &tables.rows {
            for (index, row) in records.iter().enumerate() {
                let key = (row.medium, tables.parts(index).iter().map(|it| it.category).collect());
                let number = *numbers.entry(key).or_insert_with_key(|key| {
                    media.push(key.clone());
                    media.len() as u32 - 1
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
    let (schema, description) = row_schema();
    let mut writer = EngineWriter::new(schema)?;
    let sites = tables.sites.len() as u64;
    for index in 0..tables.len() {
        let mut document = TantivyDocument::new();
        match &tables.rows {
            Rows::Release { substances, records, .. } => {
                let ReleaseRow { site, substance, .. } = records[index];
                let media = sites + substances.len() as u64;
                document.add_u64(description, u64::from(site));
                document.add_u64(description, sites + u64::from(substance));
                document.add_u64(description, media + u64::from(descriptions.media_of[index]));
            }
            Rows::Emission { records } => {
                document.add_u64(description, u64::from(records[index].site));
            }
        }
        writer.add(document)?;
    }
    writer.finish()
}
