//! What a unit of `q` looks for, or a word of `substance`.

use std::borrow::Cow;
use std::fmt;

use outfall_records::Abbreviation;
use outfall_records::text::{class_of, token_of, words};

use crate::suggestion::is_word;

/// Words to be found in one text of a record, and perhaps the substances that they abbreviate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// The folded words as they are spelled; never empty.
    words: Vec<String>,
    /// The tokens that must be adjacent in one text of a record: those of the words.
    pub tokens: Vec<String>,
    /// How exactly the tokens must match.
    pub form: UnitForm,
    /// The abbreviation that it is: records with its substances match too, by a name.
    pub abbreviation: Option<&'static Abbreviation>,
}

/// How exactly the tokens of a pattern must match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnitForm {
    /// An unquoted word; when it is a single token, every token of its class matches.
    Word,
    /// A quoted phrase: only these tokens match.
    Phrase,
}

/// The tokens that a text must hold for a pattern to match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sought<'a> {
    /// A token of this class.
    Class(Cow<'a, str>),
    /// These tokens in a row.
    InARow(&'a [String]),
}

impl Pattern {
    /// The pattern of a text; `None` if there is no token in it.
    #[must_use]
    pub fn new(text: &str, form: UnitForm) -> Option<Self> {
        let words = words(text);
        let abbreviation = Abbreviation::of_words(&words);
        let tokens: Vec<String> = words.iter().map(|word| token_of(word).into_owned()).collect();
        (!tokens.is_empty()).then_some(Self { words, tokens, form, abbreviation })
    }

    /// The folded word, if it is an unquoted word of letters alone.
    #[must_use]
    pub(crate) fn word(&self) -> Option<&str> {
        match (self.form, self.words.as_slice()) {
            (UnitForm::Word, [word]) if is_word(word) => Some(word),
            _ => None,
        }
    }

    /// A spelling that parses to the same unquoted word again, the same for all words of one
    /// meaning.
    #[must_use]
    pub(crate) fn canonical_word(&self) -> String {
        let spelling = match self.sought() {
            Sought::Class(class) => class.into_owned(),
            Sought::InARow(tokens) => tokens.join("/"),
        };
        // The class of `cie` is spelled as the abbreviation of carbon monoxide.
        let again = Self::new(&spelling, UnitForm::Word);
        match again.is_some_and(|again| again.abbreviation == self.abbreviation) {
            true => spelling,
            false => self.words.join("/"),
        }
    }

    /// The tokens that a text must hold.
    #[must_use]
    pub fn sought(&self) -> Sought<'_> {
        match (self.form, self.tokens.as_slice()) {
            (UnitForm::Word, [token]) => Sought::Class(class_of(token)),
            (_, tokens) => Sought::InARow(tokens),
        }
    }

    /// Whether it is matched by position: a quoted phrase, or a word of several tokens.
    #[must_use]
    pub fn is_phrase(&self) -> bool {
        self.form == UnitForm::Phrase || self.tokens.len() > 1
    }
}

/// The compact form: a word as its class, tokens in a row joined by `+` in quotes, then `=` and the
/// abbreviation that it is. Equal forms mean equal matches.
impl fmt::Display for Pattern {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.sought() {
            Sought::Class(class) => write!(formatter, "{class}")?,
            Sought::InARow(tokens) => write!(formatter, "\"{}\"", tokens.join("+"))?,
        }
        match self.abbreviation {
            Some(abbreviation) => write!(formatter, "={}", abbreviation.spelling),
            None => Ok(()),
        }
    }
}
