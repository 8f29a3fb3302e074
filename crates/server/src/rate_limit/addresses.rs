//! One bucket for each address, and no more of them than memory has room for.

use std::net::{IpAddr, Ipv6Addr};
use std::num::NonZeroU32;

use governor::Quota;

use super::{Allowance, Buckets};
use crate::settings::RateLimit;

/// The most addresses that are remembered; any more share one bucket.
const MAX_ADDRESSES: usize = 10_000;

/// The buckets of the addresses that came of late.
pub(crate) struct AddressLimits(Option<Buckets<IpAddr>>);

impl AddressLimits {
    pub(crate) fn new(limit: RateLimit) -> Self {
        Self(limit.quota().map(Buckets::new))
    }

    /// As many requests an hour, in what order ever; 0 sets no limit.
    pub(crate) fn per_hour(requests: u32) -> Self {
        Self(NonZeroU32::new(requests).map(Quota::per_hour).map(Buckets::new))
    }

    /// Counts a request from an address; `None` when nothing is limited.
    pub(crate) fn take(&self, address: IpAddr) -> Option<Allowance> {
        let buckets = self.0.as_ref()?;
        if buckets.len() >= MAX_ADDRESSES {
            buckets.retain_recent();
        }
        let is_full = buckets.len() >= MAX_ADDRESSES;
        let address = if is_full { Ipv6Addr::UNSPECIFIED.into() } else { network(address) };
        Some(buckets.take(&address))
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
        assert!(limits.0.unwrap().len() <= MAX_ADDRESSES + 1);
    }
}
