//! One token bucket for each of those who ask, by a clock that never goes back.

use std::hash::Hash;

use governor::clock::DefaultClock;
use governor::middleware::StateInformationMiddleware;
use governor::state::keyed::HashMapStateStore;
use governor::{Quota, RateLimiter};

use super::Allowance;

/// The buckets of all that asked.
pub(crate) struct Buckets<K: Clone + Eq + Hash> {
    quota: Quota,
    limiter: RateLimiter<K, HashMapStateStore<K>, DefaultClock, StateInformationMiddleware>,
    clock: DefaultClock,
}

impl<K: Clone + Eq + Hash> Buckets<K> {
    pub(crate) fn new(quota: Quota) -> Self {
        let limiter = RateLimiter::hashmap(quota).with_middleware();
        Self { quota, limiter, clock: DefaultClock::default() }
    }

    /// Counts a request.
    pub(crate) fn take(&self, who: &K) -> Allowance {
        Allowance::new(self.quota, self.limiter.check_key(who), &self.clock)
    }

    /// How many buckets there are.
    pub(super) fn len(&self) -> usize {
        self.limiter.len()
    }

    /// Forgets those that are full again.
    pub(super) fn retain_recent(&self) {
        self.limiter.retain_recent();
    }
}
