//! `substance=`: a substance by its id, or by words of its names.

use outfall_records::SubstanceId;

use super::spelled::distinct;
use super::{Filter, FilteredRecord};

/// One `substance=`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SubstanceFilter {
    /// The value is a CAS RN or an NPRI code: the id itself.
    Id(SubstanceId),
    /// The tokens of each word; every word occurs in some name that the substance ever had.
    /// There is a word, and every word has a token: a value without any is refused, not ignored.
    Words(Vec<Vec<String>>),
}

impl Filter for SubstanceFilter {
    const NAME: &'static str = "substance";

    /// Words are read as the same words again: a slash never makes an id.
    fn canonical(&self) -> String {
        match self {
            Self::Id(id) => id.to_string(),
            Self::Words(words) => {
                let words: Vec<String> = words.iter().map(|tokens| tokens.join("/")).collect();
                words.join(" ")
            }
        }
    }

    fn bound(&self) -> String {
        match self {
            Self::Id(id) => format!("={id}"),
            Self::Words(words) => distinct(words.iter().map(|tokens| tokens.join("+"))).join(" "),
        }
    }

    /// Each word may stand in another of the names.
    fn passes(&self, record: &dyn FilteredRecord) -> bool {
        match (self, record.record().substance()) {
            (_, None) => false,
            (Self::Id(id), Some(substance)) => substance.id == *id,
            (Self::Words(words), Some(_)) => {
                words.iter().all(|tokens| record.has_substance_name(tokens))
            }
        }
    }
}
