//! The open connections, and which of them closes when there are too many.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Arc;

use super::Connection;

/// The limits on the number of connections.
#[derive(Clone, Copy, Debug)]
pub(super) struct Room {
    /// Of all clients together.
    pub(super) all: usize,
    /// Of one address; 0 means unlimited.
    pub(super) of_address: usize,
}

/// The open connections, counted by client.
#[derive(Debug)]
pub(super) struct OpenConnections {
    room: Room,
    open: HashMap<u64, Arc<Connection>>,
    counts: HashMap<IpAddr, usize>,
    /// The name of the next connection.
    next: u64,
}

impl OpenConnections {
    pub(super) fn new(room: Room) -> Self {
        Self { room, open: HashMap::new(), counts: HashMap::new(), next: 0 }
    }

    /// Adds a connection and gives its name. If that is one too many, also gives the one that must
    /// close, possibly this one: the longest idle one, or failing that the one longest without
    /// progress, of the address that exceeds its limit or of the addresses that have the most.
    pub(super) fn admit(&mut self, connection: &Arc<Connection>) -> (u64, Option<Arc<Connection>>) {
        let name = self.next;
        self.next += 1;
        let own = connection.network;
        self.open.insert(name, Arc::clone(connection));
        let count = self.counts.entry(own).or_default();
        *count += 1;
        let has_too_many = self.room.of_address > 0 && *count > self.room.of_address;
        let leaves = match (has_too_many, self.open.len() > self.room.all) {
            (true, _) => self.longest_idle(|network| network == own),
            (false, true) => {
                let most = self.counts.values().copied().max().unwrap_or_default();
                self.longest_idle(|network| self.counts.get(&network) == Some(&most))
            }
            (false, false) => None,
        };
        (name, leaves.and_then(|leaves| self.remove(leaves)))
    }

    fn longest_idle(&self, is_of: impl Fn(IpAddr) -> bool) -> Option<u64> {
        let candidates = self.open.iter().filter(|(_, open)| is_of(open.network));
        let longest =
            candidates.max_by_key(|(_, open)| (open.is_idle(), Reverse(open.last_progress())));
        longest.map(|(name, _)| *name)
    }

    /// Forgets a connection, if it is still known.
    pub(super) fn remove(&mut self, name: u64) -> Option<Arc<Connection>> {
        let connection = self.open.remove(&name)?;
        let network = connection.network;
        if let Some(count) = self.counts.get_mut(&network) {
            *count -= 1;
            if *count == 0 {
                self.counts.remove(&network);
            }
        }
        Some(connection)
    }

    /// Every connection and its name.
    pub(super) fn all(&self) -> Vec<(u64, Arc<Connection>)> {
        self.open.iter().map(|(name, open)| (*name, Arc::clone(open))).collect()
    }
}
