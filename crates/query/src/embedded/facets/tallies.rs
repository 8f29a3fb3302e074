//! Counts and sums by number.

use std::collections::HashMap;

use outfall_records::Entity;

use crate::{ExactSum, FacetSum};

/// Records, and the sums of what they publish, as integers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Tally {
    /// Of masses and of emissions, then of `g TEQ`.
    counts: [u64; 2],
    /// The sums of either, in 10^-[`Tally::PLACES`] of a kilogram, tonne or gram.
    sums: [i128; 2],
}

impl Tally {
    /// Decimal places of the sums.
    pub(super) const PLACES: u32 = 9;

    pub(super) fn add_amount(&mut self, is_teq: bool, amount: i64) {
        let class = usize::from(is_teq);
        self.counts[class] += 1;
        // Less than 2^64 numbers of 64 bits.
        self.sums[class] += i128::from(amount);
    }

    fn add(&mut self, other: &Self) {
        for class in 0..2 {
            self.counts[class] += other.counts[class];
            self.sums[class] += other.sums[class];
        }
    }

    fn subtract(&mut self, other: &Self) {
        for class in 0..2 {
            self.counts[class] -= other.counts[class];
            self.sums[class] -= other.sums[class];
        }
    }

    pub(super) const fn count(&self) -> u64 {
        self.counts[0] + self.counts[1]
    }

    pub(super) fn sum(&self, entity: Entity) -> FacetSum {
        let sum = |class: usize| {
            let mut sum = ExactSum::ZERO;
            sum.add_shifted(self.sums[class], Self::PLACES as i32);
            sum
        };
        let present = |class: usize| (self.counts[class] > 0).then(|| sum(class));
        match entity {
            Entity::Release => FacetSum::Release { kilograms: present(0), grams_teq: present(1) },
            Entity::Emission => FacetSum::Emission { tonnes: sum(0) },
        }
    }
}

/// Tallies by number: all in a row, or few of many in a map.
#[derive(Clone, Debug)]
pub(super) enum Tallies {
    Dense(Vec<Tally>),
    Sparse(HashMap<usize, Tally>),
}

/// Below this share of all numbers a map costs less than the row.
const SPARSE_SHARE: usize = 16;

impl Tallies {
    /// Room for the numbers below `len`, of which at most `filled` will be filled.
    pub(super) fn new(len: usize, filled: usize) -> Self {
        if filled < len / SPARSE_SHARE {
            return Self::Sparse(HashMap::with_capacity(filled));
        }
        Self::Dense(vec![Tally::default(); len])
    }

    pub(super) fn add(&mut self, number: usize, tally: &Tally) {
        match self {
            Self::Dense(all) => all[number].add(tally),
            Self::Sparse(few) => few.entry(number).or_default().add(tally),
        }
    }

    /// Takes the tallies of some of the records away.
    pub(super) fn subtract(&mut self, other: &Self) {
        for (number, tally) in other.iter() {
            match self {
                Self::Dense(all) => all[number].subtract(&tally),
                Self::Sparse(few) => few.entry(number).or_default().subtract(&tally),
            }
        }
    }

    /// The numbers that have a record, with their tallies, in any order.
    pub(super) fn iter(&self) -> Box<dyn Iterator<Item = (usize, Tally)> + '_> {
        let has_record = |(_, tally): &(usize, Tally)| tally.count() > 0;
        match self {
            Self::Dense(all) => Box::new(all.iter().copied().enumerate().filter(has_record)),
            Self::Sparse(few) => Box::new(few.iter().map(|(n, it)| (*n, *it)).filter(has_record)),
        }
    }
}
