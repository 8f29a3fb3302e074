//! What `q` is compared with: the distinct texts of all records, and which of them hold a unit.

use std::collections::HashMap;

use outfall_records::text::tokens;

use crate::text::TextUnit;

/// The distinct texts of all records, as tokens. Most texts stand in many records, so that a unit
/// is looked for once in each of them.
#[derive(Debug, Default)]
pub(super) struct Texts {
    tokens: Vec<Vec<String>>,
    numbers: HashMap<String, usize>,
}

impl Texts {
    /// The number of a text, which is added when it is new.
    pub(super) fn number_of(&mut self, text: &str) -> usize {
        if let Some(number) = self.numbers.get(text) {
            return *number;
        }
        let number = self.tokens.len();
        self.tokens.push(tokens(text));
        self.numbers.insert(text.to_owned(), number);
        number
    }

    /// Whether a text holds `wanted` in a row.
    pub(super) fn holds(&self, number: usize, wanted: &[String]) -> bool {
        has_in_a_row(&self.tokens[number], wanted)
    }
}

/// A unit of `q`, and for each text by its number whether it holds the unit.
pub(super) struct FoundUnit<'a> {
    pub(super) unit: &'a TextUnit,
    pub(super) is_in: Vec<bool>,
}

impl<'a> FoundUnit<'a> {
    pub(super) fn new(unit: &'a TextUnit, texts: &Texts) -> Self {
        let alternatives = unit.alternatives();
        let holds_any = |tokens: &Vec<String>| {
            alternatives.iter().any(|alternative| has_in_a_row(tokens, alternative))
        };
        let is_in = texts.tokens.iter().map(holds_any).collect();
        Self { unit, is_in }
    }
}

/// Whether `wanted`, which is not empty, stands in a row among `tokens`.
fn has_in_a_row(tokens: &[String], wanted: &[String]) -> bool {
    tokens.windows(wanted.len().max(1)).any(|window| window == wanted)
}
