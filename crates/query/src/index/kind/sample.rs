//! Words and phrases from the records of a kind, and the records in which a linear scan finds them.
//! The index must find the same records before it is published.

use std::borrow::Cow;
use std::sync::Arc;

use outfall_records::text::{class_of, tokens};
use outfall_records::{Category, Medium, RecordTable, Site, Substance, Tables};
use rustc_hash::FxHashMap;
use tantivy::collector::DocSetCollector;
use tantivy::query::{PhraseQuery, Query, TermQuery};
use tantivy::schema::IndexRecordOption;
use tantivy::{TantivyError, Term};

use super::Kind;
use crate::index::IndexError;

/// The number of words and phrases drawn; each is a bit of a mask.
const SIZE: usize = 48;
/// The most words of a phrase.
const LONGEST: usize = 3;

/// The phrases that a record holds, a bit for each.
type Mask = u64;

/// Phrases drawn from records, and the records that hold them. A phrase of one word is a class.
#[derive(Debug)]
pub(crate) struct Sample {
    phrases: Vec<Vec<String>>,
    /// One mask per record, in canonical order.
    held: Vec<Mask>,
}

impl Sample {
    /// Draws the phrases and scans every record for them. The same records give the same phrases.
    pub(crate) fn of(tables: &Tables) -> Self {
        let phrases = draw(tables);
        let held = Scan::new(&phrases).masks(tables);
        Self { phrases, held }
    }

    /// Checks that an index finds each phrase in the same records.
    pub(crate) fn check(&self, kind: &Kind) -> Result<(), IndexError> {
        let mut found: Vec<Mask> = vec![0; kind.len()];
        for (place, phrase) in self.phrases.iter().enumerate() {
            let dimensions = dimensions_of(kind, phrase);
            let failed = |error| IndexError::engine(super::TEXTS, &error);
            for dimension in dimensions.map_err(failed)? {
                for document in kind.postings.of(dimension) {
                    found[*document as usize] |= 1 << place;
                }
            }
        }
        // The lengths are equal: they were compared when the index was opened.
        let differing = found.iter().zip(&self.held).fold(0, |all, (a, b)| all | (a ^ b));
        match self.phrases.get(differing.trailing_zeros() as usize) {
            None => Ok(()),
            Some(phrase) => Err(IndexError::Disagrees {
                kind: kind.record_kind.name(),
                phrase: phrase.join(" "),
            }),
        }
    }
}

/// Draws words and phrases from records that are spread over the whole kind.
fn draw(tables: &Tables) -> Vec<Vec<String>> {
    let mut phrases = Vec::new();
    let size = if tables.is_empty() { 0 } else { SIZE };
    for number in 0..size {
        // Multiples of the golden ratio fall evenly into any range.
        let spread = (number as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let index = (u128::from(spread) * tables.len() as u128) >> 64;
        #[expect(clippy::cast_possible_truncation, reason = "it is below the number of records")]
        let record = tables.record(index as usize);
        let texts = record.texts();
        let words = texts.get(number % texts.len().max(1)).map(|text| tokens(&text.text));
        let words = words.unwrap_or_default();
        let length = (number % LONGEST + 1).min(words.len());
        let start = number % (words.len() - length + 1);
        let phrase = match &words[start..start + length] {
            [word] => vec![class_of(word).into_owned()],
            phrase => phrase.to_vec(),
        };
        if !phrase.is_empty() && !phrases.contains(&phrase) {
            phrases.push(phrase);
        }
    }
    phrases
}

/// The dimensions that hold a phrase, according to the engine.
fn dimensions_of(kind: &Kind, phrase: &[String]) -> Result<Vec<u32>, TantivyError> {
    let fields = kind.fields.text;
    let query: Box<dyn Query> = match phrase {
        [class] => {
            let term = Term::from_field_text(fields.classes, class);
            Box::new(TermQuery::new(term, IndexRecordOption::Basic))
        }
        tokens => {
            let term = |token: &String| Term::from_field_text(fields.tokens, token);
            Box::new(PhraseQuery::new(tokens.iter().map(term).collect()))
        }
    };
    let found = kind.texts.search(&*query, &DocSetCollector)?;
    let described = found.into_iter().map(|address| kind.described.of(address.doc_id));
    Ok(described.flatten().copied().collect())
}

/// Looks for phrases in texts, without an index.
struct Scan<'a> {
    /// The place of each class among the phrases.
    classes: FxHashMap<&'a str, usize>,
    /// The phrases that begin with each word, and their places.
    beginning: FxHashMap<&'a str, Vec<(usize, &'a [String])>>,
}

