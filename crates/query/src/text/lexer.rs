//! The pieces of `q`: words, phrases and operators, cut in one pass from left to right.

use outfall_records::text::tokens;

use super::UnitForm;

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
    /// A word or a phrase; its tokens may be none, and then it says nothing.
    Operand {
        is_excluded: bool,
        tokens: Vec<String>,
        form: UnitForm,
    },
}

/// Cuts the text at white space and at quotes, which separate even inside a word.
pub(super) struct Lexer<'a> {
    text: &'a str,
    position: usize,
    /// Whether a phrase ran to the end for want of a closing quote.
    pub(super) is_unbalanced: bool,
}

/// Quotes of every form are one toggle: whichever comes next closes a phrase.
const fn is_quote(c: char) -> bool {
    matches!(c, '"' | '“' | '”' | '«' | '»')
}

const fn is_hyphen(c: char) -> bool {
    matches!(c, '-' | '\u{2010}' | '\u{2011}' | '\u{2212}')
}

impl<'a> Lexer<'a> {
    pub(super) const fn new(text: &'a str) -> Self {
        Self { text, position: 0, is_unbalanced: false }
    }

    /// `unit = [ "-" ] ( word / phrase )`, or an operator; `None` at the end.
    ///
    /// Several hyphens at the start are one. A hyphen with nothing after it is a word without
    /// tokens.
    pub(super) fn next(&mut self) -> Option<Lexeme> {
        let rest = &self.text[self.position..];
        let unit = rest.trim_start();
        let start = self.text.len() - unit.len();
        let operand = unit.trim_start_matches(is_hyphen);
        let is_excluded = operand.len() < unit.len();
        self.position = self.text.len() - operand.len();
        let kind = match operand.chars().next() {
            None if !is_excluded => return None,
            Some(quote) if is_quote(quote) => self.phrase(quote, is_excluded),
            _ => self.word(is_excluded),
        };
        Some(Lexeme { kind, start, end: self.position })
    }

    /// `phrase = DQUOTE *any DQUOTE`: to the next quote, or to the end.
    fn phrase(&mut self, quote: char, is_excluded: bool) -> LexemeKind {
        let inside = &self.text[self.position + quote.len_utf8()..];
        let content = match inside.find(is_quote) {
            Some(end) => &inside[..end],
            None => inside,
        };
        let closing = inside[content.len()..].chars().next();
        self.is_unbalanced |= closing.is_none();
        self.position += quote.len_utf8() + content.len() + closing.map_or(0, char::len_utf8);
        LexemeKind::Operand { is_excluded, tokens: tokens(content), form: UnitForm::Phrase }
    }

    /// `word`, or an operator when it stands bare and in upper case: to the next space or quote.
    fn word(&mut self, is_excluded: bool) -> LexemeKind {
        let rest = &self.text[self.position..];
        let end = rest.find(|c: char| c.is_whitespace() || is_quote(c)).unwrap_or(rest.len());
        self.position += end;
        match &rest[..end] {
            "OR" if !is_excluded => LexemeKind::Or,
            "AND" if !is_excluded => LexemeKind::And,
            "NOT" if !is_excluded => LexemeKind::Not,
            word => LexemeKind::Operand { is_excluded, tokens: tokens(word), form: UnitForm::Word },
        }
    }
}
