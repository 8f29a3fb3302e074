//! From the text of `q` to its parsed form. Any text is a valid query; only its size is bounded.
//!
//! ```text
//! query  = clause *( SP clause )            every clause must match
//! clause = unit *( SP "OR" SP unit )        any unit may match; OR binds tighter than the space
//! unit   = [ "-" ] ( word / phrase )
//! phrase = DQUOTE *any DQUOTE
//! ```
//!
//! A standalone `AND` is the space, `NOT x` is `-x`. What stands where the grammar has no place for
//! it is ignored, operators with a warning.

use outfall_records::text::tokens;

use super::{Clause, TextQuery, TextUnit, TextWarning, UnitForm};

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
    let mut lexer = Lexer {
        text,
        position: 0,
        is_unbalanced: false,
    };
    while let Some(lexeme) = lexer.next() {
        parser.take(text, lexeme);
    }
    let query = parser.finish(lexer.is_unbalanced);
    let units = query.units().count();
    if units > MAX_UNITS {
        return Err(ParseError::TooManyUnits { units });
    }
    let phrases = query.units().filter(|unit| unit.is_phrase()).count();
    if phrases > MAX_PHRASES {
        return Err(ParseError::TooManyPhrases { phrases });
    }
    Ok(query)
}

/// A piece of the text, from `start` to `end`.
struct Lexeme {
    kind: LexemeKind,
    start: usize,
    end: usize,
}

enum LexemeKind {
    Or,
    And,
    Not,
    Operand {
        is_excluded: bool,
        tokens: Vec<String>,
        form: UnitForm,
    },
}

struct Lexer<'a> {
    text: &'a str,
    position: usize,
    is_unbalanced: bool,
}

const fn is_quote(c: char) -> bool {
    matches!(c, '"' | '“' | '”' | '«' | '»')
}

const fn is_hyphen(c: char) -> bool {
    matches!(c, '-' | '\u{2010}' | '\u{2011}' | '\u{2212}')
}

impl Lexer<'_> {
    /// `unit`, or an operator.
    fn next(&mut self) -> Option<Lexeme> {
        let rest = &self.text[self.position..];
        let rest_trimmed = rest.trim_start();
        let start = self.position + rest.len() - rest_trimmed.len();
        let operand = rest_trimmed.trim_start_matches(is_hyphen);
        let is_excluded = operand.len() < rest_trimmed.len();
        self.position = self.text.len() - operand.len();
        let kind = match operand.chars().next() {
            None if !is_excluded => return None,
            Some(quote) if is_quote(quote) => self.phrase(quote, is_excluded),
            _ => self.word(is_excluded),
        };
        Some(Lexeme {
            kind,
            start,
            end: self.position,
        })
    }

    /// `phrase`: to the next quote of any form, or to the end.
    fn phrase(&mut self, quote: char, is_excluded: bool) -> LexemeKind {
        let inside = &self.text[self.position + quote.len_utf8()..];
        let content = match inside.find(is_quote) {
            Some(end) => &inside[..end],
            None => inside,
        };
        let closing = inside[content.len()..].chars().next();
        self.is_unbalanced |= closing.is_none();
        self.position += quote.len_utf8() + content.len() + closing.map_or(0, char::len_utf8);
        LexemeKind::Operand {
            is_excluded,
            tokens: tokens(content),
            form: UnitForm::Phrase,
        }
    }

    /// `word`, or an operator: to the next space or quote.
    fn word(&mut self, is_excluded: bool) -> LexemeKind {
        let rest = &self.text[self.position..];
        let end = rest
            .find(|c: char| c.is_whitespace() || is_quote(c))
            .unwrap_or(rest.len());
        self.position += end;
        match &rest[..end] {
            "OR" if !is_excluded => LexemeKind::Or,
            "AND" if !is_excluded => LexemeKind::And,
            "NOT" if !is_excluded => LexemeKind::Not,
            word => LexemeKind::Operand {
                is_excluded,
                tokens: tokens(word),
                form: UnitForm::Word,
            },
        }
    }
}

/// An operator that waits for its right operand.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Infix {
    Or,
    And,
}

#[derive(Default)]
struct Parser {
    clauses: Vec<Clause>,
    /// The clause that an `OR` would go on with.
    open: Vec<TextUnit>,
    has_operand: bool,
    infix: Option<Infix>,
    /// Where a `NOT` began that waits for its operand.
    not: Option<usize>,
    is_dangling: bool,
}

