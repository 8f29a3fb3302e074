//! Distinct values, each stored once and referred to by number.

use std::hash::Hash;
use std::sync::Arc;

use rustc_hash::FxHashMap;

/// The most rows of releases, so that they can be numbered. Nothing else that is numbered, such as
/// sites, is more numerous.
pub(crate) const MOST_ROWS: usize = u32::MAX as usize;

/// The number of a row, or of something that rows have; see [`MOST_ROWS`].
#[expect(clippy::cast_possible_truncation, reason = "there are as many numbers as rows may be")]
pub(crate) const fn numbered(place: usize) -> u32 {
    place as u32
}

/// Distinct values in the order in which they were first seen.
#[derive(Debug)]
pub(crate) struct Pool<T> {
    numbers: FxHashMap<Arc<T>, u32>,
    values: Vec<Arc<T>>,
}

impl<T> Default for Pool<T> {
    fn default() -> Self {
        Self { numbers: FxHashMap::default(), values: Vec::new() }
    }
}

impl<T: Eq + Hash> Pool<T> {
    /// The number of `value`, a new one if it was not seen before.
    pub(crate) fn number(&mut self, value: T) -> u32 {
        self.find(&value).unwrap_or_else(|| self.number_shared(Arc::new(value)))
    }

    /// The number of `value` if it was seen before.
    pub(crate) fn find(&self, value: &T) -> Option<u32> {
        self.numbers.get(value).copied()
    }

    /// As [`Pool::number`], for a value from another pool.
    pub(crate) fn number_shared(&mut self, value: Arc<T>) -> u32 {
        let next = self.len();
        *self.numbers.entry(value).or_insert_with_key(|value| {
            self.values.push(Arc::clone(value));
            next
        })
    }

    /// Adds the values of a later pool; returns the number here for each number there.
    pub(crate) fn absorb(&mut self, later: Self) -> Vec<u32> {
        later.values.into_iter().map(|value| self.number_shared(value)).collect()
    }

    pub(crate) const fn len(&self) -> u32 {
        numbered(self.values.len())
    }

    pub(crate) fn get(&self, number: u32) -> &T {
        &self.values[number as usize]
    }

    pub(crate) fn values(&self) -> &[Arc<T>] {
        &self.values
    }

    pub(crate) fn into_values(self) -> Vec<Arc<T>> {
        self.values
    }
}
