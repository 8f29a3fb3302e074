//! Limits how many requests of one caller are in progress at once.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;

use parking_lot::Mutex;

/// The same number of slots for each caller.
#[derive(Debug)]
pub(crate) struct ConcurrencyLimit<C: Clone + Eq + Hash> {
    of_caller: usize,
    taken: Arc<Mutex<Taken<C>>>,
}

/// How many slots each caller has taken; a caller without any has no entry.
type Taken<C> = HashMap<C, usize>;

/// Counts a request as in progress until dropped.
#[derive(Debug)]
pub(crate) struct Slot<C: Clone + Eq + Hash> {
    caller: C,
    taken: Arc<Mutex<Taken<C>>>,
}

impl<C: Clone + Eq + Hash> ConcurrencyLimit<C> {
    pub(crate) fn new(of_caller: usize) -> Self {
        Self { of_caller, taken: Arc::default() }
    }

    /// Takes a slot; `None` if the caller has taken all of its slots.
    pub(crate) fn take(&self, caller: &C) -> Option<Slot<C>> {
        let mut taken = self.taken.lock();
        let count = taken.entry(caller.clone()).or_default();
        if *count >= self.of_caller {
            return None;
        }
        *count += 1;
        Some(Slot { caller: caller.clone(), taken: Arc::clone(&self.taken) })
    }
}

impl<C: Clone + Eq + Hash> Drop for Slot<C> {
    fn drop(&mut self) {
        let mut taken = self.taken.lock();
        match taken.get_mut(&self.caller) {
            Some(count) if *count > 1 => *count -= 1,
            _ => drop(taken.remove(&self.caller)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_caller_has_its_slots_and_gets_them_back() {
        let slots = ConcurrencyLimit::new(2);
        let (first, second) = (slots.take(&"a").unwrap(), slots.take(&"a").unwrap());
        assert!(slots.take(&"a").is_none());
        let other = slots.take(&"b").unwrap();
        drop(first);
        let third = slots.take(&"a").unwrap();
        assert!(slots.take(&"a").is_none());
        drop((second, third, other));
        assert_eq!(slots.taken.lock().len(), 0, "a caller that runs nothing is remembered");
    }
}
