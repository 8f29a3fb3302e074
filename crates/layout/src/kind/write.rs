//! Writing the index of one kind.

use std::collections::BTreeMap;

use outfall_records::{Category, Medium};
use serde_json::Value;

use super::descriptions::Descriptions;
use super::postings::Postings;
use super::rows::write_rows;
use super::sets::encode_sets;
use super::texts::Texts;
use super::{ROWS, SETS, TABLES, TEXTS};
use crate::codec::Encoder;
use crate::fragments::{CutRecord, Slot, Template, of_category};
use crate::order::{IdOrder, ValueOrder};
use crate::row::{encode_emission, encode_release};
use crate::tables::{Rows, Tables};
use crate::{LayoutError, Strings};

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
    let texts = Texts::of(tables, &descriptions);
    let encode_sets = || encode_sets(tables, &texts, &descriptions.postings(tables));
    let ((sets, own), (indexed, rows)) = rayon::join(
        || rayon::join(encode_sets, || encode_tables(tables, &descriptions, &texts)),
        || rayon::join(|| texts.write(), || write_rows(tables, &descriptions)),
    );
    let mut files = BTreeMap::from([(TABLES.to_owned(), own?), (SETS.to_owned(), sets)]);
    for (folder, index) in [(TEXTS, indexed), (ROWS, rows)] {
        let index = index.map_err(|error| LayoutError::engine(folder, &error))?;
        files.extend(index.into_iter().map(|(name, bytes)| (format!("{folder}/{name}"), bytes)));
    }
    Ok(EncodedKind { files })
}

/// The file of everything but the indexes and the stored sets; [`super::Kind::open`] reads it in
/// this order.
fn encode_tables(
    tables: &Tables,
    descriptions: &Descriptions,
    texts: &Texts,
) -> Result<Vec<u8>, LayoutError> {
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
    Postings::of_lists(&texts.described).encode(&mut encoder);
    encode_rows(tables, &mut encoder);
    let ids = IdOrder::of(tables);
    ids.encode(&mut encoder);
    ValueOrder::encode_all(tables, &ids, &mut encoder);
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
