//! What a unit of `q` looks for, or a word of `substance`.

use std::borrow::Cow;
use std::fmt;

use outfall_records::Abbreviation;
use outfall_records::text::{class_of, token_of, words};

/// Words to be found in one text of a record, and perhaps the substances that they abbreviate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// The tokens that must be adjacent in one text of a record; never empty.
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
        (!tokens.is_empty()).then_some(Self { tokens, form, abbreviation })
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
