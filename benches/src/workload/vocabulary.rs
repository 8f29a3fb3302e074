//! The words and values of a corpus, by how often they occur.

use std::collections::{BTreeMap, BTreeSet};

use outfall_records::{Decimal, FacilityKey, Province, Record, SubstanceId, Unit};
use outfall_records::{Tables, text::tokens};

/// How many records the vocabulary is sampled from, evenly spread; enough to estimate shares of a
/// hundredth.
const SAMPLE: usize = 20_000;

/// The words and values that make up requests about one kind of record.
#[derive(Debug, Default)]
pub(super) struct Vocabulary {
    /// Words that a hundredth to half of the records hold.
    pub(super) common: Vec<String>,
    /// Words that a thousandth to a hundredth of the records hold.
    pub(super) usual: Vec<String>,
    /// The rarest twentieth of all words.
    pub(super) rare: Vec<String>,
    /// Two or three consecutive words, from texts of any field.
    pub(super) phrases: Vec<String>,
    /// The province of each sampled record that has one; the lists below are filled likewise.
    pub(super) provinces: Vec<Province>,
    pub(super) facilities: Vec<FacilityKey>,
    pub(super) industries: Vec<String>,
    pub(super) cities: Vec<String>,
    /// The first two words of each company's name.
    pub(super) companies: Vec<String>,
    /// Latitudes and longitudes.
    pub(super) places: Vec<(Decimal, Decimal)>,
    pub(super) substances: Vec<SubstanceId>,
    pub(super) substance_names: Vec<Vec<String>>,
    pub(super) record_ids: Vec<String>,
    /// Masses in tonnes, or totals, ascending.
    pub(super) masses: Vec<Decimal>,
    /// The published numbers, ascending.
    pub(super) values: Vec<Decimal>,
    pub(super) years: Vec<u16>,
}

impl Vocabulary {
    pub(super) fn of(tables: &Tables) -> Self {
        let mut found = Self::default();
        let mut holders: BTreeMap<String, usize> = BTreeMap::new();
        let step = tables.len().div_ceil(SAMPLE).max(1);
        let sampled = (0..tables.len()).step_by(step);
        let len = sampled.len();
        for index in sampled {
            found.add(&tables.record(index), &mut holders);
        }
        found.masses.sort_unstable();
        found.values.sort_unstable();
        let is_word = |word: &str| word.len() > 3 && word.chars().all(char::is_alphabetic);
        holders.retain(|word, _| is_word(word));
        let mut by_count: Vec<(&String, &usize)> = holders.iter().collect();
        by_count.sort_by_key(|(_, count)| **count);
        by_count.truncate(by_count.len().div_ceil(20));
        found.rare = by_count.into_iter().map(|(word, _)| word.clone()).collect();
        for (word, count) in holders {
            match count {
                _ if count * 2 > len => {}
                _ if count * 100 > len => found.common.push(word),
                _ if count * 1000 > len => found.usual.push(word),
                _ => {}
            }
        }
        found
    }

    fn add(&mut self, record: &Record, holders: &mut BTreeMap<String, usize>) {
        let mut words = BTreeSet::new();
        for text in record.texts() {
            let tokens = tokens(&text.text);
            if self.phrases.len() < SAMPLE && tokens.len() > 2 {
                // The last two or three words of the text, alternately.
                let len = 2 + self.phrases.len() % 2;
                self.phrases.push(tokens[tokens.len() - len..].join(" "));
            }
            words.extend(tokens);
        }
        for word in words {
            *holders.entry(word).or_default() += 1;
        }
        let site = record.site();
        self.provinces.extend(site.province);
        self.facilities.extend(site.facility_keys().next());
        self.industries.extend(site.naics_code.map(|code| code.as_str().to_owned()));
        self.cities.extend(site.city.clone());
        let companies = site.company_names().map(tokens).filter(|words| !words.is_empty());
        self.companies.extend(companies.map(|words| words[..words.len().min(2)].join(" ")));
        self.places.extend(site.latitude.zip(site.longitude));
        if let Some(substance) = record.substance() {
            self.substances.push(substance.id.clone());
            let name = substance.name_en.as_deref().unwrap_or_default();
            let words: Vec<String> = tokens(name).into_iter().take(2).collect();
            self.substance_names.extend((!words.is_empty()).then_some(words));
        }
        self.record_ids.push(record.record_id());
        let value = record.value();
        self.values.push(value);
        self.masses.extend(match record.unit() {
            Some(unit) => unit.convert(value, Unit::Tonnes),
            None => Some(value),
        });
        self.years.push(record.year().get());
    }
}