impl Parser {
    fn take(&mut self, text: &str, lexeme: Lexeme) {
        match lexeme.kind {
            LexemeKind::Or => self.infix(Infix::Or),
            LexemeKind::And => self.infix(Infix::And),
            LexemeKind::Not => self.not = self.not.or(Some(lexeme.start)),
            LexemeKind::Operand {
                is_excluded,
                tokens,
                form,
            } => {
                let not = self.not.take();
                let written = text[not.unwrap_or(lexeme.start)..lexeme.end].to_owned();
                let is_excluded = is_excluded || not.is_some();
                self.operand(TextUnit {
                    is_excluded,
                    written,
                    tokens,
                    form,
                });
            }
        }
    }

    fn infix(&mut self, infix: Infix) {
        let has_left = self.has_operand && self.infix.is_none() && self.not.take().is_none();
        if has_left {
            self.infix = Some(infix);
        } else {
            self.is_dangling = true;
        }
    }

    /// `clause`: goes on after an `OR`, begins anew after anything else.
    fn operand(&mut self, unit: TextUnit) {
        if self.infix.take() != Some(Infix::Or) {
            self.close();
        }
        self.has_operand = true;
        // A unit without tokens says nothing; it vanishes with its place in the chain.
        if !unit.tokens.is_empty() {
            self.open.push(unit);
        }
    }

