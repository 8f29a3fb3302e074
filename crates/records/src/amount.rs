//! Amounts as they are added up: exactly, in whole numbers.

use std::fmt;
use std::iter::Sum;
use std::num::NonZeroU32;
use std::ops::{Add, AddAssign, Neg, Sub};

use rust_decimal::Decimal;

use crate::Unit;

/// A mass in kilograms, an emission in tonnes CO2e or a toxic equivalent in grams, in whole attos
/// (10^-18) of these.
///
/// A source file has at most 15 decimal places ([`crate::parse_source_decimal`]), and a mass in
/// grams has three more in kilograms, so nothing is rounded. The largest amount is 1.7·10^20, which
/// is 170,000 times the largest mass of a row. All amounts of an index together are below it
/// ([`crate::Tables::total`]), so no sum of some of them overflows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Amount(i128);

/// One, in attos.
const ONE: i128 = 10_i128.pow(Amount::PLACES);

/// The decimal places between a tonne and a kilogram, and between a kilogram and a gram.
const STEP: u32 = 3;

impl Amount {
    /// Zero.
    pub const ZERO: Self = Self(0);
    /// The largest amount.
    pub const MAX: Self = Self(i128::MAX);
    /// The decimal places of an atto.
    pub const PLACES: u32 = 18;

    /// An amount of this many attos.
    #[must_use]
    pub const fn from_attos(attos: i128) -> Self {
        Self(attos)
    }

    /// The amount in attos.
    #[must_use]
    pub const fn attos(self) -> i128 {
        self.0
    }

    /// The amount of a published number, in the unit of a release; `None` if that is too large or
    /// has too many decimal places.
    #[must_use]
    pub fn of(number: Decimal, unit: Option<Unit>) -> Option<Self> {
        // Trailing zeros are rare, and slow to drop.
        Self::as_written(number, unit).or_else(|| Self::as_written(number.normalize(), unit))
    }

    fn as_written(number: Decimal, unit: Option<Unit>) -> Option<Self> {
        let power = Self::power(number.scale(), unit)?;
        number.mantissa().checked_mul(10_i128.pow(power)).map(Self)
    }

    /// The power of ten that turns the digits of a number with this many decimal places into attos;
    /// `None` if that is too many places.
    #[must_use]
    pub const fn power(places: u32, unit: Option<Unit>) -> Option<u32> {
        let most = match unit {
            Some(Unit::Grams) => Self::PLACES - STEP,
            Some(Unit::Tonnes) => Self::PLACES + STEP,
            Some(Unit::Kilograms | Unit::GramsTeq) | None => Self::PLACES,
        };
        most.checked_sub(places)
    }

    /// The sum, unless it is too large.
    #[must_use]
    pub fn checked_add(self, other: Self) -> Option<Self> {
        self.0.checked_add(other.0).map(Self)
    }

    /// The nearest number with that many significant digits; of two equally near ones, the one
    /// farther from zero.
    #[must_use]
    pub fn rounded(self, digits: NonZeroU32) -> Self {
        let held = self.0.unsigned_abs().checked_ilog10().map_or(0, |power| power + 1);
        let Some(dropped) = held.checked_sub(digits.get()) else { return self };
        let unit = 10_i128.pow(dropped);
        // In halves of the unit, because the largest amount has no room for half a unit more.
        let (whole, rest) = (self.0 / unit, self.0 % unit);
        let away = if rest.unsigned_abs() * 2 >= unit.unsigned_abs() { rest.signum() } else { 0 };
        Self((whole + away).saturating_mul(unit))
    }
}

