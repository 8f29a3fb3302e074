//! How often an address may come without a good key.
//!
//! Only requests without one are counted and refused: behind a gateway all clients have one
//! address, and nobody may lock the others out.

use std::net::{IpAddr, Ipv6Addr};
use std::num::NonZeroU32;

use governor::clock::{Clock, DefaultClock};
use governor::middleware::NoOpMiddleware;
use governor::state::keyed::HashMapStateStore;
use governor::{Quota, RateLimiter};

use crate::problem::Problem;
use crate::settings::RateLimit;

/// The most addresses that are remembered; any more share one bucket.
const MAX_ADDRESSES: usize = 10_000;

/// A bucket for each address, by a clock that never goes back.
pub(crate) struct FailedAttempts {
    buckets: Option<Buckets>,
    clock: DefaultClock,
}

type Buckets = RateLimiter<IpAddr, HashMapStateStore<IpAddr>, DefaultClock, NoOpMiddleware>;

impl FailedAttempts {
    pub(crate) fn new(limit: RateLimit) -> Self {
        let burst = NonZeroU32::new(limit.burst).unwrap_or(NonZeroU32::MIN);
        let buckets = NonZeroU32::new(limit.per_minute).map(|per_minute| {
            RateLimiter::hashmap(Quota::per_minute(per_minute).allow_burst(burst))
        });
        Self { buckets, clock: DefaultClock::default() }
    }

    /// Counts a failed attempt from an address.
    ///
    /// # Errors
    /// [`Problem::TooManyAttempts`] when there were too many.
    pub(crate) fn count(&self, address: IpAddr) -> Result<(), Problem> {
        let Some(buckets) = &self.buckets else { return Ok(()) };
        if buckets.len() >= MAX_ADDRESSES {
            buckets.retain_recent();
        }
        let is_full = buckets.len() >= MAX_ADDRESSES;
        let address = if is_full { Ipv6Addr::UNSPECIFIED.into() } else { network(address) };
        buckets.check_key(&address).map_err(|refused| Problem::TooManyAttempts {
            retry_after: refused.wait_time_from(self.clock.now()),
        })
    }
}

/// What one client has: an IPv4 address, or the first half of an IPv6 address.
fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(address) => address.into(),
        IpAddr::V6(address) => {
            Ipv6Addr::from_bits(address.to_bits() & !u128::from(u64::MAX)).into()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_counted_apart_and_networks_together() {
        let attempts = FailedAttempts::new(RateLimit { per_minute: 1, burst: 1 });
        for (address, is_refused) in [
            ("192.0.2.1", false),
            ("192.0.2.1", true),
            ("192.0.2.2", false),
            ("::ffff:192.0.2.2", true),
            ("2001:db8::1", false),
            ("2001:db8::2", true),
            ("2001:db8:0:1::1", false),
        ] {
            let counted = attempts.count(address.parse().unwrap());
            assert_eq!(counted.is_err(), is_refused, "{address}");
        }
    }

    #[test]
    fn memory_is_bounded_whoever_comes() {
        let attempts = FailedAttempts::new(RateLimit { per_minute: 1, burst: 1 });
        let more = u32::try_from(MAX_ADDRESSES).unwrap() + 50;
        let refused =
            (0..more).filter(|it| attempts.count(IpAddr::from(it.to_be_bytes())).is_err());
        assert_eq!(refused.count(), 49, "those that share one bucket but the first");
        assert!(attempts.buckets.unwrap().len() <= MAX_ADDRESSES + 1);
    }
}