    fn close(&mut self) {
        if !self.open.is_empty() {
            self.clauses.push(Clause {
                units: std::mem::take(&mut self.open),
            });
        }
    }

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
        TextQuery {
            clauses: self.clauses,
            warnings,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// `q`, its display form, and the warnings: `"` for a quote, `?` for an operator.
    fn check(cases: &[(&str, &str, &str)]) {
        for (text, form, warnings) in cases {
            let query = parse(text).unwrap();
            let found: String = (query.warnings.iter())
                .map(|warning| match warning {
                    TextWarning::UnbalancedQuote => '"',
                    TextWarning::DanglingOperator => '?',
                })
                .collect();
            assert_eq!(
                (query.to_string().as_str(), found.as_str()),
                (*form, *warnings),
                "{text}"
            );
        }
    }

    #[test]
    fn the_worked_set_means_what_the_contract_says() {
        check(&[
            ("mercury Sarnia", "mercury sarnia", ""),
            ("mercury OR lead", "mercury|lead", ""),
            ("Sarnia benzene OR toluene", "sarnia benzene|toluene", ""),
            ("benzene OR toluene Sarnia", "benzene|toluene sarnia", ""),
            (
                "benzene OR toluene OR xylene -Ontario",
                "benzene|toluene|xylene -ontario",
                "",
            ),
            ("\"sulphur dioxide\"", "\"sulfur+dioxide\"", ""),
            ("\"sulfur dioxide\"", "\"sulfur+dioxide\"", ""),
            ("QUÉBEC", "quebec", ""),
            ("l'usine", "usine", ""),
            ("L’Usine", "usine", ""),
            ("Sainte-Foy", "\"ste+foy\"", ""),
            ("\"sainte foy\"", "\"ste+foy\"", ""),
            ("Ste-Foy", "\"ste+foy\"", ""),
            ("Sainte Foy", "ste foy", ""),
            ("7439-97-6", "\"7439+97+6\"", ""),
            ("-mercury", "-mercury", ""),
            (
                "mercury -\"and its compounds\"",
                "mercury -\"and+its+compounds\"",
                "",
            ),
            ("Smith & Sons", "smith and sons", ""),
            ("Smith and Sons", "smith and sons", ""),
            ("\"mercury", "\"mercury\"", "\""),
            ("OR mercury", "mercury", "?"),
            ("mercury OR", "mercury", "?"),
            ("mine d'or", "mine or", ""),
            ("1,1,2-trichloroethane", "\"1+1+2+trichloroethane\"", ""),
            ("PM2.5", "\"pm+2+5\"", ""),
            ("PM 2.5", "pm \"2+5\"", ""),
            ("211", "211", ""),
        ]);
    }

    #[test]
    fn operators_stand_only_between_units() {
        check(&[
            ("a AND b", "a b", ""),
            ("NOT a", "-a", ""),
            ("NOT -a", "-a", ""),
            ("NOT NOT a", "-a", ""),
            ("a OR NOT b", "a|-b", ""),
            ("a OR -b", "a|-b", ""),
            ("a OR OR b", "a|b", "?"),
            ("a AND OR b", "a b", "?"),
            ("a AND AND b", "a b", "?"),
            ("AND a", "a", "?"),
            ("a AND", "a", "?"),
            ("a NOT", "a", "?"),
            ("a NOT OR b", "a b", "?"),
            ("OR", "", "?"),
            ("OR OR AND NOT", "", "?"),
            ("a or b", "a or b", ""),
            ("\"OR\"", "\"or\"", ""),
            ("a -OR b", "a -or b", ""),
            ("a OR b AND c OR d", "a|b c|d", ""),
            ("OR \"a", "\"a\"", "\"?"),
        ]);
    }

    #[test]
    fn quotes_and_hyphens_of_every_form_are_known() {
        check(&[
            ("“a b” «c» d", "\"a+b\" \"c\" d", ""),
            ("foo\"bar baz\"qux", "foo \"bar+baz\" qux", ""),
            ("-\"a b\"", "-\"a+b\"", ""),
            ("-Sainte-Foy", "-\"ste+foy\"", ""),
            ("\u{2212}a \u{2010}b \u{2011}c --d", "-a -b -c -d", ""),
            ("\u{2013}a", "a", ""),
            ("a-b", "\"a+b\"", ""),
            ("a - b", "a b", ""),
            ("\"a\"-b", "\"a\" -b", ""),
            ("a \"", "a", "\""),
            ("\"\"", "", ""),
            ("… -- \"--\"", "", ""),
            ("", "", ""),
            ("  \u{a0} ", "", ""),
        ]);
    }

    #[test]
    fn what_says_nothing_vanishes_from_a_chain() {
        check(&[
            ("a OR … OR b", "a|b", ""),
            ("a OR …", "a", ""),
            ("… OR b", "b", ""),
            ("a … OR b", "a b", ""),
            ("a OR - b", "a b", ""),
        ]);
    }

    #[test]
    fn units_keep_what_the_caller_wrote() {
        let query = parse("NOT  Mines -\"a  b\" «c» l’Usine").unwrap();
        let written: Vec<&str> = query.units().map(|unit| unit.written.as_str()).collect();
        assert_eq!(written, ["NOT  Mines", "-\"a  b\"", "«c»", "l’Usine"]);
    }

    #[test]
    fn size_is_bounded() {
        let words = |count| vec!["a"; count].join(" ");
        let phrases = |count| vec!["a-b"; count].join(" ");
        for (text, expected) in [
            ("é".repeat(512), Ok(1)),
            (format!("  {}  ", "é".repeat(512)), Ok(1)),
            ("é".repeat(513), Err(ParseError::TooLong { length: 513 })),
            (words(32), Ok(32)),
            (format!("{} --", words(32)), Ok(32)),
            (words(33), Err(ParseError::TooManyUnits { units: 33 })),
            (phrases(16), Ok(16)),
            (phrases(17), Err(ParseError::TooManyPhrases { phrases: 17 })),
        ] {
            assert_eq!(
                parse(&text).map(|query| query.units().count()),
                expected,
                "{text}"
            );
        }
    }

    proptest! {
        #[test]
        fn any_text_is_parsed(text in "([-\"a-c«’ ]|OR |AND |NOT |\\PC){0,60}") {
            let query = parse(&text);
            if let Ok(query) = query {
                prop_assert!(query.clauses.iter().all(|clause| !clause.units.is_empty()));
                prop_assert!(query.units().all(|unit| !unit.tokens.is_empty()));
                prop_assert!(query.units().all(|unit| text.contains(&unit.written)));
            }
        }

        #[test]
        fn or_reaches_only_its_neighbours(words in proptest::collection::vec(("[a-z]{3,6}", any::<bool>()), 1..12)) {
            let mut text = String::new();
            let mut clauses = 1;
            for (place, (word, is_or)) in words.iter().enumerate() {
                match (place, is_or) {
                    (0, _) => {}
                    (_, true) => text.push_str(" OR "),
                    (_, false) => {
                        text.push(' ');
                        clauses += 1;
                    }
                }
                text.push_str(word);
            }
            let query = parse(&text).unwrap();
            prop_assert_eq!(query.clauses.len(), clauses);
            prop_assert_eq!(query.units().count(), words.len());
        }
    }
}
