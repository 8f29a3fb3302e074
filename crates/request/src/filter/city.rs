//! `city=`: the city of the facility.

use outfall_records::text::tokens;

use super::Filter;
use crate::WordList;
use crate::reference::FilteredRecord;

/// One `city=`, compared with the whole name: `st-hyacinthe` finds `Saint-Hyacinthe`, and `York`
/// does not find `North York`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CityFilter {
    tokens: Vec<String>,
}

impl CityFilter {
    /// The filter of a name; `None` if it has no letters and digits.
    #[must_use]
    pub fn new(name: &str) -> Option<Self> {
        let tokens = tokens(name);
        (!tokens.is_empty()).then_some(Self { tokens })
    }

    /// The key that all spellings of a city's name have in common.
    #[must_use]
    pub fn key(&self) -> String {
        self.tokens.join(" ")
    }
}

impl Filter for CityFilter {
    const NAME: &'static str = "city";

    fn canonical(&self) -> String {
        self.key()
    }

    fn word_list(&self) -> Option<WordList> {
        Some(WordList::Cities)
    }

    fn passes(&self, record: &FilteredRecord<'_>) -> bool {
        let city = record.record().site().city.as_deref();
        city.is_some_and(|city| *record.tokens_of(city) == *self.tokens)
    }
}