impl<'a> Scan<'a> {
    fn new(phrases: &'a [Vec<String>]) -> Self {
        let mut classes = FxHashMap::default();
        let mut beginning: FxHashMap<&str, Vec<(usize, &[String])>> = FxHashMap::default();
        for (place, phrase) in phrases.iter().enumerate() {
            match phrase.as_slice() {
                [] => {}
                [class] => drop(classes.insert(class.as_str(), place)),
                [first, ..] => beginning.entry(first).or_default().push((place, phrase)),
            }
        }
        Self { classes, beginning }
    }

    fn mask(&self, texts: impl Iterator<Item = impl AsRef<str>>) -> Mask {
        let mut mask = 0;
        for text in texts {
            let words = tokens(text.as_ref());
            for (start, word) in words.iter().enumerate() {
                let class = self.classes.get(&*class_of(word));
                class.into_iter().for_each(|place| mask |= 1 << place);
                let phrases = self.beginning.get(word.as_str()).into_iter().flatten();
                let held = phrases.filter(|(_, phrase)| words[start..].starts_with(phrase));
                held.for_each(|(place, _)| mask |= 1 << place);
            }
        }
        mask
    }

    /// The mask of every record. A phrase never crosses from one text to another, so a record holds
    /// exactly what its dimensions hold.
    fn masks<'t>(&self, tables: &'t Tables) -> Vec<Mask> {
        // Most texts of a site are shown by other sites too.
        let mut known: FxHashMap<Cow<'_, str>, Mask> = FxHashMap::default();
        let mut site = |site: &'t Arc<Site>| {
            site.texts().fold(0, |mask, text| {
                mask | match known.get(&text.text) {
                    Some(known) => *known,
                    None => {
                        let mask = self.mask([&text.text].into_iter());
                        known.insert(text.text, mask);
                        mask
                    }
                }
            })
        };
        let sites: Vec<Mask> = tables.sites.iter().map(&mut site).collect();
        let (substances, categories) = match &tables.rows {
            RecordTable::Release { substances, categories, .. } => {
                (&substances[..], &categories[..])
            }
            RecordTable::Emission { .. } => (&[][..], &[][..]),
        };
        let of_substance =
            |substance: &Arc<Substance>| self.mask(substance.texts().map(|text| text.text));
        let substances: Vec<Mask> = substances.iter().map(of_substance).collect();
        let of_category =
            |category: &Arc<Category>| self.mask(category.name_en.iter().chain(&category.name_fr));
        let categories: Vec<Mask> = categories.iter().map(of_category).collect();
        let of_medium =
            |medium: Medium| self.mask([medium.name_en(), medium.name_fr()].into_iter());
        let media = Medium::ALL.map(of_medium);
        let mut years = FxHashMap::default();
        let of_record = |index| {
            let (site, substance, medium) = tables.shared(index);
            let year = tables.year(index);
            let year = years.entry(year).or_insert_with(|| self.mask([year.to_string()].iter()));
            let mut mask = *year | sites[site as usize];
            mask |= substance.map_or(0, |substance| substances[usize::from(substance)]);
            mask |= medium.map_or(0, |medium| media[medium as usize]);
            let parts = tables.parts(index).iter();
            parts.fold(mask, |mask, part| mask | categories[usize::from(part.category)])
        };
        (0..tables.len()).map(of_record).collect()
    }
}
