//! Suggestions for a word that occurs nowhere.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use outfall_records::Abbreviation;
use outfall_records::text::{class_of, fold, token_of, words};

use crate::{CityFilter, SearchError};

/// The words that an engine's records of one kind have.
pub trait Vocabulary {
    /// Calls `visit` once with every entry of a list: some tens of thousands are compared within a
    /// millisecond.
    fn visit(&self, list: WordList, visit: &mut dyn FnMut(&str));
}

/// A list of words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WordList {
    /// The folded words of everything that `q` searches, without those with digits.
    Words,
    /// The folded names of cities.
    Cities,
}

/// The most suggestions for a word.
const MOST: usize = 3;
/// The longest word that may differ in one letter only.
const SHORT: usize = 5;

impl WordList {
    /// The entries of the list that a text has: all its words, or itself.
    pub fn entries(self, text: &str) -> Vec<String> {
        match self {
            Self::Words => {
                let mut words = words(text);
                words.retain(|word| is_word(word));
                words
            }
            Self::Cities => vec![folded_name(text)],
        }
    }

    /// What the entries with one meaning have in common.
    fn meaning(self, entry: &str) -> String {
        match self {
            Self::Words => class_of(&token_of(entry)).into_owned(),
            Self::Cities => CityFilter::new(entry).map_or_else(String::new, |city| city.key()),
        }
    }
}

/// Whether a folded word has letters alone.
pub(crate) fn is_word(word: &str) -> bool {
    word.chars().all(char::is_alphabetic)
}

/// The entries of a list that are most like `text`: by the letters that differ, then by how many
/// records have them, then in alphabetical order. No two have one meaning.
pub(crate) fn nearest(
    vocabulary: &dyn Vocabulary,
    list: WordList,
    text: &str,
    count: impl Fn(&str) -> Result<u64, SearchError>,
) -> Result<Vec<String>, SearchError> {
    let sought = Sought::new(text);
    let mut near: Vec<(usize, String)> = Vec::new();
    vocabulary.visit(list, &mut |entry| {
        near.extend(sought.distance(entry).map(|distance| (distance, entry.to_owned())));
    });
    near.retain(|(_, entry)| Abbreviation::of_words(&words(entry)).is_none());
    near.sort_unstable();
    let mut meanings = BTreeSet::new();
    near.retain(|(_, entry)| meanings.insert(list.meaning(entry)));
    let mut nearest = Vec::new();
    for equal in near.chunk_by(|a, b| a.0 == b.0) {
        let mut counted = Vec::new();
        for (_, entry) in equal {
            counted.push((Reverse(count(entry)?), entry.clone()));
        }
        counted.sort_unstable();
        nearest.extend(counted.into_iter().map(|(_, entry)| entry));
        if nearest.len() >= MOST {
            break;
        }
    }
    nearest.truncate(MOST);
    Ok(nearest)
}

fn folded_name(text: &str) -> String {
    fold(text).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A word that occurs nowhere.
struct Sought {
    word: String,
    len: usize,
    letters: u32,
    /// The most letters that may differ.
    most: usize,
}

impl Sought {
    fn new(text: &str) -> Self {
        let word = folded_name(text);
        let len = word.chars().count();
        let most = if len <= SHORT { 1 } else { 2 };
        Self { len, letters: letters(&word), most, word }
    }

    /// In how many letters `other` differs, if they are few enough. Words whose lengths or letters
    /// differ too much, which are nearly all, are not compared.
    fn distance(&self, other: &str) -> Option<usize> {
        let missing = (self.letters & !letters(other)).count_ones();
        let added = (letters(other) & !self.letters).count_ones();
        if missing.max(added) as usize > self.most
            || other.chars().count().abs_diff(self.len) > self.most
        {
            return None;
        }
        let distance = strsim::osa_distance(&self.word, other);
        (distance <= self.most).then_some(distance)
    }
}

/// The letters of a word as bits; some bits stand for several letters.
fn letters(word: &str) -> u32 {
    word.chars().fold(0, |letters, letter| letters | 1 << (u32::from(letter) % 32))
}
