//! One token bucket for each caller, by a clock that never goes back.

use std::collections::HashMap;
use std::hash::Hash;
use std::time::{Duration, Instant};

use parking_lot::Mutex;

use super::Allowance;

/// The size of a bucket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Quota {
    /// Requests that may come at once.
    pub(super) burst: u32,
    /// How long it takes until one more may come.
    pub(super) interval: Duration,
}

/// The buckets of callers, as many as there is room for.
#[derive(Debug)]
pub(crate) struct Buckets<K: Clone + Eq + Hash> {
    quota: Quota,
    room: usize,
    /// When each bucket will be full again; a bucket that already is may be forgotten.
    full_again: Mutex<HashMap<K, Instant>>,
}

impl<K: Clone + Eq + Hash> Buckets<K> {
    /// Buckets for at most `room` callers, or for one if `room` is 0.
    pub(crate) fn new(quota: Quota, room: usize) -> Self {
        Self { quota, room, full_again: Mutex::default() }
    }

    /// Counts a request.
    pub(crate) fn take(&self, who: &K) -> Allowance {
        self.take_at(who, Instant::now())
    }

    /// How long it takes until a request passes; `None` if it passes now.
    pub(super) fn wait(&self, who: &K) -> Option<Duration> {
        let full_again = self.full_again.lock().get(who).copied();
        let missing = full_again.map(|time| time.saturating_duration_since(Instant::now()));
        self.quota.left(missing.unwrap_or_default() + self.quota.interval).err()
    }

    pub(super) const fn quota(&self) -> Quota {
        self.quota
    }

    fn take_at(&self, who: &K, now: Instant) -> Allowance {
        let quota = self.quota;
        let mut known = self.full_again.lock();
        let full_again = match known.get(who) {
            Some(full_again) => Some(*full_again),
            None if known.len() < self.room => None,
            None => forget_fullest(&mut known),
        };
        let missing = full_again.map_or(Duration::ZERO, |time| time.saturating_duration_since(now));
        let (remaining, wait) = match quota.left(missing + quota.interval) {
            Ok(remaining) => (remaining, None),
            Err(wait) => (0, Some(wait)),
        };
        let taken = if wait.is_none() { quota.interval } else { Duration::ZERO };
        known.insert(who.clone(), now + missing + taken);
        Allowance { quota, remaining, wait }
    }
}

/// Makes room by forgetting the fullest bucket, and returns when that would have been full. The
/// newcomer's bucket starts from there, so that nobody gains a request by having a bucket
/// forgotten, its own or another's.
fn forget_fullest<K: Clone + Eq + Hash>(known: &mut HashMap<K, Instant>) -> Option<Instant> {
    let (fullest, _) = known.iter().min_by_key(|(_, full_again)| **full_again)?;
    let fullest = fullest.clone();
    known.remove(&fullest)
}

impl Quota {
    /// How many requests may still come at once when this much time is missing from the bucket.
    ///
    /// # Errors
    /// How long to wait, when more is missing than the bucket holds.
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
            let seen = (allowance.remaining, allowance.wait.map(|wait| wait.as_millis()));
            assert_eq!(seen, (remaining, wait), "after {milliseconds} ms");
        }
    }

    proptest! {
        /// In whatever order callers come, none gets more than a full bucket, and all together get
        /// no more than all the buckets that there is room for.
        #[test]
        fn nobody_gains_by_being_forgotten(callers in prop::collection::vec(0_u8..30, 0..400)) {
            let buckets = Buckets::new(QUOTA, 8);
            let now = Instant::now();
            let mut passed: HashMap<u8, u32> = HashMap::new();
            for caller in callers {
                if buckets.take_at(&caller, now).wait.is_none() {
                    *passed.entry(caller).or_default() += 1;
                }
                prop_assert!(buckets.full_again.lock().len() <= 8);
            }
            prop_assert!(passed.values().all(|passed| *passed <= QUOTA.burst));
            prop_assert!(passed.values().sum::<u32>() <= 8 * QUOTA.burst);
        }
    }
}
