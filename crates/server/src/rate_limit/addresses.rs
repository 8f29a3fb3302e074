//! One token bucket for each address, by a clock that never goes back.

use std::net::{IpAddr, Ipv6Addr};
use std::num::NonZeroU32;

use governor::clock::DefaultClock;
use governor::middleware::StateInformationMiddleware;
use governor::state::keyed::HashMapStateStore;
use governor::{Quota, RateLimiter};

use super::Allowance;
use crate::settings::RateLimit;

/// The most addresses that are remembered; any more share one bucket.
const MAX_ADDRESSES: usize = 10_000;

/// The buckets of the addresses that came of late.
pub(crate) struct AddressLimits {
    buckets: Option<(Quota, Buckets)>,
    clock: DefaultClock,
}

type Buckets =
    RateLimiter<IpAddr, HashMapStateStore<IpAddr>, DefaultClock, StateInformationMiddleware>;

impl AddressLimits {
    pub(crate) fn new(limit: RateLimit) -> Self {
        Self::of_quota(limit.quota())
    }

    /// As many requests an hour, in what order ever; 0 sets no limit.
    pub(crate) fn per_hour(requests: u32) -> Self {
        Self::of_quota(NonZeroU32::new(requests).map(Quota::per_hour))
    }

    fn of_quota(quota: Option<Quota>) -> Self {
        let buckets = quota.map(|quota| (quota, RateLimiter::hashmap(quota).with_middleware()));
        Self { buckets, clock: DefaultClock::default() }
    }

    /// Counts a request from an address; `None` when nothing is limited.
    pub(crate) fn take(&self, address: IpAddr) -> Option<Allowance> {
        let (quota, buckets) = self.buckets.as_ref()?;
        if buckets.len() >= MAX_ADDRESSES {
            buckets.retain_recent();
        }
        let is_full = buckets.len() >= MAX_ADDRESSES;
        let address = if is_full { Ipv6Addr::UNSPECIFIED.into() } else { network(address) };
        Some(Allowance::new(*quota, buckets.check_key(&address), &self.clock))
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

    fn is_refused(limits: &AddressLimits, address: IpAddr) -> bool {
        limits.take(address).unwrap().wait().is_some()
    }

    #[test]
    fn addresses_are_counted_apart_and_networks_together() {
        let limits = AddressLimits::new(RateLimit { per_minute: 1, burst: 1 });
        for (address, expected) in [
            ("192.0.2.1", false),
            ("192.0.2.1", true),
            ("192.0.2.2", false),
            ("::ffff:192.0.2.2", true),
            ("2001:db8::1", false),
            ("2001:db8::2", true),
            ("2001:db8:0:1::1", false),
        ] {
            assert_eq!(self::is_refused(&limits, address.parse().unwrap()), expected, "{address}");
        }
    }

    #[test]
    fn memory_is_bounded_whoever_comes() {
        let limits = AddressLimits::new(RateLimit { per_minute: 1, burst: 1 });
        let more = u32::try_from(MAX_ADDRESSES).unwrap() + 50;
        let refused = (0..more).filter(|it| is_refused(&limits, IpAddr::from(it.to_be_bytes())));
        assert_eq!(refused.count(), 49, "those that share one bucket but the first");
        assert!(limits.buckets.unwrap().1.len() <= MAX_ADDRESSES + 1);
    }
}
