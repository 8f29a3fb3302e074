//! The callers that limits apply to.

use std::net::{IpAddr, Ipv6Addr};

use crate::keys::KeyId;

/// A client, as limits distinguish them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Caller {
    /// Any client, where no key is required.
    Anybody,
    /// The holder of a key.
    Key(KeyId),
    /// A visitor with `DEMO_KEY`, by network.
    Visitor(IpAddr),
    /// The explorer in a browser, by network.
    Page(IpAddr),
}

impl Caller {
    /// The caller with that key at that address.
    pub(crate) fn of(key: Option<&KeyId>, address: IpAddr) -> Self {
        match key {
            None => Self::Anybody,
            Some(key) if key.is_demo() => Self::Visitor(network(address)),
            Some(key) if key.is_page() => Self::Page(network(address)),
            Some(key) => Self::Key(key.clone()),
        }
    }
}

/// The part of an address that identifies a client: all of IPv4, the first half of IPv6.
pub(crate) fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(address) => address.into(),
        IpAddr::V6(address) => {
            Ipv6Addr::from_bits(address.to_bits() & !u128::from(u64::MAX)).into()
        }
    }
}
