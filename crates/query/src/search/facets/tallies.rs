//! Counts and sums by number.

use std::ops::Range;

use outfall_records::{Amount, RecordKind, Unit};
use outfall_request::{FacetSum, ValueUnit};
use rustc_hash::FxHashMap;

use crate::index::numbered;

/// Counts and sums of at most 2^32 documents, as integers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Tally {
    /// Masses and emissions.
    pub(super) plain: TallySum,
    /// Quantities in `g TEQ`.
    pub(super) teq: TallySum,
}

/// A part of a tally: the number of its records, and the sum of their amounts.
///
/// The sum is kept in two halves, because an [`Amount`] is aligned to 16 bytes and would make the
/// tally a third larger.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct TallySum {
    low: u64,
    high: i64,
    count: u32,
}

impl TallySum {
    /// The tally of a few amounts.
    pub(super) fn of(amounts: &[Amount]) -> Self {
        let mut tally = Self { count: numbered(amounts.len()), ..Self::default() };
        tally.set_sum(amounts.iter().copied().sum());
        tally
    }

    #[cfg(test)]
    pub(super) const fn count(self) -> u32 {
        self.count
    }

    const fn sum(self) -> Amount {
        Amount::from_attos((self.high as i128) << u64::BITS | self.low as i128)
    }

    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "both halves are kept"
    )]
    const fn set_sum(&mut self, sum: Amount) {
        self.low = sum.attos() as u64;
        self.high = (sum.attos() >> u64::BITS) as i64;
    }

    #[inline]
    pub(super) fn add_amount(&mut self, amount: Amount) {
        self.count += 1;
        self.set_sum(self.sum() + amount);
    }

    pub(super) fn add(&mut self, other: Self) {
        self.count += other.count;
        self.set_sum(self.sum() + other.sum());
    }

    pub(super) fn subtract(&mut self, other: Self) {
        self.count -= other.count;
        self.set_sum(self.sum() - other.sum());
    }
}

impl Tally {
    pub(super) fn count(&self) -> u64 {
        u64::from(self.plain.count) + u64::from(self.teq.count)
    }

    /// What `facet_sort=sum` compares, as [`FacetSum::compared`] does; `None` if there is none.
    pub(super) fn compared(&self, value_unit: ValueUnit) -> Option<Amount> {
        let part = match value_unit {
            ValueUnit::GramsTeq | ValueUnit::Mass(Unit::GramsTeq) => self.teq,
            ValueUnit::Mass(_) | ValueUnit::Reported => self.plain,
        };
        (part.count > 0).then(|| part.sum())
    }

    pub(super) fn sum(&self, record_kind: RecordKind) -> FacetSum {
        let present = |sum: TallySum| (sum.count > 0).then(|| sum.sum());
        match record_kind {
            RecordKind::Release => {
                FacetSum::Release { kilograms: present(self.plain), grams_teq: present(self.teq) }
            }
            RecordKind::Emission => FacetSum::Emission { tonnes: self.plain.sum() },
        }
    }
}

/// Tallies by number: in a vector, or in a map if few numbers are filled.
#[derive(Clone, Debug)]
pub(super) enum Tallies {
    Dense {
        plain: Vec<TallySum>,
        /// Quantities in `g TEQ` are rare.
        teq: FxHashMap<u32, TallySum>,
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
        Self::Dense { plain: vec![TallySum::default(); len], teq: FxHashMap::default() }
    }

    /// Adds masses, emissions or quantities in `g TEQ`, each to the number at its place.
    pub(super) fn add_amounts(
        &mut self,
        numbers: impl Iterator<Item = u32>,
        amounts: &[Amount],
        is_teq: bool,
    ) {
        let added = numbers.zip(amounts);
        match self {
            Self::Dense { plain, .. } if !is_teq => {
                added.for_each(|(number, amount)| plain[number as usize].add_amount(*amount));
            }
            _ => added.for_each(|(number, amount)| self.at(number, is_teq).add_amount(*amount)),
        }
    }

