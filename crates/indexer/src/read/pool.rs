//! Values that stand once and are named by number.

use std::collections::HashMap;
use std::hash::Hash;

/// Distinct values in the order in which they were first seen.
#[derive(Debug)]
pub(crate) struct Pool<T> {
    numbers: HashMap<T, u32>,
    values: Vec<T>,
}

impl<T> Default for Pool<T> {
    fn default() -> Self {
        Self { numbers: HashMap::new(), values: Vec::new() }
    }
}

impl<T: Clone + Eq + Hash> Pool<T> {
    /// The number of `value`, a new one if it was not seen before.
    pub(crate) fn number(&mut self, value: T) -> u32 {
        let next = self.values.len() as u32;
        match self.numbers.entry(value) {
            std::collections::hash_map::Entry::Occupied(entry) => *entry.get(),
            std::collections::hash_map::Entry::Vacant(entry) => {
                self.values.push(entry.key().clone());
                entry.insert(next);
                next
            }
        }
    }

    pub(crate) fn get(&self, number: u32) -> &T {
        &self.values[number as usize]
    }

    pub(crate) fn values(&self) -> &[T] {
        &self.values
    }

    pub(crate) fn into_values(self) -> Vec<T> {
        self.values
    }
}
