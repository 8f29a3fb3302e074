//! Counts and sums by number.

use std::ops::Range;

use outfall_records::{RecordKind, Unit};
use outfall_request::{ExactSum, FacetSum, ValueUnit};
use rustc_hash::FxHashMap;

/// Counts and sums of at most 2^32 documents, as integers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Tally {
    /// Masses and emissions.
    pub(super) plain: TallySum,
    /// Quantities in `g TEQ`.
    pub(super) teq: TallySum,
}

/// A part of a tally: the number of its records and their sum, in 10^-[`TallySum::PLACES`] of a
/// kilogram, of a tonne of CO2e or of a gram of toxic equivalent.
///
/// The sum is kept in two halves, because a `u128` would be aligned to 16 bytes and make the tally a
/// third larger.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct TallySum {
    low: u64,
    high: u64,
    count: u32,
}

impl TallySum {
    /// Decimal places of the sums.
    pub(super) const PLACES: u32 = 18;
    /// Every amount is below this, 39 million tonnes, so that no sum of 2^32 of them overflows.
    pub(super) const AMOUNTS_END: u128 = 1 << 95;

    const fn sum(self) -> u128 {
        (self.high as u128) << u64::BITS | self.low as u128
    }

    const fn set_sum(&mut self, sum: u128) {
        self.low = sum as u64;
        self.high = (sum >> u64::BITS) as u64;
    }

    #[inline]
    const fn add_amount(&mut self, amount: u128) {
        self.count += 1;
        self.set_sum(self.sum() + amount);
    }

    const fn add(&mut self, other: Self) {
        self.count += other.count;
        self.set_sum(self.sum() + other.sum());
    }

    const fn subtract(&mut self, other: Self) {
        self.count -= other.count;
        self.set_sum(self.sum() - other.sum());
    }

    /// The sum as it is shown.
    fn exact(self) -> ExactSum {
        let mut exact = ExactSum::ZERO;
        // Below 2^127: see `AMOUNTS_END`.
        exact.add_shifted(self.sum() as i128, Self::PLACES as i32);
        exact
    }
}

impl Tally {
    pub(super) fn count(&self) -> u64 {
        u64::from(self.plain.count) + u64::from(self.teq.count)
    }

    pub(super) fn add(&mut self, other: &Self) {
        self.plain.add(other.plain);
        self.teq.add(other.teq);
    }

