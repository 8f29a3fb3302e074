//! A filter in words: for canonical queries, and for what a cursor is bound to.

use std::fmt::Display;

use super::Filter;

/// Where the values of a filter are spelled out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spelling {
    /// In a canonical query.
    Query,
    /// In what a cursor is bound to.
    Cursor,
}

/// The values of one filter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpelledFilter {
    /// The name of its parameter.
    pub name: &'static str,
    /// The distinct values, in an order that does not depend on theirs.
    pub values: Vec<String>,
}

impl SpelledFilter {
    pub(super) fn of<F: Filter>(filters: &[F], spelling: Spelling) -> Self {
        let spell = match spelling {
            Spelling::Query => F::canonical,
            Spelling::Cursor => F::bound,
        };
        Self { name: F::NAME, values: distinct(filters.iter().map(spell)) }
    }

    /// A filter of one value at most.
    pub(super) fn single(name: &'static str, value: Option<impl Display>) -> Self {
        Self { name, values: value.iter().map(ToString::to_string).collect() }
    }
}

pub(super) fn distinct(values: impl Iterator<Item = String>) -> Vec<String> {
    let mut values: Vec<String> = values.collect();
    values.sort_unstable();
    values.dedup();
    values
}
