//! The number that each record shows, as one word, for sums.

use outfall_records::{Decimal, Unit};

use super::Kind;
use crate::index::bytes::Numbers;
use crate::index::record::StoredRecord;

/// The published number of one document in a word: its digits, its unit and its decimal places.
///
/// Emissions, which have no unit, are kept as kilograms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quantity(u64);

const PLACES_BITS: u32 = 5;
const UNIT_BITS: u32 = 2;
/// Digits are below 2^57, which is more than the 17 digits that a float may be written with.
const DIGITS_END: u64 = 1 << (u64::BITS - PLACES_BITS - UNIT_BITS);
/// Trailing zeros are dropped from numbers with more places; that is slow, and up to this many no
/// sum needs it.
const MOST_PLACES: u32 = 15;

impl Quantity {
    /// The number of combinations of a unit and decimal places.
    pub const FORMS: usize = 1 << (PLACES_BITS + UNIT_BITS);

    /// The quantity of digits below 2^57 with at most 28 decimal places.
    #[must_use]
    pub const fn new(digits: u64, places: u32, unit: Unit) -> Self {
        Self((digits << UNIT_BITS | unit as u64) << PLACES_BITS | places as u64)
    }

    /// The quantity of a number, unless that is negative or has too many digits.
    fn of(value: Decimal, unit: Unit) -> Option<Self> {
        Self::plain(value, unit).or_else(|| {
            let shortest = value.normalize();
            let digits = u64::try_from(shortest.mantissa()).ok()?;
            (digits < DIGITS_END).then(|| Self::new(digits, shortest.scale(), unit))
        })
    }

    /// The quantity of a number with its decimal places as written.
    fn plain(value: Decimal, unit: Unit) -> Option<Self> {
        let digits = u64::try_from(value.mantissa()).ok()?;
        let is_plain = digits < DIGITS_END && value.scale() <= MOST_PLACES;
        is_plain.then(|| Self::new(digits, value.scale(), unit))
    }

    /// The quantity of a word in a list.
    #[must_use]
    pub const fn from_word(word: u64) -> Self {
        Self(word)
    }

    /// The word to keep in a list.
    #[must_use]
    pub const fn word(self) -> u64 {
        self.0
    }

    /// The number 0 of the same form.
    #[must_use]
    pub const fn without_digits(self) -> Self {
        Self(self.form() as u64)
    }

    /// The number without its decimal point.
    #[must_use]
    pub const fn digits(self) -> u64 {
        self.0 >> (PLACES_BITS + UNIT_BITS)
    }

    /// The number of its combination of unit and decimal places, below [`Quantity::FORMS`].
    #[must_use]
    pub const fn form(self) -> usize {
        self.0 as usize % Self::FORMS
    }

    /// The unit.
    #[must_use]
    pub const fn unit(self) -> Unit {
        Unit::ALL[self.form() >> PLACES_BITS]
    }

    /// The decimal places.
    #[must_use]
    pub const fn places(self) -> u32 {
        self.form() as u32 % (1 << PLACES_BITS)
    }
}

/// The published numbers of all documents of a kind.
#[derive(Clone, Debug, Default)]
pub struct Quantities {
    /// A [`Quantity`] per document; without digits for those that have too many.
    pub words: Numbers<u64>,
    /// The very few that have too many digits, by document.
    pub wide: Vec<WideQuantity>,
}

/// The published number of one document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WideQuantity {
    /// The document.
    pub document: u32,
    /// Its number.
    pub value: Decimal,
    /// The unit; emissions have none.
    pub unit: Option<Unit>,
}

impl Quantities {
    /// The quantities of all rows; `None` if what a record stores makes no
    /// sense, so that a search need not doubt it.
    pub(super) fn of(kind: &Kind) -> Option<Self> {
        let mut words = Numbers::zeroed(kind.len());
        let mut wide = Vec::new();
        for ((document, row), word) in (0..).zip(kind.rows()).zip(words.iter_mut()) {
            let stored = StoredRecord::decode(kind.record_kind, row)?;
            if !stored.has_whole_breakdown(kind.categories.len(), kind.methods.len()) {
                return None;
            }
            let (value, unit) = stored.quantity();
            let kept_as = unit.unwrap_or(Unit::Kilograms);
            let quantity = Quantity::of(value, kept_as).unwrap_or_else(|| {
                wide.push(WideQuantity { document, value, unit });
                Quantity::new(0, 0, kept_as)
            });
            *word = quantity.word();
        }
        Some(Self { words: words.shared(), wide })
    }