    /// What `facet_sort=sum` compares, as [`FacetSum::compared`] does; `None` if there is none.
    pub(super) fn compared(&self, value_unit: ValueUnit) -> Option<u128> {
        let part = match value_unit {
            ValueUnit::GramsTeq | ValueUnit::Mass(Unit::GramsTeq) => self.teq,
            ValueUnit::Mass(_) | ValueUnit::Reported => self.plain,
        };
        (part.count > 0).then(|| part.sum())
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

/// Tallies by number: in vectors, or in a map if few numbers are filled.
#[derive(Clone, Debug)]
pub(super) enum Tallies {
    Dense {
        plain: Vec<TallySum>,
        /// As long as `plain`; empty until there is a quantity in `g TEQ`, which are rare.
        teq: Vec<TallySum>,
    },
    Sparse(FxHashMap<u32, Tally>),
}

/// A map costs less than a vector while fewer than one number in this many is filled.
const SPARSE_SHARE: usize = 16;

impl Tallies {
    /// Room for the numbers below `len`, of which at most `filled` will be filled.
    pub(super) fn new(len: usize, filled: usize) -> Self {
        if filled < len / SPARSE_SHARE {
            return Self::Sparse(FxHashMap::with_capacity_and_hasher(filled, Default::default()));
        }
        Self::Dense { plain: vec![TallySum::default(); len], teq: Vec::new() }
    }

    /// Adds masses or emissions, each to the number at its place.
    pub(super) fn add_plain(&mut self, numbers: &[u32], amounts: &[u128]) {
        match self {
            Self::Dense { plain, .. } => add_all(plain, numbers, amounts),
            Self::Sparse(few) => {
                for (number, amount) in numbers.iter().zip(amounts) {
                    few.entry(*number).or_default().plain.add_amount(*amount);
                }
            }
        }
    }

    /// Adds quantities in `g TEQ`, each to the number at its place.
    pub(super) fn add_teq(&mut self, numbers: &[u32], amounts: &[u128]) {
        match self {
            Self::Dense { plain, teq } => {
                teq.resize(plain.len(), TallySum::default());
                add_all(teq, numbers, amounts);
            }
            Self::Sparse(few) => {
                for (number, amount) in numbers.iter().zip(amounts) {
                    few.entry(*number).or_default().teq.add_amount(*amount);
                }
            }
        }
    }

    /// Adds the tally of another number.
    pub(super) fn add(&mut self, number: u32, tally: &Tally) {
        match self {
            Self::Dense { plain, teq } => {
                plain[number as usize].add(tally.plain);
                if tally.teq.count > 0 {
                    teq.resize(plain.len(), TallySum::default());
                    teq[number as usize].add(tally.teq);
                }
            }
            Self::Sparse(few) => few.entry(number).or_default().add(tally),
        }
    }

    /// The tallies less those of some of the records.
    pub(super) fn without(&self, other: &Self) -> Self {
        let mut rest = self.clone();
        other.for_each(|number, tally| match &mut rest {
            Self::Dense { plain, teq } => {
                plain[number as usize].subtract(tally.plain);
                if tally.teq.count > 0 {
                    teq[number as usize].subtract(tally.teq);
                }
            }
            Self::Sparse(few) => {
                let own = few.entry(number).or_default();
                own.plain.subtract(tally.plain);
                own.teq.subtract(tally.teq);
            }
        });
        rest
    }

    /// The most numbers that can have a record.
    pub(super) fn most_filled(&self) -> usize {
        match self {
            Self::Dense { plain, .. } => plain.len(),
            Self::Sparse(few) => few.len(),
        }
    }

    /// Calls `take` for each number that has a record, in any order.
    pub(super) fn for_each(&self, take: impl FnMut(u32, &Tally)) {
        self.for_each_in(0..u32::MAX, take);
    }

    /// Calls `take` for each number in `range` that has a record, in any order.
    pub(super) fn for_each_in(&self, range: Range<u32>, mut take: impl FnMut(u32, &Tally)) {
        match self {
            Self::Dense { plain, teq } => {
                let end = (range.end as usize).min(plain.len());
                let start = (range.start as usize).min(end);
                let mut teq = teq.get(start..end).unwrap_or_default().iter();
                for (number, plain) in (range.start..).zip(&plain[start..end]) {
                    // Without any in `g TEQ`, the list is empty.
                    let teq = teq.next().copied().unwrap_or_default();
                    let tally = Tally { plain: *plain, teq };
                    if tally.count() > 0 {
                        take(number, &tally);
                    }
                }
            }
            Self::Sparse(few) => {
                let inside = few.iter().filter(|(number, _)| range.contains(number));
                inside.for_each(|(number, tally)| take(*number, tally));
            }
        }
    }

    /// How many numbers have a record.
    pub(super) fn filled(&self) -> usize {
        let mut filled = 0;
        self.for_each(|_, _| filled += 1);
        filled
    }

    pub(super) fn get(&self, number: u32) -> Tally {
        match self {
            Self::Dense { plain, teq } => Tally {
                plain: plain[number as usize],
                teq: teq.get(number as usize).copied().unwrap_or_default(),
            },
            Self::Sparse(few) => few.get(&number).copied().unwrap_or_default(),
        }
    }
}

fn add_all(tallies: &mut [TallySum], numbers: &[u32], amounts: &[u128]) {
    for (number, amount) in numbers.iter().zip(amounts) {
        tallies[*number as usize].add_amount(*amount);
    }
}
