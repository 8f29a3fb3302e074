//! Values that stand once and are named by number.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;

/// Distinct values in the order in which they were first seen.
#[derive(Debug)]
pub(crate) struct Pool<T> {
    numbers: HashMap<Arc<T>, u32>,
    values: Vec<Arc<T>>,
}

impl<T> Default for Pool<T> {
    fn default() -> Self {
        Self { numbers: HashMap::new(), values: Vec::new() }
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
