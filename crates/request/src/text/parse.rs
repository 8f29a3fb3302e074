//! Parses the text of `q`. Any text is a valid query; only its size is bounded.
//!
//! ```text
//! query    = [ clause *( SP [ "AND" SP ] clause ) ]    every clause must match
//! clause   = negation *( SP "OR" SP negation )         any may match; OR binds tighter than SP
//! negation = *( "NOT" SP ) unit
//! unit     = sign ( phrase / word )
//! sign     = *( hyphen / opener )                      a hyphen excludes
//! phrase   = quote *any quote *mark                    a mark is punctuation
//! word     = fields / 1*( any but SP and quotes )
//! fields   = 1*( field *opener )                       where a quote or a hyphen follows
//! field    = 1*( letter / "_" ) ":"
//! opener   = "(" / "[" / "{" / "+" / "~"
//! ```
//!
//! `SP` is white space, a quote behind a word, or nothing behind a phrase or `fields`. So a quote
//! opens a phrase, and a hyphen excludes, only where a unit starts; elsewhere a quote is a space,
//! with a warning, and a hyphen is punctuation.
//!
//! A piece without tokens, such as `/`, is removed before the grammar is applied, with a warning if
//! it was beside an `OR`. An operator where the grammar does not allow one is ignored with a
//! warning. The lexer has the productions of `unit`, the parser those above it; neither recurses
//! nor backtracks.

use super::lexer::{Lexeme, LexemeKind, Lexer};
use super::{Clause, TextQuery, TextUnit, TextWarning};

/// The longest `q`, in Unicode scalar values.
pub const MAX_LENGTH: usize = 512;
/// The most words and phrases.
pub const MAX_UNITS: usize = 32;
/// The most phrases among them; a word of several tokens is one.
pub const MAX_PHRASES: usize = 16;

/// Why a `q` is too complex.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseError {
    /// Longer than [`MAX_LENGTH`].
    #[error("{length} characters long, of at most {MAX_LENGTH}")]
    TooLong {
        /// In Unicode scalar values.
        length: usize,
    },
    /// More than [`MAX_UNITS`].
    #[error("{units} words and phrases, of at most {MAX_UNITS}")]
    TooManyUnits {
        /// Words and phrases.
        units: usize,
    },
    /// More than [`MAX_PHRASES`].
    #[error(
        "{phrases} phrases, of at most {MAX_PHRASES}; a word with digits or punctuation inside is one"
    )]
    TooManyPhrases {
        /// Phrases.
        phrases: usize,
    },
}

/// Parses `q`.
///
/// # Errors
/// See [`ParseError`]; no text is a syntax error.
pub fn parse(text: &str) -> Result<TextQuery, ParseError> {
    let text = text.trim();
    let length = text.chars().count();
    if length > MAX_LENGTH {
        return Err(ParseError::TooLong { length });
    }
    let mut parser = Parser::default();
    let mut lexer = Lexer::new(text);
    while let Some(lexeme) = lexer.next() {
        parser.take(text, lexeme);
    }
    let mut query = parser.finish(lexer.is_unbalanced);
    for operator in lower_case_operators(&query) {
        lexer.ignored.add(operator);
    }
    if !query.is_empty() {
        query.ignored = lexer.ignored.into_texts();
    }
    let units = query.units().count();
    if units > MAX_UNITS {
        return Err(ParseError::TooManyUnits { units });
    }
    let phrases = query.units().filter(|unit| unit.pattern.is_phrase()).count();
    if phrases > MAX_PHRASES {
        return Err(ParseError::TooManyPhrases { phrases });
    }
    Ok(query)
}

/// An operator between two units.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Infix {
    Or,
    And,
}

#[derive(Default)]
struct Parser {
    clauses: Vec<Clause>,
    /// The clause that an `OR` would continue.
    open: Vec<TextUnit>,
    /// The operator that waits for the unit to its right.
    infix: Option<Infix>,
    /// The start of a `NOT` that waits for its unit.
    not: Option<usize>,
    /// The previous piece.
    previous: Previous,
    is_dangling: bool,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Previous {
    #[default]
    Other,
    Or,
    Nothing,
}

impl Parser {
    fn take(&mut self, text: &str, lexeme: Lexeme) {
        let previous = match lexeme.kind {
            LexemeKind::Or => Previous::Or,
            LexemeKind::Nothing => Previous::Nothing,
            _ => Previous::Other,
        };
        let pair = [std::mem::replace(&mut self.previous, previous), previous];
        self.is_dangling |= pair.contains(&Previous::Or) && pair.contains(&Previous::Nothing);
        match lexeme.kind {
            LexemeKind::Or => self.infix(Infix::Or),
            LexemeKind::And => self.infix(Infix::And),
            LexemeKind::Not => self.not = self.not.or(Some(lexeme.start)),
            LexemeKind::Nothing => {}
            LexemeKind::Operand { is_excluded, text: bare, pattern } => {
                let not = self.not.take();
                let written = text[not.unwrap_or(lexeme.start)..lexeme.end].to_owned();
                let is_excluded = is_excluded || not.is_some();
                self.operand(TextUnit { is_excluded, written, text: bare, pattern });
            }
        }
    }

    /// Of adjacent operators one counts, `OR` before `AND`; a `NOT` between them negates nothing.
    fn infix(&mut self, infix: Infix) {
        let negates_nothing = self.not.take().is_some();
        let has_left = !self.open.is_empty();
        let is_misplaced = !has_left || self.infix.is_some();
        self.is_dangling |= negates_nothing || is_misplaced;
        if has_left && self.infix != Some(Infix::Or) {
            self.infix = Some(infix);
        }
    }

    /// `negation`: continues the clause after an `OR`, begins the next one after anything else.
    fn operand(&mut self, unit: TextUnit) {
        if self.infix.take() != Some(Infix::Or) {
            self.close();
        }
        self.open.push(unit);
    }

    /// `clause`: ends it, if one has begun.
    fn close(&mut self) {
        if !self.open.is_empty() {
            self.clauses.push(Clause { units: std::mem::take(&mut self.open) });
        }
    }

    /// `query`.
    fn finish(mut self, is_unbalanced: bool) -> TextQuery {
        self.close();
        self.is_dangling |= self.infix.is_some() || self.not.is_some();
        let mut warnings = Vec::new();
        if is_unbalanced {
            warnings.push(TextWarning::UnbalancedQuote);
        }
        if self.is_dangling {
            warnings.push(TextWarning::DanglingOperator);
        }
        TextQuery { clauses: self.clauses, warnings, ignored: Vec::new() }
    }
}

/// `or` and `not` between two units, where another language has an operator.
fn lower_case_operators(query: &TextQuery) -> Vec<&'static str> {
    let units: Vec<&str> = query.units().map(|unit| unit.written.as_str()).collect();
    let [_, between @ .., _] = units.as_slice() else { return Vec::new() };
    ["or", "not"].into_iter().filter(|operator| between.contains(operator)).collect()
}

#[cfg(test)]
mod tests;