    /// The sum of all, whatever their units.
    pub(crate) fn sum(&self) -> QuantitySum {
        let mut sum = QuantitySum::default();
        for word in self.words.iter() {
            let quantity = Quantity(*word);
            sum.add_digits(quantity.digits().into(), quantity.places());
        }
        self.wide.iter().for_each(|wide| sum.add(wide.value));
        sum
    }
}

/// A sum of decimals that does not depend on their order, and is exact except for the largest.
#[derive(Clone, Debug, Default)]
pub(crate) struct QuantitySum {
    /// The sums of digits, by the number of decimal places.
    by_places: [i128; 1 << PLACES_BITS],
}

impl QuantitySum {
    /// Adds a number just as [`Quantities::sum`] does, so that both are rounded alike.
    pub(crate) fn add(&mut self, value: Decimal) {
        match Quantity::of(value, Unit::Kilograms) {
            Some(quantity) => self.add_digits(quantity.digits().into(), quantity.places()),
            None => self.add_digits(value.mantissa(), value.scale()),
        }
    }

    const fn add_digits(&mut self, digits: i128, places: u32) {
        let sum = &mut self.by_places[places as usize];
        *sum = sum.wrapping_add(digits);
    }

    /// The sum; rounded, or the largest decimal, if no decimal holds it.
    pub(crate) fn total(&self) -> Decimal {
        let mut total = Decimal::ZERO;
        for (sum, places) in self.by_places.iter().zip(0..) {
            let (mut digits, mut places) = (*sum, places);
            let part = loop {
                match Decimal::try_from_i128_with_scale(digits, places) {
                    Ok(part) => break part,
                    Err(_) if places == 0 => break Decimal::MAX,
                    Err(_) => (digits, places) = (digits / 10, places - 1),
                }
            };
            total = total.saturating_add(part);
        }
        total
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_word_holds_what_it_was_made_of(digits in 0..DIGITS_END, places in 0..=MOST_PLACES) {
            for unit in Unit::ALL {
                let value = Decimal::from_i128_with_scale(digits.into(), places);
                let quantity = Quantity::of(value, unit).unwrap();
                let found = (quantity.digits(), quantity.places(), quantity.unit());
                prop_assert_eq!(found, (digits, places, unit));
            }
        }

        #[test]
        fn a_sum_is_that_of_decimals(values in proptest::collection::vec((0..1_u64 << 40, 0_u32..9), 0..20)) {
            let values = values.iter().map(|(digits, places)| Decimal::new(*digits as i64, *places));
            let mut sum = QuantitySum::default();
            values.clone().for_each(|value| sum.add(value));
            prop_assert_eq!(sum.total(), values.sum::<Decimal>());
        }
    }

    #[test]
    fn what_a_word_does_not_hold_is_told() {
        for (value, expected) in [
            ("144115188075855871", Some((144_115_188_075_855_871, 0))),
            ("144115188075855872", None),
            ("-1", None),
            ("1.0000000000000000", Some((1, 0))),
            ("0.0000000000000001", Some((1, 16))),
            ("79228162514264337593543950335", None),
        ] {
            let quantity = Quantity::of(value.parse().unwrap(), Unit::Grams);
            let found = quantity.map(|quantity| (quantity.digits(), quantity.places()));
            assert_eq!(found, expected, "{value}");
        }
    }

    #[test]
    fn a_sum_that_no_decimal_holds_is_still_told() {
        let mut sum = QuantitySum::default();
        (0..3).for_each(|_| sum.add(Decimal::MAX));
        assert_eq!(sum.total(), Decimal::MAX);
    }
}
