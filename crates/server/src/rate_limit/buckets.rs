//! One token bucket for each of those who ask, by a clock that never goes back.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::Allowance;

/// The size of a bucket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Quota {
    /// Requests that may come at once.
    pub(super) burst: u32,
    /// How long it takes until one more may.
    pub(super) interval: Duration,
}

/// The buckets of those that asked, as many as there is room for.
#[derive(Debug)]
pub(crate) struct Buckets<K: Clone + Eq + Hash> {
    quota: Quota,
    room: usize,
    /// When each bucket will be full again: one that is full already may be forgotten.
    full_again: Mutex<HashMap<K, Instant>>,
}

impl<K: Clone + Eq + Hash> Buckets<K> {
    /// Room for at most so many buckets, and for one at the least.
    pub(crate) fn new(quota: Quota, room: usize) -> Self {
        Self { quota, room, full_again: Mutex::default() }
    }

    /// Counts a request.
    pub(crate) fn take(&self, who: &K) -> Allowance {
        self.take_at(who, Instant::now())
    }

    /// How long it takes until a request would pass, if it would not now.
    pub(super) fn wait(&self, who: &K) -> Option<Duration> {
        let full_again = self.lock().get(who).copied();
        let missing = full_again.map(|it| it.saturating_duration_since(Instant::now()));
        self.quota.left(missing.unwrap_or_default() + self.quota.interval).err()
    }

    pub(super) const fn quota(&self) -> Quota {
        self.quota
    }

    fn take_at(&self, who: &K, now: Instant) -> Allowance {
        let quota = self.quota;
        let mut known = self.lock();
        let full_again = match known.get(who) {
            Some(full_again) => Some(*full_again),
            None if known.len() < self.room => None,
            None => forget_fullest(&mut known),
        };
        let missing = full_again.map_or(Duration::ZERO, |it| it.saturating_duration_since(now));
        let (remaining, wait) = match quota.left(missing + quota.interval) {
            Ok(remaining) => (remaining, None),
            Err(wait) => (0, Some(wait)),
        };
        let taken = if wait.is_none() { quota.interval } else { Duration::ZERO };
        known.insert(who.clone(), now + missing + taken);
        Allowance { quota, remaining, wait }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<K, Instant>> {
        // The map is whole after every call, so a panic elsewhere left nothing half changed.
        self.full_again.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Makes room where the least is lost. Whoever comes instead goes on with what is missing from the
/// forgotten bucket, so that nobody gains a request by making others, or itself, forgotten.
fn forget_fullest<K: Clone + Eq + Hash>(known: &mut HashMap<K, Instant>) -> Option<Instant> {
    let (fullest, _) = known.iter().min_by_key(|(_, full_again)| **full_again)?;
    let fullest = fullest.clone();
    known.remove(&fullest)
}

impl Quota {
    /// The requests that may still come at once when so much time is missing from the bucket.
    ///
    /// # Errors
    /// How long to wait when more is missing than there is.
    fn left(self, missing: Duration) -> Result<u32, Duration> {
        let size = self.interval * self.burst;
        let left = size.checked_sub(missing).ok_or_else(|| missing - size)?;
        let requests = left.as_nanos() / self.interval.as_nanos().max(1);
        Ok(u32::try_from(requests).unwrap_or(u32::MAX))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const QUOTA: Quota = Quota { burst: 3, interval: Duration::from_secs(1) };

    #[test]
    fn a_bucket_empties_and_fills_again() {
        let buckets = Buckets::new(QUOTA, 9);
        let start = Instant::now();
        for (milliseconds, remaining, wait) in [
            (0, 2, None),
            (0, 1, None),
            (500, 0, None),
            (500, 0, Some(500)),
            (900, 0, Some(100)),
            (1_000, 0, None),
            (3_000, 1, None),
            (60_000, 2, None),
        ] {
            let allowance = buckets.take_at(&'a', start + Duration::from_millis(milliseconds));
            let seen = (allowance.remaining, allowance.wait.map(|it| it.as_millis()));
            assert_eq!(seen, (remaining, wait), "after {milliseconds} ms");
        }
    }

    proptest! {
        /// Whoever comes in whatever order, nobody gets more than a bucket, and all together no
        /// more than there is room for buckets.
        #[test]
        fn nobody_gains_by_being_forgotten(callers in prop::collection::vec(0_u8..30, 0..400)) {
            let buckets = Buckets::new(QUOTA, 8);
            let now = Instant::now();
            let mut passed: HashMap<u8, u32> = HashMap::new();
            for caller in callers {
                if buckets.take_at(&caller, now).wait.is_none() {
                    *passed.entry(caller).or_default() += 1;
                }
                prop_assert!(buckets.lock().len() <= 8);
            }
            prop_assert!(passed.values().all(|passed| *passed <= QUOTA.burst));
            prop_assert!(passed.values().sum::<u32>() <= 8 * QUOTA.burst);
        }
    }
}
