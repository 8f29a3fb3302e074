//! `substance=`: a substance by its id, or by words of its names.

use outfall_records::SubstanceId;

use super::Filter;
use super::spelled::distinct;
use crate::WordList;
use crate::reference::FilteredRecord;
use crate::text::{Pattern, Sought, UnitForm};

/// One `substance=`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SubstanceFilter {
    /// The value is a CAS RN or an NPRI code: the id itself.
    Id(SubstanceId),
    /// Words, each matched as an unquoted word of `q`: it occurs in some name that the substance
    /// ever had, or it is an abbreviation of it. There is at least one: a value without words is
    /// refused, not ignored.
    Words(Vec<Pattern>),
}

impl SubstanceFilter {
    /// The words of a value; `None` if it has none.
    #[must_use]
    pub fn words(value: &str) -> Option<Self> {
        let words = value.split_whitespace();
        let words: Vec<_> = words.filter_map(|word| Pattern::new(word, UnitForm::Word)).collect();
        (!words.is_empty()).then_some(Self::Words(words))
    }
}

impl Filter for SubstanceFilter {
    const NAME: &'static str = "substance";

    /// The result parses to the same words again: a slash never makes an id.
    fn canonical(&self) -> String {
        match self {
            Self::Id(id) => id.to_string(),
            Self::Words(words) => {
                let words: Vec<String> = words.iter().map(Pattern::canonical_word).collect();
                words.join(" ")
            }
        }
    }

    /// A word of one token is marked, because it has come to match more: a cursor that was bound to
    /// the bare token belongs to a smaller set.
    fn bound(&self) -> String {
        let bound = |word: &Pattern| match (word.sought(), word.abbreviation) {
            (Sought::InARow(tokens), None) => tokens.join("+"),
            _ => format!("~{word}"),
        };
        match self {
            Self::Id(id) => format!("={id}"),
            Self::Words(words) => distinct(words.iter().map(bound)).join(" "),
        }
    }

    fn word_list(&self) -> Option<WordList> {
        match self {
            Self::Id(_) => None,
            Self::Words(_) => Some(WordList::Words),
        }
    }

    /// Each word may occur in a different name.
    fn passes(&self, record: &FilteredRecord<'_>) -> bool {
        match (self, record.record().substance()) {
            (_, None) => false,
            (Self::Id(id), Some(substance)) => substance.id == *id,
            (Self::Words(words), Some(substance)) => words.iter().all(|word| {
                record.has_substance_name(word)
                    || word.abbreviation.is_some_and(|known| known.names(&substance.id))
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The texts of cursors from before words had plurals and abbreviations are no longer used
    /// where they may mean another set.
    #[test]
    fn words_are_bound_by_their_meaning() {
        for (value, canonical, bound) in [
            ("Mercury", "mercury", "~mercury"),
            ("mercurys  MERCURYX", "mercury mercury", "~mercury"),
            ("1,1,1-trichloroethane", "1/1/1/trichloroethane", "1+1+1+trichloroethane"),
            ("Sainte-Foy d'oxyde", "ste/foy oxyde", "ste+foy ~oxyde"),
            ("SO₂ so-2", "so/2 so/2", "~\"so+2\"=SO2"),
            ("CO", "co", "~co=CO"),
            ("company", "company", "~co"),
            ("cie", "cie", "~co"),
            ("vocsx & vocs", "vocsx and vocs", "~and ~vocs ~vocs=VOCs"),
        ] {
            let filter = SubstanceFilter::words(value).unwrap();
            assert_eq!(filter.canonical(), canonical, "{value}");
            assert_eq!(filter.bound(), bound, "{value}");
            let again = SubstanceFilter::words(canonical).unwrap();
            assert_eq!(again.bound(), bound, "{canonical}");
        }
        assert_eq!(SubstanceFilter::words("-- /"), None);
    }
}
