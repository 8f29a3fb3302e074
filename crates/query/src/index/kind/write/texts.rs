//! The distinct texts of a kind, among which words and phrases are looked up.
//!
//! Ten thousand sites show some hundred industry titles and thirteen provinces. A phrase is matched
//! once in each distinct text instead of once in each site that shows it: `"gas extraction"` took
//! 1.6 ms of a search over a million releases when every site was a document of its own.

use std::collections::BTreeMap;

use outfall_records::text::{class_of, for_each_token};
use outfall_records::{RecordTable, SearchText, Site, Substance, Tables, media_texts};
use outfall_request::CityFilter;
use rustc_hash::FxHashMap;
use tantivy::{TantivyDocument, TantivyError};

use super::dimensions::Dimensions;
use crate::index::bytes::numbered;
use crate::index::engine::{EngineWriter, text_schema};

/// The role of a text, which decides the fields that it is indexed in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// Searched by `q`.
    Text,
    /// Searched by `q`, and a name.
    Name,
    /// A name that a substance id has had.
    SubstanceName,
    /// A name of a company.
    CompanyName,
    Province,
    /// The key of a city's name.
    City,
    /// A prefix of a NAICS code.
    Naics,
    FacilityKey,
    SubstanceId,
}

const ROLES: usize = 9;

/// The distinct texts, in the order in which dimensions show them.
#[derive(Default)]
pub(super) struct TextTable {
    texts: Vec<(Role, String)>,
    /// The dimensions of each text.
    pub(super) described: Vec<Vec<u32>>,
    numbers: [FxHashMap<String, u32>; ROLES],
}

impl TextTable {
    pub(super) fn of(tables: &Tables, dimensions: &Dimensions) -> Self {
        let mut texts = Self::default();
        let mut dimension = 0..;
        for (site, number) in tables.sites.iter().zip(&mut dimension) {
            texts.add_site(site, number);
        }
        if let RecordTable::Release { substances, categories, .. } = &tables.rows {
            for (substance, number) in substances.iter().zip(&mut dimension) {
                texts.add_substance(substance, number);
            }
            for ((medium, numbers), dimension) in dimensions.media.iter().zip(&mut dimension) {
                let categories = numbers.iter().map(|number| &*categories[usize::from(*number)]);
                texts.add_all(media_texts(*medium, categories), dimension);
            }
        }
        for ((year, _), number) in dimensions.years.iter().zip(&mut dimension) {
            texts.add(Role::Text, &year.to_string(), number);
        }
        texts
    }

    fn add_site(&mut self, site: &Site, dimension: u32) {
        self.add_all(site.texts(), dimension);
        for key in site.facility_keys() {
            self.add(Role::FacilityKey, key.as_str(), dimension);
        }
        for name in site.company_names() {
            self.add(Role::CompanyName, name, dimension);
        }
        if let Some(province) = site.province {
            self.add(Role::Province, province.code(), dimension);
        }
        if let Some(city) = site.city.as_deref().and_then(CityFilter::new) {
            self.add(Role::City, &city.key(), dimension);
        }
        if let Some(code) = &site.naics_code {
            let digits = code.as_str();
            for end in 2..=digits.len() {
                self.add(Role::Naics, &digits[..end], dimension);
            }
        }
    }

    fn add_substance(&mut self, substance: &Substance, dimension: u32) {
        self.add_all(substance.texts(), dimension);
        self.add(Role::SubstanceId, substance.id.as_str(), dimension);
        for name in &substance.every_name {
            self.add(Role::SubstanceName, name, dimension);
        }
    }

    fn add_all<'a>(&mut self, texts: impl Iterator<Item = SearchText<'a>>, dimension: u32) {
        for SearchText { field, text } in texts {
            let role = if field.is_name() { Role::Name } else { Role::Text };
            self.add(role, &text, dimension);
        }
    }

    /// Dimensions are added in increasing order, so the lists are sorted.
    fn add(&mut self, role: Role, text: &str, dimension: u32) {
        let numbers = &mut self.numbers[role as usize];
        let number = match numbers.get(text) {
            Some(number) => *number as usize,
            None => {
                let number = self.texts.len();
                numbers.insert(text.to_owned(), numbered(number));
                self.texts.push((role, text.to_owned()));
                self.described.push(Vec::new());
                number
            }
        };
        let described = &mut self.described[number];
        if described.last() != Some(&dimension) {
            described.push(dimension);
        }
    }

    /// The dimensions that show any of some texts, in increasing order.
    pub(super) fn describing(&self, texts: &[u32]) -> Vec<u32> {
        let lists = texts.iter().flat_map(|text| &self.described[*text as usize]);
        let mut dimensions: Vec<u32> = lists.copied().collect();
        dimensions.sort_unstable();
        dimensions.dedup();
        dimensions
    }

    /// The texts that `q` searches.
    pub(super) fn searched(&self) -> impl Iterator<Item = &str> {
        let searched = |role: &Role| matches!(role, Role::Text | Role::Name);
        self.texts.iter().filter(move |(role, _)| searched(role)).map(|(_, text)| text.as_str())
    }

    /// The texts that hold each token and each class, first among all that `q` searches, then among
    /// names only; in the order of [`crate::index::TextFields::of_words`].
    pub(super) fn by_word(&self) -> [BTreeMap<String, Vec<u32>>; 4] {
        let mut words: [BTreeMap<String, Vec<u32>>; 4] = Default::default();
        for (number, (role, text)) in self.texts.iter().enumerate() {
            let of = match role {
                Role::Text => &mut words[..2],
                Role::Name => &mut words[..],
                _ => continue,
            };
            for_each_token(text, |token| {
                let class = class_of(token);
                for (texts, word) in of.iter_mut().zip([token, &class].into_iter().cycle()) {
                    match texts.get_mut(word) {
                        Some(texts) if texts.last() == Some(&numbered(number)) => {}
                        Some(texts) => texts.push(numbered(number)),
                        None => drop(texts.insert(word.to_owned(), vec![numbered(number)])),
                    }
                }
            });
        }
        words
    }

    /// The files of the index of texts; its document numbers are the numbers of the texts.
    pub(super) fn write(&self) -> Result<BTreeMap<String, Vec<u8>>, TantivyError> {
        let (schema, fields) = text_schema();
        let mut writer = EngineWriter::new(schema)?;
        for (role, text) in &self.texts {
            let mut document = TantivyDocument::new();
            let words = fields.of_words();
            let names = fields.substance_name;
            let fields = match role {
                Role::Text => &words[..2],
                Role::Name => &words[..],
                Role::SubstanceName => &[names.tokens, names.classes],
                Role::CompanyName => &[fields.company],
                Role::Province => &[fields.province],
                Role::City => &[fields.city],
                Role::Naics => &[fields.naics],
                Role::FacilityKey => &[fields.facility],
                Role::SubstanceId => &[fields.substance],
            };
            fields.iter().for_each(|field| document.add_text(*field, text));
            writer.add(document)?;
        }
        writer.finish()
    }
}
