//! One bucket for each address, up to a maximum number of addresses.

use std::net::{IpAddr, Ipv6Addr};
use std::time::Duration;

use super::{Allowance, Buckets, Quota};
use crate::caller::network;
use crate::settings::RateLimit;

/// How many addresses are remembered at most, and how many sites.
const ROOM: usize = 10_000;
/// How many buckets the addresses of a site have together.
const BUCKETS_OF_SITE: u32 = 16;

/// The buckets of the addresses that sent requests lately.
pub(crate) struct AddressLimits(Option<Limits>);

struct Limits {
    addresses: Buckets<IpAddr>,
    /// Clients of IPv6 usually get a site of 65,536 networks, each of which counts as an address.
    /// The networks of a site together have no more than a few buckets.
    sites: Buckets<Ipv6Addr>,
}

impl AddressLimits {
    pub(crate) fn new(limit: RateLimit) -> Self {
        Self(limit.quota().map(Limits::new))
    }

    /// Allows this many requests an hour, all at once if need be; 0 means unlimited.
    pub(crate) fn per_hour(requests: u32) -> Self {
        let interval = Duration::from_secs(3600).checked_div(requests);
        Self(interval.map(|interval| Limits::new(Quota { burst: requests, interval })))
    }

    /// Counts a request from an address; `None` when nothing is limited.
    pub(crate) fn take(&self, address: IpAddr) -> Option<Allowance> {
        self.0.as_ref().map(|limits| limits.take(network(address)))
    }
}

impl Limits {
    fn new(quota: Quota) -> Self {
        let Quota { burst, interval } = quota;
        let of_site = Quota {
            burst: burst.saturating_mul(BUCKETS_OF_SITE),
            interval: interval / BUCKETS_OF_SITE,
        };
        Self { addresses: Buckets::new(quota, ROOM), sites: Buckets::new(of_site, ROOM) }
    }

    fn take(&self, address: IpAddr) -> Allowance {
        let IpAddr::V6(in_site) = address else { return self.addresses.take(&address) };
        let site = site(in_site);
        // A request that is refused costs its neighbours nothing, and takes no room.
        if let refused @ Some(_) = self.sites.wait(&site) {
            return Allowance { quota: self.addresses.quota(), remaining: 0, wait: refused };
        }
        let allowance = self.addresses.take(&address);
        if allowance.wait.is_none() {
            self.sites.take(&site);
        }
        allowance
    }
}

/// The first 48 bits of an address.
fn site(address: Ipv6Addr) -> Ipv6Addr {
    Ipv6Addr::from_bits(address.to_bits() >> 80 << 80)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMIT: RateLimit = RateLimit { per_minute: 1, burst: 2 };

    fn is_refused(limits: &AddressLimits, address: IpAddr) -> bool {
        limits.take(address).unwrap().wait.is_some()
    }

    /// A network of an IPv6 site.
    fn of_site(site: u16, network: u16) -> IpAddr {
        Ipv6Addr::new(0x2001, 0xdb8, site, network, 0, 0, 0, 1).into()
    }

    #[test]
    fn addresses_are_counted_apart_and_networks_together() {
        let limits = AddressLimits::new(RateLimit { burst: 1, ..LIMIT });
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
    fn newcomers_pass_however_many_there_were() {
        let limits = AddressLimits::new(LIMIT);
        let greedy: IpAddr = [192, 0, 2, 1].into();
        let refused: Vec<_> = (0..3).map(|_| is_refused(&limits, greedy)).collect();
        assert_eq!(refused, [false, false, true]);
        let many = u32::try_from(ROOM).unwrap() + 500;
        let refused = (0..many).filter(|ip| is_refused(&limits, IpAddr::from(ip.to_be_bytes())));
        assert_eq!(refused.count(), 0);
        assert!(is_refused(&limits, greedy), "its bucket was forgotten");
    }

    #[test]
    fn a_site_of_ipv6_has_a_few_buckets_and_leaves_the_others_theirs() {
        let limits = AddressLimits::new(LIMIT);
        let passed = (0..u16::MAX).filter(|network| !is_refused(&limits, of_site(1, *network)));
        assert_eq!(passed.count(), 32);
        assert!(!is_refused(&limits, of_site(2, 0)), "another site");
        assert!(!is_refused(&limits, [192, 0, 2, 1].into()), "an address of IPv4");
    }
}
