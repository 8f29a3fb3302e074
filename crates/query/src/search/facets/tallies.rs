//! Counts and sums by number.

use std::cmp::Reverse;
use std::collections::HashMap;

use outfall_records::RecordKind;
use outfall_request::{ExactSum, FacetSum};

/// Counts and sums of at most 2^32 documents, as integers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Tally {
    /// Masses and emissions.
    plain: TallySum,
    /// Quantities in `g TEQ`.
    teq: TallySum,
}

/// A part of a tally: the number of its records and their sum, in 10^-[`TallySum::PLACES`] of a
/// kilogram, of a tonne of CO2e or of a gram of toxic equivalent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct TallySum {
    count: u32,
    sum: i128,
}

impl TallySum {
    /// Decimal places of the sums.
    pub(super) const PLACES: u32 = 18;
    /// Every amount is below this, 39 million tonnes, so that no sum of 2^32 of them overflows.
    pub(super) const AMOUNTS_END: i128 = 1 << 95;

    pub(super) const fn add_amount(&mut self, amount: i128) {
        self.count += 1;
        self.sum += amount;
    }

    const fn add(&mut self, other: Self) {
        self.count += other.count;
        self.sum += other.sum;
    }

    const fn subtract(&mut self, other: Self) {
        self.count -= other.count;
        self.sum -= other.sum;
    }

    fn exact(self) -> ExactSum {
        let mut exact = ExactSum::ZERO;
        exact.add_shifted(self.sum, Self::PLACES as i32);
        exact
    }
}

impl Tally {
    pub(super) fn count(&self) -> u64 {
        u64::from(self.plain.count) + u64::from(self.teq.count)
    }

    pub(super) fn sum(&self, record_kind: RecordKind) -> FacetSum {
        let present = |sum: TallySum| (sum.count > 0).then(|| sum.exact());
        match record_kind {
            RecordKind::Release => {
                FacetSum::Release { kilograms: present(self.plain), grams_teq: present(self.teq) }
            }
            RecordKind::Emission => FacetSum::Emission { tonnes: self.plain.exact() },
        }
    }
}

/// Tallies by number: in a vector, or in a map if few numbers are filled.
#[derive(Clone, Debug)]
pub(super) enum Tallies {
    Dense(Vec<Tally>),
    Sparse(HashMap<usize, Tally>),
}

/// A map costs less than a vector while fewer than one number in this many is filled.
const SPARSE_SHARE: usize = 16;

impl Tallies {
    /// Room for the numbers below `len`, of which at most `filled` will be filled.
    pub(super) fn new(len: usize, filled: usize) -> Self {
        if filled < len / SPARSE_SHARE {
            return Self::Sparse(HashMap::with_capacity(filled));
        }
        Self::Dense(vec![Tally::default(); len])
    }

    fn at(&mut self, number: usize) -> &mut Tally {
        match self {
            Self::Dense(all) => &mut all[number],
            Self::Sparse(few) => few.entry(number).or_default(),
        }
    }

    pub(super) fn add(&mut self, number: usize, tally: &Tally) {
        let own = self.at(number);
        own.plain.add(tally.plain);
        own.teq.add(tally.teq);
    }

    pub(super) fn add_plain(&mut self, number: usize, sum: TallySum) {
        self.at(number).plain.add(sum);
    }

    pub(super) fn add_teq(&mut self, number: usize, amount: i128) {
        self.at(number).teq.add_amount(amount);
    }

    /// The tallies less those of some of the records.
    pub(super) fn without(&self, other: &Self) -> Self {
        let mut rest = self.clone();
        other.for_each(|number, tally| {
            let own = rest.at(number);
            own.plain.subtract(tally.plain);
            own.teq.subtract(tally.teq);
        });
        rest
    }

    /// The most numbers that can have a record.
    pub(super) fn most_filled(&self) -> usize {
        match self {
            Self::Dense(all) => all.len(),
            Self::Sparse(few) => few.len(),
        }
    }

    /// Calls `take` for each number that has a record, in any order.
    pub(super) fn for_each(&self, mut take: impl FnMut(usize, &Tally)) {
        let mut take_filled = |number: usize, tally: &Tally| {
            if tally.count() > 0 {
                take(number, tally);
            }
        };
        match self {
            Self::Dense(all) => all.iter().enumerate().for_each(|(n, tally)| take_filled(n, tally)),
            Self::Sparse(few) => few.iter().for_each(|(n, tally)| take_filled(*n, tally)),
        }
    }

    /// The `limit` largest counts; equal ones by number.
    pub(super) fn largest(&self, limit: usize) -> Vec<(usize, Tally)> {
        let mut counts: Vec<(Reverse<u64>, usize)> = Vec::with_capacity(self.most_filled());
        self.for_each(|number, tally| counts.push((Reverse(tally.count()), number)));
        if limit < counts.len() {
            counts.select_nth_unstable(limit);
            counts.truncate(limit);
        }
        counts.sort_unstable();
        counts.into_iter().map(|(_, number)| (number, self.get(number))).collect()
    }

    fn get(&self, number: usize) -> Tally {
        match self {
            Self::Dense(all) => all[number],
            Self::Sparse(few) => few.get(&number).copied().unwrap_or_default(),
        }
    }
}
