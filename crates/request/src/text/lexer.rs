//! The pieces of `q`: words, phrases and operators, cut in one pass from left to right.

use outfall_records::text::{fold, tokens};

use super::ignored::IgnoredSyntax;
use super::{Pattern, UnitForm};

/// A piece of the text, from `start` to `end`.
pub(super) struct Lexeme {
    pub(super) kind: LexemeKind,
    pub(super) start: usize,
    pub(super) end: usize,
}

pub(super) enum LexemeKind {
    Or,
    And,
    Not,
    /// A piece without tokens, such as `/`.
    Nothing,
    /// A word or a phrase.
    Operand {
        is_excluded: bool,
        /// Without sign, quotes and outer punctuation.
        text: String,
        pattern: Pattern,
    },
}

/// Cuts the text into pieces. Where a unit starts decides what a quote or a hyphen means.
pub(super) struct Lexer<'a> {
    text: &'a str,
    position: usize,
    /// Whether a unit starts at `position` even without a space.
    is_unit_start: bool,
    /// Whether there was a quote where no unit starts, or a phrase that was not closed.
    pub(super) is_unbalanced: bool,
    /// Syntax of other languages so far.
    pub(super) ignored: IgnoredSyntax<'a>,
}

/// Quotes of every form are one toggle: whichever comes next closes a phrase.
const fn is_quote(c: char) -> bool {
    matches!(c, '"' | '“' | '”' | '«' | '»')
}

const fn is_hyphen(c: char) -> bool {
    matches!(c, '-' | '\u{2010}' | '\u{2011}' | '\u{2212}')
}

/// Punctuation that a unit may start with.
const fn is_opener(c: char) -> bool {
    matches!(c, '(' | '[' | '{' | '+' | '~')
}

/// Punctuation that is dropped behind a phrase. `&` is a word.
pub(super) fn is_mark(c: char) -> bool {
    let separates = c.is_whitespace() || is_quote(c) || is_hyphen(c);
    !separates && !has_token(c)
}

pub(super) fn is_field_name(c: char) -> bool {
    c.is_alphabetic() || c == '_'
}

impl<'a> Lexer<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        let ignored = IgnoredSyntax::default();
        Self { text, position: 0, is_unit_start: true, is_unbalanced: false, ignored }
    }

    fn rest(&self) -> &'a str {
        &self.text[self.position..]
    }

    /// `unit`, or an operator; `None` at the end.
    pub(super) fn next(&mut self) -> Option<Lexeme> {
        self.skip_space();
        let start = self.position;
        let sign = self.sign();
        let kind = match self.rest().chars().next() {
            None if sign.is_empty() => return None,
            Some(quote) if is_quote(quote) => self.phrase(quote, sign),
            _ => self.word(sign),
        };
        Some(Lexeme { kind, start, end: self.position })
    }

    /// `SP`: white space, and the quote that ended a word.
    fn skip_space(&mut self) {
        let mut rest = self.rest();
        if !self.is_unit_start
            && let Some(after) = rest.strip_prefix(is_quote)
        {
            self.is_unbalanced = true;
            rest = after;
        }
        self.position = self.text.len() - rest.trim_start().len();
    }

    /// `sign = *( hyphen / opener )`
    fn sign(&mut self) -> &'a str {
        let rest = self.rest();
        let behind = rest.trim_start_matches(|c| is_hyphen(c) || is_opener(c));
        self.position = self.text.len() - behind.len();
        &rest[..rest.len() - behind.len()]
    }

    /// `phrase = quote *any quote *mark`: to the next quote, or to the end.
    fn phrase(&mut self, quote: char, sign: &'a str) -> LexemeKind {
        let inside = &self.rest()[quote.len_utf8()..];
        let (content, after) = inside.split_once(is_quote).unwrap_or_else(|| {
            self.is_unbalanced = true;
            (inside, "")
        });
        let behind = after.trim_start_matches(is_mark);
        self.ignored.add_of_edge(sign);
        self.ignored.add_of_edge(&after[..after.len() - behind.len()]);
        self.position = self.text.len() - behind.len();
        self.is_unit_start = true;
        operand(content, content, sign, UnitForm::Phrase)
    }

    /// `word = fields / 1*( any but SP and quotes )`, or an operator if it is bare and in upper
    /// case.
    fn word(&mut self, sign: &str) -> LexemeKind {
        let rest = self.rest();
        let fields = fields(rest);
        self.is_unit_start = fields.is_some();
        let to_space = || rest.find(|c: char| c.is_whitespace() || is_quote(c));
        let word = &rest[..fields.or_else(to_space).unwrap_or(rest.len())];
        self.position += word.len();
        match word {
            "OR" if sign.is_empty() => LexemeKind::Or,
            "AND" if sign.is_empty() => LexemeKind::And,
            "NOT" if sign.is_empty() => LexemeKind::Not,
            word => {
                let whole = &self.text[self.position - word.len() - sign.len()..self.position];
                self.ignored.add_of_word(whole, self.is_unit_start);
                operand(word, bare(word), sign, UnitForm::Word)
            }
        }
    }
}

/// `fields = 1*( field *opener )`: returns their end if a unit starts behind them, as its hyphen or
/// quote shows.
///
/// `field = 1*( letter / "_" ) ":"`
fn fields(text: &str) -> Option<usize> {
    let mut end = None;
    let mut rest = text;
    while let Some(behind) = rest.trim_start_matches(is_field_name).strip_prefix(':')
        && rest.starts_with(is_field_name)
    {
        end = Some(text.len() - behind.len());
        rest = behind.trim_start_matches(is_opener);
    }
    end.filter(|_| rest.starts_with(|c| is_hyphen(c) || is_quote(c)))
}

fn operand(whole: &str, text: &str, sign: &str, form: UnitForm) -> LexemeKind {
    let Some(pattern) = Pattern::new(whole, form) else { return LexemeKind::Nothing };
    let is_excluded = sign.contains(is_hyphen);
    LexemeKind::Operand { is_excluded, text: text.to_owned(), pattern }
}

/// A word without the punctuation around it, unless it would then be read in another way.
fn bare(word: &str) -> &str {
    let word = word.trim_end_matches(is_punctuation);
    let bare = word.trim_start_matches(is_punctuation);
    // In `*a:-b` the star is all that keeps the hyphen from excluding.
    if fields(bare).is_some() { word } else { bare }
}

/// Anything that has no token, except an accent, which belongs to the letter before it.
fn is_punctuation(c: char) -> bool {
    !has_token(c) && !fold(c.encode_utf8(&mut [0; 4])).is_empty()
}

pub(super) fn has_token(c: char) -> bool {
    c.is_ascii_alphanumeric() || !tokens(c.encode_utf8(&mut [0; 4])).is_empty()
}