    /// Like [`Tallies::add_amounts`], for neighbours that mostly have the same number: their
    /// amounts are added up first.
    pub(super) fn add_runs(
        &mut self,
        numbers: impl Iterator<Item = u32>,
        amounts: &[Amount],
        is_teq: bool,
    ) {
        let mut run = (0, TallySum::default());
        for (number, amount) in numbers.zip(amounts) {
            if number != run.0 {
                self.at(run.0, is_teq).add(run.1);
                run = (number, TallySum::default());
            }
            run.1.add_amount(*amount);
        }
        self.at(run.0, is_teq).add(run.1);
    }

    /// Adds the tally of another number.
    pub(super) fn add_tally(&mut self, number: u32, tally: &Tally) {
        self.at_plain(number).add(tally.plain);
        if tally.teq.count > 0 {
            self.at_teq(number).add(tally.teq);
        }
    }

    /// Adds the tallies of other records, by number.
    pub(super) fn add(&mut self, other: &Self) {
        other.for_each_sum(|number, is_teq, sum| self.at(number, is_teq).add(sum));
    }

    /// The masses or emissions of a number, to be changed.
    pub(super) fn at_plain(&mut self, number: u32) -> &mut TallySum {
        match self {
            Self::Dense { plain, .. } => &mut plain[number as usize],
            Self::Sparse(few) => &mut few.entry(number).or_default().plain,
        }
    }

    /// One of the two sums of a number, to be changed.
    pub(super) fn at(&mut self, number: u32, is_teq: bool) -> &mut TallySum {
        if is_teq { self.at_teq(number) } else { self.at_plain(number) }
    }

    fn at_teq(&mut self, number: u32) -> &mut TallySum {
        match self {
            Self::Dense { teq, .. } => teq.entry(number).or_default(),
            Self::Sparse(few) => &mut few.entry(number).or_default().teq,
        }
    }

    /// The most numbers that can have a record.
    pub(super) fn most_filled(&self) -> usize {
        match self {
            Self::Dense { plain, .. } => plain.len(),
            Self::Sparse(few) => few.len(),
        }
    }

    /// Calls `take` for each sum that has a record, in any order: its number, whether it is in
    /// `g TEQ`, and the sum.
    pub(super) fn for_each_sum(&self, mut take: impl FnMut(u32, bool, TallySum)) {
        let mut take_filled = |number, is_teq, sum: TallySum| {
            if sum.count > 0 {
                take(number, is_teq, sum);
            }
        };
        match self {
            Self::Dense { plain, teq } => {
                (0..).zip(plain).for_each(|(number, sum)| take_filled(number, false, *sum));
                teq.iter().for_each(|(number, sum)| take_filled(*number, true, *sum));
            }
            Self::Sparse(few) => {
                for (number, Tally { plain, teq }) in few {
                    take_filled(*number, false, *plain);
                    take_filled(*number, true, *teq);
                }
            }
        }
    }

    /// Calls `take` for each number in `range` that has a record, in any order.
    pub(super) fn for_each_in(&self, range: Range<u32>, mut take: impl FnMut(u32, &Tally)) {
        let mut take_filled = |number: u32, tally: Tally| {
            if tally.count() > 0 {
                take(number, &tally);
            }
        };
        match self {
            Self::Dense { plain, teq } => {
                let end = (range.end as usize).min(plain.len());
                let start = (range.start as usize).min(end);
                let of_number = |number: u32| match teq.is_empty() {
                    true => TallySum::default(),
                    false => teq.get(&number).copied().unwrap_or_default(),
                };
                for (number, plain) in (range.start..).zip(&plain[start..end]) {
                    take_filled(number, Tally { plain: *plain, teq: of_number(number) });
                }
            }
            Self::Sparse(few) => {
                let inside = few.iter().filter(|(number, _)| range.contains(number));
                inside.for_each(|(number, tally)| take_filled(*number, *tally));
            }
        }
    }

    /// How many numbers have a record.
    pub(super) fn filled(&self) -> usize {
        let mut filled = 0;
        self.for_each_in(0..u32::MAX, |_, _| filled += 1);
        filled
    }

    pub(super) fn get(&self, number: u32) -> Tally {
        match self {
            Self::Dense { plain, teq } => Tally {
                plain: plain[number as usize],
                teq: teq.get(&number).copied().unwrap_or_default(),
            },
            Self::Sparse(few) => few.get(&number).copied().unwrap_or_default(),
        }
    }
}
