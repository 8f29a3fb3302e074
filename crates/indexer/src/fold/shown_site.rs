//! The sites that records show. Most are exactly as a row shows them, and are then identified by
//! their number there.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::read::{Pool, ReleaseSite, numbered};

/// The distinct sites that records show, in the order of their first record.
pub(super) struct ShownSites<'a> {
    /// The sites that rows show.
    read: &'a Pool<ReleaseSite>,
    sites: Vec<Shown>,
    /// The number here of each site of `read`.
    of_read: Vec<Option<u32>>,
    of_filled: FxHashMap<Arc<ReleaseSite>, u32>,
}

enum Shown {
    /// As a row shows it, by its number there.
    Read(u32),
    /// Filled from several rows.
    Filled(Arc<ReleaseSite>),
}

impl<'a> ShownSites<'a> {
    pub(super) fn new(read: &'a Pool<ReleaseSite>) -> Self {
        let of_read = vec![None; read.len() as usize];
        Self { read, sites: Vec::new(), of_read, of_filled: FxHashMap::default() }
    }

    /// The number of a site as a row shows it, a new one if no record showed it before.
    pub(super) fn number_read(&mut self, read: u32) -> u32 {
        let next = numbered(self.sites.len());
        *self.of_read[read as usize].get_or_insert_with(|| {
            self.sites.push(Shown::Read(read));
            next
        })
    }

    /// As [`ShownSites::number_read`], for a site that was filled from several rows.
    pub(super) fn number_filled(&mut self, site: Arc<ReleaseSite>) -> u32 {
        if let Some(read) = self.read.find(&site) {
            return self.number_read(read);
        }
        let next = numbered(self.sites.len());
        *self.of_filled.entry(site).or_insert_with_key(|site| {
            self.sites.push(Shown::Filled(Arc::clone(site)));
            next
        })
    }

    /// Adds the sites of a later run; returns the number here for each number there.
    pub(super) fn absorb(&mut self, later: Self) -> Vec<u32> {
        let number = |site| match site {
            Shown::Read(read) => self.number_read(read),
            Shown::Filled(site) => self.number_filled(site),
        };
        later.sites.into_iter().map(number).collect()
    }

    /// The sites, by number.
    pub(super) fn into_values(self) -> Vec<Arc<ReleaseSite>> {
        let shown = |site| match site {
            Shown::Read(read) => Arc::clone(&self.read.values()[read as usize]),
            Shown::Filled(site) => site,
        };
        self.sites.into_iter().map(shown).collect()
    }
}
