//! The names of facilities and the titles of industries over all years, the latest first.

use std::hash::Hash;

use outfall_records::{NaicsCode, ReportingYear};
use rustc_hash::FxHashMap;

/// The year and the place of a row: of two rows the later one counts more.
pub(crate) type When = (ReportingYear, usize);

/// The distinct texts that each key has had.
#[derive(Debug)]
pub(crate) struct Latest<K> {
    texts: FxHashMap<K, Vec<(When, String)>>,
}

impl<K: Eq + Hash> Default for Latest<K> {
    fn default() -> Self {
        Self { texts: FxHashMap::default() }
    }
}

impl<K: Eq + Hash> Latest<K> {
    /// Notes that `key` had `text` at that time.
    pub(crate) fn note(&mut self, key: K, text: &str, when: When) {
        let texts = self.texts.entry(key).or_default();
        match texts.iter_mut().find(|(_, known)| known == text) {
            Some((latest, _)) => *latest = when.max(*latest),
            None => texts.push((when, text.to_owned())),
        }
    }

    /// The text that `key` had last.
    pub(crate) fn get(&self, key: &K) -> Option<&String> {
        self.texts.get(key)?.iter().max_by_key(|(when, _)| *when).map(|(_, text)| text)
    }

    /// Every text that `key` has had, the latest first.
    pub(crate) fn all(&self, key: &K) -> Vec<String> {
        let mut texts = self.texts.get(key).cloned().unwrap_or_default();
        texts.sort_by_key(|(when, _)| std::cmp::Reverse(*when));
        texts.into_iter().map(|(_, text)| text).collect()
    }
}

/// The titles of industries, by code, in both languages.
#[derive(Debug, Default)]
pub(crate) struct Titles {
    english: Latest<NaicsCode>,
    french: Latest<NaicsCode>,
}

impl Titles {
    pub(crate) fn note(
        &mut self,
        code: Option<NaicsCode>,
        english: Option<&String>,
        french: Option<&String>,
        when: When,
    ) {
        let Some(code) = code else { return };
        if let Some(title) = english {
            self.english.note(code, title, when);
        }
        if let Some(title) = french {
            self.french.note(code, title, when);
        }
    }

    /// Fills blank titles of a code from its own kind of rows, else from `others`.
    pub(crate) fn fill(
        &self,
        others: &Self,
        code: Option<NaicsCode>,
        english: &mut Option<String>,
        french: &mut Option<String>,
    ) {
        let Some(code) = code else { return };
        if english.is_none() {
            *english = self.english.get(&code).or_else(|| others.english.get(&code)).cloned();
        }
        if french.is_none() {
            *french = self.french.get(&code).or_else(|| others.french.get(&code)).cloned();
        }
    }
}
