//! Values that stand once and are named by number.

use std::hash::Hash;
use std::sync::Arc;

use rustc_hash::FxHashMap;

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
        if let Some(number) = self.numbers.get(&value) {
            return *number;
        }
        self.number_shared(Arc::new(value))
    }

    /// As [`Pool::number`], of a value that another pool had.
    pub(crate) fn number_shared(&mut self, value: Arc<T>) -> u32 {
        if let Some(number) = self.numbers.get(&value) {
            return *number;
        }
        let number = self.values.len() as u32;
        self.values.push(Arc::clone(&value));
        self.numbers.insert(value, number);
        number
    }

    /// Adds the values of a later pool; gives the number here of each of its numbers.
    pub(crate) fn absorb(&mut self, later: Self) -> Vec<u32> {
        later.values.into_iter().map(|value| self.number_shared(value)).collect()
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
