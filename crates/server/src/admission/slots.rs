//! How much of one kind may run at once: of one key, and of all.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::keys::KeyId;

/// Slots for what runs, by key; those without a key, on a machine of one's own, count together.
#[derive(Clone, Debug)]
pub(crate) struct Slots {
    of_key: usize,
    of_all: usize,
    running: Arc<Mutex<Running>>,
}

/// What runs; a key of which nothing runs is not in it.
type Running = HashMap<Option<KeyId>, usize>;

/// Something that runs for as long as this is held.
#[derive(Debug)]
pub(crate) struct Slot {
    key: Option<KeyId>,
    running: Arc<Mutex<Running>>,
}

/// Why there is no slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Full {
    /// The key has as many as it may.
    Key,
    /// All keys together have.
    All,
}

impl Slots {
    /// As many slots for each key, and as many for all together.
    pub(crate) fn new(of_key: usize, of_all: usize) -> Self {
        Self { of_key, of_all, running: Arc::default() }
    }

    /// Takes a slot of a key.
    ///
    /// # Errors
    /// See [`Full`].
    pub(crate) fn take(&self, key: Option<KeyId>) -> Result<Slot, Full> {
        let mut running = lock(&self.running);
        if running.get(&key).is_some_and(|count| *count >= self.of_key) {
            return Err(Full::Key);
        }
        // Only limits that are reached have to be summed up, and those are small.
        if running.len().saturating_mul(self.of_key) >= self.of_all
            && running.values().sum::<usize>() >= self.of_all
        {
            return Err(Full::All);
        }
        *running.entry(key.clone()).or_default() += 1;
        Ok(Slot { key, running: Arc::clone(&self.running) })
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        let mut running = lock(&self.running);
        match running.get_mut(&self.key) {
            Some(count) if *count > 1 => *count -= 1,
            _ => drop(running.remove(&self.key)),
        }
    }
}

fn lock(running: &Mutex<Running>) -> MutexGuard<'_, Running> {
    // The map is whole after every call, so a panic elsewhere left nothing half changed.
    running.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_has_its_slots_and_gets_them_back() {
        let slots = Slots::new(2, 3);
        let key = |id| Some(KeyId::of_test(id));
        let first = slots.take(key("a")).unwrap();
        let second = slots.take(key("a")).unwrap();
        assert_eq!(slots.take(key("a")).unwrap_err(), Full::Key);
        let other = slots.take(key("b")).unwrap();
        assert_eq!(slots.take(None).unwrap_err(), Full::All);
        drop(first);
        let third = slots.take(key("a")).unwrap();
        assert_eq!(slots.take(key("a")).unwrap_err(), Full::Key);
        drop((second, third, other));
        assert_eq!(lock(&slots.running).len(), 0, "a key that runs nothing is remembered");
    }
}
