//! The parsed form of `q`.

use std::borrow::Cow;
use std::fmt;

use outfall_records::text::class_of;

/// A parsed `q`: every clause must match. Without clauses everything does.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextQuery {
    /// The clauses, in the order written.
    pub clauses: Vec<Clause>,
    /// Repairs of the query, each kind at most once.
    pub warnings: Vec<TextWarning>,
}

/// Alternatives, any of which may match; never empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clause {
    /// The units, in the order written.
    pub units: Vec<TextUnit>,
}

/// A word or a phrase, perhaps excluded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextUnit {
    /// Whether records that hold it are left out.
    pub is_excluded: bool,
    /// As the caller wrote it, its `-` or `NOT ` and its quotes included.
    pub written: String,
    /// The tokens that must be adjacent in one text of a record; never empty.
    pub tokens: Vec<String>,
    /// How exactly the tokens must match.
    pub form: UnitForm,
}

/// How exactly the tokens of a unit must match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnitForm {
    /// An unquoted word; when it is a single token, every token of its class matches.
    Word,
    /// A quoted phrase: only these tokens match.
    Phrase,
}

/// The tokens that a text must hold for a unit to match; an exclusion reverses that.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sought<'a> {
    /// A token of this class.
    Class(Cow<'a, str>),
    /// These tokens in a row.
    InARow(&'a [String]),
}

/// A repair of `q`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TextWarning {
    /// A quote where no unit starts was read as a space, or a phrase without a closing quote as
    /// running to the end.
    UnbalancedQuote,
    /// An `OR`, `AND` or `NOT` without a unit where it needs one was ignored, or a piece without
    /// tokens beside an `OR`.
    DanglingOperator,
}

impl TextUnit {
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

impl TextQuery {
    /// Every unit, clause by clause.
    pub fn units(&self) -> impl Iterator<Item = &TextUnit> {
        self.clauses.iter().flat_map(|clause| &clause.units)
    }

    /// Whether everything matches.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.clauses.is_empty()
    }
}

/// The compact form: words by class, tokens joined by `+`, phrases in quotes, `-` before
/// exclusions, `|` between alternatives, a space between clauses. Equal forms mean equal matches.
impl fmt::Display for TextQuery {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, clause) in self.clauses.iter().enumerate() {
            let separator = if index == 0 { "" } else { " " };
            write!(formatter, "{separator}{clause}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Clause {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, unit) in self.units.iter().enumerate() {
            let separator = if index == 0 { "" } else { "|" };
            write!(formatter, "{separator}{unit}")?;
        }
        Ok(())
    }
}

impl fmt::Display for TextUnit {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.is_excluded { "-" } else { "" };
        match self.sought() {
            Sought::Class(class) => write!(formatter, "{sign}{class}"),
            Sought::InARow(tokens) => write!(formatter, "{sign}\"{}\"", tokens.join("+")),
        }
    }
}
