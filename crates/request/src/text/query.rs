//! The parsed form of `q`.

use std::fmt;

use super::Pattern;

/// A parsed `q`: every clause must match. Without clauses everything does.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextQuery {
    /// The clauses, in the order written.
    pub clauses: Vec<Clause>,
    /// Repairs of the query, each kind at most once.
    pub warnings: Vec<TextWarning>,
    /// Syntax of other search languages that was dropped or read as plain text: each once, as
    /// written.
    pub ignored: Vec<String>,
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
    /// As the caller wrote it, but without sign, quotes and the punctuation around it.
    pub text: String,
    /// What it looks for.
    pub pattern: Pattern,
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

/// The compact form: patterns, `-` before exclusions, `|` between alternatives, a space between
/// clauses. Equal forms mean equal matches.
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
        write!(formatter, "{sign}{}", self.pattern)
    }
}
