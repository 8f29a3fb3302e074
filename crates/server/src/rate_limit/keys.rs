//! One token bucket for each key.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use governor::clock::DefaultClock;
use governor::middleware::StateInformationMiddleware;
use governor::state::{InMemoryState, NotKeyed};
use governor::{Quota, RateLimiter};

use super::Allowance;
use crate::keys::KeyId;
use crate::settings::RateLimit;

type Bucket = RateLimiter<NotKeyed, InMemoryState, DefaultClock, StateInformationMiddleware>;

/// The buckets of all keys that asked; there are never more than keys.
pub(crate) struct KeyLimits {
    quota: Option<Quota>,
    clock: DefaultClock,
    buckets: Mutex<HashMap<KeyId, Bucket>>,
}

impl KeyLimits {
    pub(crate) fn new(limit: RateLimit) -> Self {
        Self { quota: limit.quota(), clock: DefaultClock::default(), buckets: Mutex::default() }
    }

    /// Counts a request of `key`; `None` when nothing is limited.
    pub(crate) fn take(&self, key: &KeyId) -> Option<Allowance> {
        let quota = self.quota?;
        // A bucket is whole after every call, so a panic elsewhere left none half changed.
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        if !buckets.contains_key(key) {
            let bucket = RateLimiter::direct(quota).with_middleware();
            buckets.insert(key.clone(), bucket);
        }
        Some(Allowance::new(quota, buckets.get(key)?.check(), &self.clock))
    }
}
