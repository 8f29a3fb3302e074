//! `company=`: the company that the record names.

use outfall_records::text::tokens;

use super::Filter;
use crate::WordList;
use crate::reference::FilteredRecord;

/// One `company=`: tokens that stand in a row in the legal or the trade name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompanyFilter {
    tokens: Vec<String>,
}

impl CompanyFilter {
    /// The filter of a name or a part of one; `None` if it has no letters and digits.
    #[must_use]
    pub fn new(name: &str) -> Option<Self> {
        let tokens = tokens(name);
        (!tokens.is_empty()).then_some(Self { tokens })
    }

    /// The tokens sought, one or more.
    #[must_use]
    pub fn tokens(&self) -> &[String] {
        &self.tokens
    }
}

impl Filter for CompanyFilter {
    const NAME: &'static str = "company";

    fn canonical(&self) -> String {
        self.tokens.join(" ")
    }

    fn word_list(&self) -> Option<WordList> {
        Some(WordList::Words)
    }

    fn passes(&self, record: &FilteredRecord<'_>) -> bool {
        record.record().site().company_names().any(|name| {
            let name = record.tokens_of(name);
            name.windows(self.tokens.len()).any(|window| *window == *self.tokens)
        })
    }
}
