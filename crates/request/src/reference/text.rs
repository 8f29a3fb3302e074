//! The distinct texts of all records, and which of them hold a unit of `q`.

use std::borrow::Cow;
use std::collections::HashMap;

use outfall_records::text::{class_of, tokens};

use crate::text::{Pattern, Sought, TextUnit};

/// The distinct texts of all records, as tokens and as classes. Most texts occur in many records,
/// so a unit is looked for only once in each text.
#[derive(Debug, Default)]
pub(super) struct ReferenceTexts {
    tokens: Vec<Vec<String>>,
    classes: Vec<Vec<String>>,
    numbers: HashMap<String, usize>,
}

impl ReferenceTexts {
    /// The number of a text; adds the text if it is new.
    pub(super) fn number_of(&mut self, text: &str) -> usize {
        if let Some(number) = self.numbers.get(text) {
            return *number;
        }
        let number = self.tokens.len();
        let tokens = tokens(text);
        self.classes.push(tokens.iter().map(|token| class_of(token).into_owned()).collect());
        self.tokens.push(tokens);
        self.numbers.insert(text.to_owned(), number);
        number
    }

    /// The tokens of a text, whether or not a record shows it.
    pub(super) fn tokens_of(&self, text: &str) -> Cow<'_, [String]> {
        match self.numbers.get(text) {
            Some(number) => Cow::Borrowed(&self.tokens[*number]),
            None => Cow::Owned(tokens(text)),
        }
    }

    /// Whether a text holds a pattern.
    pub(super) fn holds(&self, number: usize, pattern: &Pattern) -> bool {
        match pattern.sought() {
            Sought::Class(class) => self.classes[number].iter().any(|own| *own == class),
            Sought::InARow(wanted) => has_in_a_row(&self.tokens[number], wanted),
        }
    }
}

/// A unit of `q`, and for each text, by its number, whether it holds the unit.
pub(super) struct FoundUnit<'a> {
    pub(super) unit: &'a TextUnit,
    pub(super) is_in: Vec<bool>,
}

impl<'a> FoundUnit<'a> {
    pub(super) fn new(unit: &'a TextUnit, texts: &ReferenceTexts) -> Self {
        let numbers = 0..texts.tokens.len();
        Self { unit, is_in: numbers.map(|number| texts.holds(number, &unit.pattern)).collect() }
    }
}

/// Whether `tokens` holds `wanted`, which is not empty, in a row.
fn has_in_a_row(tokens: &[String], wanted: &[String]) -> bool {
    tokens.windows(wanted.len().max(1)).any(|window| window == wanted)
}
