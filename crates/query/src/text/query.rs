//! The parsed form of `q`.

use std::fmt;

use outfall_records::text::number_variants;

/// A parsed `q`: every clause must match. Without clauses everything does.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextQuery {
    /// The clauses, in the order written.
    pub clauses: Vec<Clause>,
    /// What was ignored or repaired, each kind at most once.
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
    /// What must stand in a row in one text of a record; never empty.
    pub tokens: Vec<String>,
    /// How exactly.
    pub form: UnitForm,
}

/// How exactly the tokens of a unit must stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnitForm {
    /// An unquoted word; when it is a single token, its plain plural and the reverse match too.
    Word,
    /// A quoted phrase: as it stands.
    Phrase,
}

/// What `q` was forgiven.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TextWarning {
    /// A quote where no unit starts is a space; one that nothing closed runs to the end.
    UnbalancedQuote,
    /// An `OR`, `AND` or `NOT` without a unit where it needs one was ignored, or a piece without
    /// tokens beside an `OR`.
    DanglingOperator,
}

impl TextUnit {
    /// The token sequences any of which makes the unit match; an exclusion reverses that.
    #[must_use]
    pub fn alternatives(&self) -> Vec<Vec<String>> {
        let mut alternatives = vec![self.tokens.clone()];
        if let (UnitForm::Word, [token]) = (self.form, self.tokens.as_slice()) {
            alternatives.extend(number_variants(token).map(|variant| vec![variant]));
        }
        alternatives
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

/// The compact form: tokens joined by `+`, phrases in quotes, `-` before exclusions, `|` between
/// alternatives, a space between clauses. Equal forms mean equal matches.
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
        let quote = if self.is_phrase() { "\"" } else { "" };
        write!(formatter, "{sign}{quote}{}{quote}", self.tokens.join("+"))
    }
}