impl Add for Amount {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl AddAssign for Amount {
    fn add_assign(&mut self, other: Self) {
        self.0 += other.0;
    }
}

impl Sub for Amount {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl Neg for Amount {
    type Output = Self;

    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl Sum for Amount {
    fn sum<I: Iterator<Item = Self>>(amounts: I) -> Self {
        amounts.fold(Self::ZERO, Self::add)
    }
}

/// The decimal without trailing zeros.
impl fmt::Display for Amount {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let (whole, fraction) = (self.0 / ONE, self.0 % ONE);
        write!(formatter, "{sign}{}", whole.unsigned_abs())?;
        if fraction == 0 {
            return Ok(());
        }
        let places = format!("{:0width$}", fraction.unsigned_abs(), width = Self::PLACES as usize);
        write!(formatter, ".{}", places.trim_end_matches('0'))
    }
}

/// The significant digits, and the power of ten of the first one: `5.2e7`.
impl fmt::LowerExp for Amount {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let attos = self.0.unsigned_abs();
        let Some(power) = attos.checked_ilog10() else { return formatter.write_str("0") };
        let power = i64::from(power) - i64::from(Self::PLACES);
        let sign = if self.0 < 0 { "-" } else { "" };
        let digits = attos.to_string();
        match digits.trim_end_matches('0').split_at(1) {
            (first, "") => write!(formatter, "{sign}{first}e{power}"),
            (first, rest) => write!(formatter, "{sign}{first}.{rest}e{power}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rust_decimal::RoundingStrategy;

    use super::*;
    use crate::parse_source_decimal;

    fn amount(number: &str) -> Amount {
        Amount::of(number.parse().unwrap(), None).unwrap()
    }

    #[test]
    fn masses_are_in_kilograms() {
        for (number, unit, expected) in [
            ("1.5", Some(Unit::Tonnes), Some("1500")),
            ("150.00", Some(Unit::Grams), Some("0.15")),
            ("0.000000000000001", Some(Unit::Grams), Some("0.000000000000000001")),
            ("0.000000000000000000001", Some(Unit::Tonnes), Some("0.000000000000000001")),
            (
                "999999999999.999999999999999",
                Some(Unit::Tonnes),
                Some("999999999999999.999999999999"),
            ),
            ("170141183460469231", Some(Unit::Tonnes), Some("170141183460469231000")),
            ("170141183460469232", Some(Unit::Tonnes), None),
            ("1.5", Some(Unit::GramsTeq), Some("1.5")),
            ("1.5", None, Some("1.5")),
            ("0.0000000000000001", Some(Unit::Grams), None),
            ("1.0000000000000000000000000000", Some(Unit::Grams), Some("0.001")),
            ("0", Some(Unit::Tonnes), Some("0")),
        ] {
            let found = Amount::of(number.parse().unwrap(), unit).map(|amount| amount.to_string());
            assert_eq!(found.as_deref(), expected, "{number} {unit:?}");
        }
    }

    #[test]
    fn amounts_are_shown_as_decimals() {
        for (attos, expected) in [
            (0, "0"),
            (-500_000_000_000_000_000, "-0.5"),
            (-1_750_000_000_000_000_000, "-1.75"),
            (-2_000_000_000_000_000_000, "-2"),
            (1, "0.000000000000000001"),
            (i128::MAX, "170141183460469231731.687303715884105727"),
            (i128::MIN, "-170141183460469231731.687303715884105728"),
        ] {
            assert_eq!(Amount::from_attos(attos).to_string(), expected);
        }
    }

    #[test]
    fn amounts_are_rounded_to_significant_digits() {
        for (number, digits, plain, scientific) in [
            ("0", 2, "0", "0"),
            ("51833553.845619", 2, "52000000", "5.2e7"),
            ("51833553.845619", 8, "51833554", "5.1833554e7"),
            ("51833553.845619", 10, "51833553.85", "5.183355385e7"),
            ("51833553.845619", 15, "51833553.845619", "5.1833553845619e7"),
            ("1450", 2, "1500", "1.5e3"),
            ("1449.99999999", 2, "1400", "1.4e3"),
            ("99.5", 2, "100", "1e2"),
            ("0.000995", 2, "0.001", "1e-3"),
            ("0.0001234", 2, "0.00012", "1.2e-4"),
            ("0.5", 1, "0.5", "5e-1"),
            ("-1450", 2, "-1500", "-1.5e3"),
            ("-0.0125", 2, "-0.013", "-1.3e-2"),
            ("170141183460469231731", 2, "170000000000000000000", "1.7e20"),
        ] {
            let rounded = amount(number).rounded(NonZeroU32::new(digits).unwrap());
            assert_eq!(rounded.to_string(), plain, "{number} to {digits}");
            assert_eq!(format!("{rounded:e}"), scientific, "{number} to {digits}");
        }
    }

    #[test]
    fn a_sum_that_has_no_room_is_none() {
        let last = Amount::from_attos(1);
        assert_eq!((Amount::MAX - last).checked_add(last), Some(Amount::MAX));
        assert_eq!(Amount::MAX.checked_add(last), None);
    }

    proptest! {
        #[test]
        fn numbers_of_a_source_are_exact_in_every_unit(whole in 0..1_000_000_000_000_i64, fraction in 0..1_000_000_000_000_000_i64) {
            let number = parse_source_decimal(&format!("{whole}.{fraction:015}")).unwrap();
            for unit in [None, Some(Unit::GramsTeq)] {
                prop_assert_eq!(Amount::of(number, unit).unwrap().to_string(), number.to_string());
            }
            for unit in [Unit::Grams, Unit::Kilograms, Unit::Tonnes] {
                let kilograms = unit.kilograms(number).unwrap();
                let found = Amount::of(number, Some(unit)).unwrap().to_string();
                prop_assert_eq!(found, kilograms.to_string());
            }
        }

        #[test]
        fn an_amount_is_rounded_as_a_decimal(
            (digits, scale) in (any::<i64>(), 0_u32..=18),
            wanted in 1_u32..=15,
        ) {
            let decimal = Decimal::new(digits, scale);
            let rounded = amount(&decimal.to_string()).rounded(NonZeroU32::new(wanted).unwrap());
            let away = RoundingStrategy::MidpointAwayFromZero;
            let expected = decimal.round_sf_with_strategy(wanted, away).unwrap();
            prop_assert_eq!(rounded.to_string(), expected.normalize().to_string(), "{}", decimal);
        }

        #[test]
        fn what_fits_a_decimal_is_its_sum(
            numbers in proptest::collection::vec((-1_000_000_000_i64..1_000_000_000, 0_u32..9), 0..20),
        ) {
            let decimals: Vec<Decimal> =
                numbers.iter().map(|(digits, scale)| Decimal::new(*digits, *scale)).collect();
            let sum: Amount = decimals.iter().map(|decimal| amount(&decimal.to_string())).sum();
            prop_assert_eq!(sum.to_string(), decimals.iter().sum::<Decimal>().normalize().to_string());
            prop_assert_eq!(sum - sum, -sum + sum);
        }
    }
}
