//! How many exports may run: of one key, and of all.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use crate::keys::KeyId;
use crate::problem::Problem;

/// Exports of one key at a time.
const EXPORTS: usize = 2;

/// The exports that run, by key; those without a key, on a machine of one's own, count together.
#[derive(Debug)]
pub(crate) struct ExportSlots {
    max: usize,
    running: Mutex<HashMap<Option<KeyId>, Arc<()>>>,
}

/// An export that runs for as long as it is held.
#[derive(Debug)]
pub(crate) struct ExportSlot {
    _running: Arc<()>,
}

impl ExportSlots {
    /// As many slots as `max`, whoever takes them.
    pub(crate) fn new(max: usize) -> Self {
        Self { max, running: Mutex::default() }
    }

    /// Takes a slot of a key.
    ///
    /// # Errors
    /// [`Problem::TooManyExports`] when the key has none left, [`Problem::Overloaded`] when there
    /// is none at all.
    pub(crate) fn take(&self, key: Option<KeyId>) -> Result<ExportSlot, Problem> {
        // The map is whole after every call, so a panic elsewhere left nothing half changed.
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        // One is the map's own; who has no other is forgotten.
        running.retain(|_, counter| Arc::strong_count(counter) > 1);
        let count: usize = running.values().map(|counter| Arc::strong_count(counter) - 1).sum();
        let counter = running.entry(key).or_default();
        if Arc::strong_count(counter) > EXPORTS {
            return Err(Problem::TooManyExports);
        }
        if count >= self.max {
            return Err(Problem::Overloaded);
        }
        Ok(ExportSlot { _running: Arc::clone(counter) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_has_two_exports_and_gets_them_back() {
        let slots = ExportSlots::new(3);
        let key = |id| Some(KeyId::new(id));
        let first = slots.take(key("a")).unwrap();
        let _second = slots.take(key("a")).unwrap();
        assert_eq!(slots.take(key("a")).unwrap_err(), Problem::TooManyExports);
        let _other = slots.take(key("b")).unwrap();
        assert_eq!(slots.take(key("c")).unwrap_err(), Problem::Overloaded);
        drop(first);
        let _third = slots.take(key("a")).unwrap();
        assert!(slots.take(key("a")).is_err());
    }
}
