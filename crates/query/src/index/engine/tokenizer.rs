//! The tokens of a text, as the engine takes them.

use outfall_records::text::{class_of, tokens};
use tantivy::tokenizer::{Token, TokenStream, Tokenizer};

/// Gives tantivy the tokens of [`outfall_records::text`].
#[derive(Clone, Copy, Debug)]
pub enum RecordTokenizer {
    /// The tokens as they are.
    Tokens,
    /// The class of each token.
    Classes,
}

/// The tokens of one text.
#[derive(Debug)]
pub struct RecordTokens {
    tokens: std::vec::IntoIter<String>,
    current: Token,
}

impl Tokenizer for RecordTokenizer {
    type TokenStream<'a> = RecordTokens;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> RecordTokens {
        let mut tokens = tokens(text);
        if let Self::Classes = self {
            tokens.iter_mut().for_each(|token| *token = class_of(token).into_owned());
        }
        RecordTokens { tokens: tokens.into_iter(), current: Token::default() }
    }
}

impl TokenStream for RecordTokens {
    fn advance(&mut self) -> bool {
        let Some(text) = self.tokens.next() else {
            return false;
        };
        // The position starts at the largest number, so adding one wraps it to the first.
        self.current.position = self.current.position.wrapping_add(1);
        self.current.text = text;
        true
    }

    fn token(&self) -> &Token {
        &self.current
    }

    fn token_mut(&mut self) -> &mut Token {
        &mut self.current
    }
}
