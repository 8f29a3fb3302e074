//! Writing the index of one kind.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use outfall_records::{Category, Medium, ReportingYear, SearchText, Site, Substance, media_texts};
use serde_json::Value;
use tantivy::{TantivyDocument, TantivyError};

use super::{DESCRIPTIONS, ROWS, TABLES};
use crate::codec::Encoder;
use crate::engine::EngineWriter;
use crate::fragments::{CutRecord, Slot, Template, of_category};
use crate::order::{Compared, IdOrder, ValueOrder};
use crate::row::{encode_emission, encode_release};
use crate::schema::{DescriptionFields, description_schema, row_schema};
use crate::tables::{ReleaseRow, Rows, Tables};
use crate::{LayoutError, Strings};

/// A medium and the categories reported for it, by number.
type Media = (Medium, BTreeSet<u16>);

/// The numbers of the descriptions of each kind, one after the other.
struct Descriptions {
    media: Vec<Media>,
    /// The place in `media` of each release.
    media_of: Vec<u32>,
    /// Newest first, with the number of records.
    years: Vec<(ReportingYear, u32)>,
}

/// The index of one kind, to be written by [`crate::Staging::write`].
#[derive(Debug)]
pub struct EncodedKind {
    /// Every file, by its path below the kind's folder.
    pub(crate) files: BTreeMap<String, Vec<u8>>,
}

/// Makes the index of one kind of its records, on every core.
///
/// # Errors
/// [`LayoutError::Engine`], [`LayoutError::UnknownField`].
pub fn encode(tables: &Tables) -> Result<EncodedKind, LayoutError> {
    let descriptions = Descriptions::of(tables);
    let (text, (rows, own)) = rayon::join(
        || write_descriptions(tables, &descriptions),
        || {
            rayon::join(
                || write_rows(tables, &descriptions),
                || encode_tables(tables, &descriptions),
            )
        },
    );
    let failed = |folder| move |error: TantivyError| LayoutError::engine(folder, &error);
    let in_folder = |folder: &'static str, files: BTreeMap<String, Vec<u8>>| {
        files.into_iter().map(move |(name, bytes)| (format!("{folder}/{name}"), bytes))
    };
    let mut files = BTreeMap::from([(TABLES.to_owned(), own?)]);
    files.extend(in_folder(DESCRIPTIONS, text.map_err(failed(DESCRIPTIONS))?));
    files.extend(in_folder(ROWS, rows.map_err(failed(ROWS))?));
    Ok(EncodedKind { files })
}

impl Descriptions {
    fn of(tables: &Tables) -> Self {
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

fn write_descriptions(
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

fn write_rows(
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

/// The file of everything but the full-text indexes; [`super::Kind::open`] reads it in this order.
fn encode_tables(tables: &Tables, descriptions: &Descriptions) -> Result<Vec<u8>, LayoutError> {
    let mut encoder = Encoder::default();
    encoder.len(tables.len());
    let fragments = Fragments::of(tables)?;
    encoder.text(&serde_json::to_string(&fragments.template).unwrap_or_default());
    encoder.len(descriptions.years.len());
    for (year, count) in &descriptions.years {
        encoder.len(usize::from(year.get()));
        encoder.u32(*count);
    }
    let ids: Vec<String> = tables.sites.iter().map(|site| site.facility_id.to_string()).collect();
    ids.iter().map(String::as_str).collect::<Strings>().encode(&mut encoder);
    fragments.sites.encode(&mut encoder);
    if let Rows::Release { substances, categories, methods, .. } = &tables.rows {
        substances.iter().map(|it| it.id.as_str()).collect::<Strings>().encode(&mut encoder);
        fragments.substances.encode(&mut encoder);
        fragments.media.encode(&mut encoder);
        encode_breakdown_texts(categories, methods, &mut encoder);
        encoder.len(descriptions.media.len());
        descriptions.media.iter().for_each(|(medium, _)| encoder.u8(*medium as u8));
    }
    encode_rows(tables, &mut encoder);
    let ids = IdOrder::of(tables);
    ids.encode(&mut encoder);
    for compared in Compared::of(tables.entity()) {
        ValueOrder::of(tables, &ids, *compared).encode(&mut encoder);
    }
    Ok(encoder.bytes)
}

fn encode_breakdown_texts(
    categories: &[std::sync::Arc<Category>],
    methods: &[std::sync::Arc<str>],
    encoder: &mut Encoder,
) {
    let mut texts = Strings::default();
    categories.iter().for_each(|category| texts.push(&of_category(category)));
    texts.encode(encoder);
    let mut texts = Strings::default();
    methods.iter().for_each(|method| texts.push(&Value::from(&**method).to_string()));
    texts.encode(encoder);
}

fn encode_rows(tables: &Tables, encoder: &mut Encoder) {
    let mut rows = Encoder::default();
    let mut ends = Vec::with_capacity(tables.len());
    for index in 0..tables.len() {
        match &tables.rows {
            Rows::Release { records, .. } => {
                encode_release(&records[index], tables.parts(index), &mut rows);
            }
            Rows::Emission { records } => encode_emission(&records[index], &mut rows),
        }
        ends.push(rows.bytes.len() as u32);
    }
    encoder.u32s(&ends);
    encoder.len(rows.bytes.len());
    encoder.bytes.append(&mut rows.bytes);
}

/// The escaped JSON that records share, from the first record that shows it.
struct Fragments {
    template: Template,
    sites: Strings,
    substances: Strings,
    /// For each medium in [`Medium::ALL`]; empty texts for one that no record has.
    media: Strings,
}

impl Fragments {
    fn of(tables: &Tables) -> Result<Self, LayoutError> {
        let mut fragments = Self {
            template: Template::default(),
            sites: Strings::default(),
            substances: Strings::default(),
            media: Strings::default(),
        };
        let (mut sites, mut substances) = (0, 0);
        let mut media: BTreeMap<Medium, Vec<String>> = BTreeMap::new();
        for index in 0..tables.len() {
            let (site, substance, medium) = tables.shared(index);
            let is_new = site as usize == sites
                || substance.is_some_and(|substance| usize::from(substance) == substances)
                || medium.is_some_and(|medium| !media.contains_key(&medium));
            if !is_new {
                continue;
            }
            let cut = CutRecord::new(&tables.record(index))?;
            if index == 0 {
                fragments.template = cut.template();
            }
            if site as usize == sites {
                cut.fragments(Slot::Site).for_each(|text| fragments.sites.push(&text));
                sites += 1;
            }
            if substance.is_some_and(|substance| usize::from(substance) == substances) {
                cut.fragments(Slot::Substance).for_each(|text| fragments.substances.push(&text));
                substances += 1;
            }
            if let Some(medium) = medium {
                media.entry(medium).or_insert_with(|| cut.fragments(Slot::Medium).collect());
            }
        }
        let width = media.values().next().map_or(0, Vec::len);
        for medium in Medium::ALL {
            let blank = vec![String::new(); width];
            let texts = media.get(&medium).unwrap_or(&blank);
            texts.iter().for_each(|text| fragments.media.push(text));
        }
        Ok(fragments)
    }
}
