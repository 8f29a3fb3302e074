//! A filter in words: for canonical queries, and for what a cursor is bound to.

use std::fmt::Display;

use super::Filter;

/// The values of one filter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpelledFilter {
    /// The name of its parameter.
    pub name: &'static str,
    /// The distinct values as a canonical query gives them, in an order that does not depend on
    /// theirs.
    pub canonical: Vec<String>,
    /// The distinct values as a cursor is bound to them, in such an order.
    pub(crate) bound: Vec<String>,
}

impl SpelledFilter {
    pub(super) fn of<F: Filter>(filters: &[F]) -> Self {
        let canonical = distinct(filters.iter().map(Filter::canonical));
        Self { name: F::NAME, canonical, bound: distinct(filters.iter().map(Filter::bound)) }
    }

    /// A filter of one value at most, which is bound as it is spelled.
    pub(super) fn single(name: &'static str, value: Option<impl Display>) -> Self {
        let canonical: Vec<String> = value.iter().map(ToString::to_string).collect();
        Self { name, bound: canonical.clone(), canonical }
    }
}

pub(super) fn distinct(values: impl Iterator<Item = String>) -> Vec<String> {
    let mut values: Vec<String> = values.collect();
    values.sort_unstable();
    values.dedup();
    values
}
