//! One token bucket for each key, and what answers tell of it.

use std::collections::HashMap;
use std::num::NonZeroU32;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use actix_web::http::header::{HeaderMap, HeaderName, HeaderValue};
use governor::clock::{Clock, DefaultClock};
use governor::middleware::StateInformationMiddleware;
use governor::state::{InMemoryState, NotKeyed};
use governor::{Quota, RateLimiter};

use crate::http::seconds;
use crate::keys::KeyId;
use crate::problem::Problem;
use crate::settings::RateLimit;

type Bucket = RateLimiter<NotKeyed, InMemoryState, DefaultClock, StateInformationMiddleware>;

/// The buckets of all keys that asked; there are never more than keys.
pub(crate) struct RateLimits {
    quota: Option<Quota>,
    clock: DefaultClock,
    buckets: Mutex<HashMap<KeyId, Bucket>>,
}

/// What is left for a key after its request was counted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Allowance {
    quota: Quota,
    /// Requests that may follow at once.
    remaining: u32,
    /// How long to wait, when this one may not pass.
    wait: Option<Duration>,
}

impl RateLimits {
    pub(crate) fn new(limit: RateLimit) -> Self {
        let burst = NonZeroU32::new(limit.burst).unwrap_or(NonZeroU32::MIN);
        let quota = NonZeroU32::new(limit.per_minute)
            .map(|per_minute| Quota::per_minute(per_minute).allow_burst(burst));
        Self { quota, clock: DefaultClock::default(), buckets: Mutex::default() }
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
        let allowance = match buckets.get(key)?.check() {
            Ok(state) => {
                Allowance { quota, remaining: state.remaining_burst_capacity(), wait: None }
            }
            Err(refused) => Allowance {
                quota,
                remaining: 0,
                wait: Some(refused.wait_time_from(self.clock.now())),
            },
        };
        Some(allowance)
    }
}

impl Allowance {
    /// Whether the request may pass.
    ///
    /// # Errors
    /// [`Problem::RateLimited`] when it may not.
    pub(crate) fn check(&self) -> Result<(), Problem> {
        match self.wait {
            Some(retry_after) => Err(Problem::RateLimited { retry_after }),
            None => Ok(()),
        }
    }

    /// Tells the caller the limit, what is left of it, and when it is whole again.
    pub(crate) fn write(&self, headers: &mut HeaderMap) {
        let burst = self.quota.burst_size().get();
        let interval = self.quota.replenish_interval();
        let window = seconds(interval * burst);
        let reset = match self.wait {
            Some(wait) => seconds(wait),
            None => seconds(interval * burst.saturating_sub(self.remaining)),
        };
        let remaining = self.remaining;
        for (name, value) in [
            ("ratelimit-policy", format!("\"burst\";q={burst};w={window}")),
            ("ratelimit", format!("\"burst\";r={remaining};t={reset}")),
            ("x-ratelimit-limit", burst.to_string()),
            ("x-ratelimit-remaining", remaining.to_string()),
            ("x-ratelimit-reset", reset.to_string()),
        ] {
            if let Ok(value) = HeaderValue::from_str(&value) {
                headers.insert(HeaderName::from_static(name), value);
            }
        }
    }
}
