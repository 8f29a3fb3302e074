//! The values that facets count by: those that sites and substances show, with their names.
//!
//! They are deduplicated and sorted once, when the index is built. Reading them back from the JSON
//! of tens of thousands of sites took a fifth of the time of opening an index.

use std::collections::BTreeMap;

use outfall_records::{Province, RecordKind, RecordTable, Tables};

use crate::index::bytes::{Encoder, FileDecoder, Numbers, Strings, StringsMut, numbered};

/// A property of sites or substances whose values have labels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Labelled {
    /// The code of a site's province; its names need not be stored.
    Province,
    /// The code of a site's industry, with its titles.
    Naics,
    /// The id of a site, with its name as the English one.
    Facility,
    /// The name of a site's company, which needs no other name.
    Company,
    /// The id of a substance, with its names.
    Substance,
}

impl Labelled {
    /// The properties of a kind, in the order in which they are stored.
    pub(super) const fn of(record_kind: RecordKind) -> &'static [Self] {
        match record_kind {
            RecordKind::Emission => &[Self::Province, Self::Naics, Self::Facility, Self::Company],
            RecordKind::Release => {
                &[Self::Province, Self::Naics, Self::Facility, Self::Company, Self::Substance]
            }
        }
    }
}

/// A value with its names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Label<'a> {
    /// The value.
    pub value: &'a str,
    /// Its English name, or the only one.
    pub name_en: Option<&'a str>,
    /// Its French name.
    pub name_fr: Option<&'a str>,
}

impl<'a> Label<'a> {
    const fn plain(value: &'a str) -> Self {
        Self { value, name_en: None, name_fr: None }
    }
}

/// The values of the sites or of the substances of a kind, in byte order.
#[derive(Clone, Debug, Default)]
pub struct Labels {
    /// For each dimension, the place of its value; the number of values if it shows none.
    pub slots: Numbers<u32>,
    /// Value, English name and French name of each.
    texts: Strings,
    /// Which names each value has, as bits: [`NAME_EN`], [`NAME_FR`].
    names: Numbers<u8>,
}

const NAME_EN: u8 = 1;
const NAME_FR: u8 = 2;
/// How many texts each value has.
const TEXTS: usize = 3;

impl Labels {
    /// The number of values.
    #[must_use]
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there are no values.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// The value of a place, if there is one.
    #[must_use]
    pub fn get(&self, place: usize) -> Option<Label<'_>> {
        let names = self.names.get(place)?;
        let name =
            |bit: u8, text: usize| (names & bit != 0).then(|| self.texts.get(place * TEXTS + text));
        Some(Label {
            value: self.texts.get(place * TEXTS),
            name_en: name(NAME_EN, 1),
            name_fr: name(NAME_FR, 2),
        })
    }

    /// Reads the values of that many dimensions.
    pub(super) fn decode(decoder: &mut FileDecoder<'_>, dimensions: usize) -> Option<Self> {
        let slots = decoder.u32s()?;
        let texts = Strings::decode(decoder)?;
        let len = decoder.len()?;
        let names = decoder.numbers(len)?;
        let is_whole = slots.len() == dimensions
            && slots.iter().all(|slot| *slot as usize <= len)
            && Some(texts.len()) == len.checked_mul(TEXTS);
        is_whole.then_some(Self { slots, texts, names })
    }
}

/// Writes the values of each property that a kind has.
pub(super) fn encode_labels(tables: &Tables, encoder: &mut Encoder) {
    for labelled in Labelled::of(tables.record_kind()) {
        let sites = tables.sites.iter();
        match labelled {
            Labelled::Province => {
                let codes = sites.map(|site| site.province.map(Province::code));
                encode(codes.map(|code| code.map(Label::plain)), encoder);
            }
            Labelled::Naics => {
                let code =
                    |site: &'_ outfall_records::Site| site.naics_code.map(|code| code.to_string());
                let codes: Vec<Option<String>> = sites.clone().map(|site| code(site)).collect();
                let labels = sites.zip(&codes).map(|(site, code)| {
                    let (name_en, name_fr) = (site.naics_en.as_deref(), site.naics_fr.as_deref());
                    Some(Label { value: code.as_deref()?, name_en, name_fr })
                });
                encode(labels, encoder);
            }
            Labelled::Facility => {
                let ids = sites.clone().map(|site| site.facility_id.to_string());
                let ids: Vec<String> = ids.collect();
                let labels = sites.zip(&ids).map(|(site, value)| {
                    Some(Label { value, name_en: site.facility_name.as_deref(), name_fr: None })
                });
                encode(labels, encoder);
            }
            Labelled::Company => {
                encode(sites.map(|site| site.company_name.as_deref().map(Label::plain)), encoder);
            }
            Labelled::Substance => {
                if let RecordTable::Release { substances, .. } = &tables.rows {
                    let labels = substances.iter().map(|substance| {
                        let name_en = substance.name_en.as_deref();
                        let name_fr = substance.name_fr.as_deref();
                        Some(Label { value: substance.id.as_str(), name_en, name_fr })
                    });
                    encode(labels, encoder);
                }
            }
        }
    }
}

/// Writes the distinct values; the first dimension that shows a value names it.
fn encode<'a>(labels: impl Iterator<Item = Option<Label<'a>>>, encoder: &mut Encoder) {
    let labels: Vec<Option<Label<'_>>> = labels.collect();
    let mut distinct: BTreeMap<&str, (u32, &Label<'_>)> = BTreeMap::new();
    for label in labels.iter().flatten() {
        distinct.entry(label.value).or_insert((0, label));
    }
    distinct.values_mut().zip(0..).for_each(|((slot, _), place)| *slot = place);
    let slot = |label: &Label<'_>| distinct.get(label.value).map(|(slot, _)| *slot);
    let none = numbered(distinct.len());
    let slots = labels.iter().map(|label| label.as_ref().and_then(slot).unwrap_or(none));
    encoder.u32s(&slots.collect::<Vec<_>>());
    let (mut texts, mut names) = (StringsMut::default(), Vec::with_capacity(distinct.len()));
    for (_, Label { value, name_en, name_fr }) in distinct.into_values() {
        texts.push(value);
        let mut bits = 0;
        for (name, bit) in [(name_en, NAME_EN), (name_fr, NAME_FR)] {
            texts.push(name.unwrap_or_default());
            bits |= name.map_or(0, |_| bit);
        }
        names.push(bits);
    }
    texts.encode(encoder);
    encoder.list(&names);
}
