//! A sum that is never rounded, however many numbers it has and however different they are.

use std::fmt;
use std::num::NonZeroU32;
use std::ops::{Add, Neg};

/// The sum of decimals of up to [`ExactSum::PLACES`] places.
///
/// A [`outfall_records::Decimal`] has 28 digits: a trillion kilograms and a microgram do not fit
/// into one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ExactSum {
    // Sums compare by their whole part first, and then by the fraction.
    /// The greatest integer that is not above the sum.
    whole: i128,
    /// The rest, in units of the last place; below [`ONE`].
    fraction: i128,
}

/// One, in units of the last place.
const ONE: i128 = 10_i128.pow(ExactSum::PLACES);

impl ExactSum {
    /// The empty sum.
    pub const ZERO: Self = Self { whole: 0, fraction: 0 };
    /// Decimal places: those of a decimal, and three more for grams that become kilograms.
    pub const PLACES: u32 = 31;

    /// Adds `digits` with their last `places` behind the point; negative `places` are zeros to add.
    ///
    /// A number of a source file is below 10^12 (`outfall_records::parse_source_decimal`), so the
    /// integers do not overflow, however many records there are.
    pub fn add_shifted(&mut self, digits: i128, places: i32) {
        let places = match u32::try_from(places) {
            Ok(places) => places.min(Self::PLACES),
            Err(_) => {
                self.whole += digits * 10_i128.pow(places.unsigned_abs());
                return;
            }
        };
        let one = 10_i128.pow(places);
        self.whole += digits.div_euclid(one);
        self.fraction += digits.rem_euclid(one) * 10_i128.pow(Self::PLACES - places);
        if self.fraction >= ONE {
            self.whole += 1;
            self.fraction -= ONE;
        }
    }
}

impl ExactSum {
    /// The nearest number with that many significant digits; of two, the one that is farther from
    /// zero.
    #[must_use]
    pub fn rounded(self, digits: NonZeroU32) -> Self {
        if self < Self::ZERO {
            return -(-self).rounded(digits);
        }
        // The digits of the whole part; below one, less than none of them are significant.
        let held = match (self.whole.checked_ilog10(), self.fraction.checked_ilog10()) {
            (Some(power), _) => power as i32 + 1,
            (None, Some(power)) => power as i32 + 1 - Self::PLACES as i32,
            (None, None) => return self,
        };
        let places = digits.get() as i32 - held;
        if places >= Self::PLACES as i32 {
            return self;
        }
        if places > 0 {
            let unit = 10_i128.pow(Self::PLACES - places.unsigned_abs());
            let fraction = (self.fraction + unit / 2) / unit * unit;
            return Self { whole: self.whole + fraction / ONE, fraction: fraction % ONE };
        }
        // A half is five in the first digit that goes, whatever follows it.
        let unit = 10_i128.pow(places.unsigned_abs());
        let rest = (self.whole % unit) * 2 + i128::from(self.fraction >= ONE / 2);
        let whole = self.whole / unit + i128::from(rest >= unit);
        Self { whole: whole * unit, fraction: 0 }
    }
}

impl Neg for ExactSum {
    type Output = Self;

    fn neg(self) -> Self {
        match self.fraction {
            0 => Self { whole: -self.whole, fraction: 0 },
            fraction => Self { whole: -(self.whole + 1), fraction: ONE - fraction },
        }
    }
}

impl Add for ExactSum {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        let (whole, fraction) = (self.whole + other.whole, self.fraction + other.fraction);
        Self { whole: whole + fraction / ONE, fraction: fraction % ONE }
    }
}

/// The decimal without trailing zeros.
impl fmt::Display for ExactSum {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (sign, Self { whole, fraction }) =
            if self.whole < 0 { ("-", -*self) } else { ("", *self) };
        if fraction == 0 {
            return write!(formatter, "{sign}{whole}");
        }
        let places = format!("{fraction:0width$}", width = Self::PLACES as usize);
        write!(formatter, "{sign}{whole}.{}", places.trim_end_matches('0'))
    }
}

/// The digits that count, and the power of ten of the first of them: `5.2e7`.
impl fmt::LowerExp for ExactSum {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plain = self.to_string();
        let (sign, plain) = plain.strip_prefix('-').map_or(("", &*plain), |rest| ("-", rest));
        let (whole, fraction) = plain.split_once('.').unwrap_or((plain, ""));
        let all = [whole, fraction].concat();
        let digits = all.trim_start_matches('0');
        let power = whole.len() as i64 - (all.len() - digits.len()) as i64 - 1;
        match digits.trim_end_matches('0').split_at_checked(1) {
            None => formatter.write_str("0"),
            Some((first, "")) => write!(formatter, "{sign}{first}e{power}"),
            Some((first, rest)) => write!(formatter, "{sign}{first}.{rest}e{power}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use outfall_records::Decimal;
    use proptest::prelude::*;
    use rust_decimal::RoundingStrategy;

    fn sum(numbers: &[&str]) -> String {
        let mut sum = ExactSum::ZERO;
        for number in numbers {
            let decimal: Decimal = number.parse().unwrap();
            sum.add_shifted(decimal.mantissa(), decimal.scale() as i32);
        }
        sum.to_string()
    }

    #[test]
    fn sums_are_shown_as_decimals() {
        for (numbers, expected) in [
            (&[][..], "0"),
            (&["1.50", "1.5"], "3"),
            (&["0.1", "0.2"], "0.3"),
            (&["-0.5"], "-0.5"),
            (&["-2", "0.25"], "-1.75"),
            (&["-2"], "-2"),
            (&["1.5", "-1.5"], "0"),
            (
                &["999999999999.123456789012345", "0.0000000000000000000000000001"],
                "999999999999.1234567890123450000000000001",
            ),
        ] {
            assert_eq!(sum(numbers), expected, "{numbers:?}");
        }
    }

    #[test]
    fn sums_are_rounded_to_significant_digits() {
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
        ] {
            let mut sum = ExactSum::ZERO;
            let decimal: Decimal = number.parse().unwrap();
            sum.add_shifted(decimal.mantissa(), decimal.scale() as i32);
            let rounded = sum.rounded(NonZeroU32::new(digits).unwrap());
            assert_eq!(rounded.to_string(), plain, "{number} to {digits}");
            assert_eq!(format!("{rounded:e}"), scientific, "{number} to {digits}");
        }
    }

    #[test]
    fn places_move_numbers_between_units() {
        for (digits, places, expected) in [
            (15, 1 + 3, "0.0015"),
            (15, 1 - 3, "1500"),
            (1, 31, "0.0000000000000000000000000000001"),
        ] {
            let mut sum = ExactSum::ZERO;
            sum.add_shifted(digits, places);
            assert_eq!(sum.to_string(), expected);
        }
    }

    proptest! {
        #[test]
        fn the_order_of_numbers_makes_no_difference(
            numbers in proptest::collection::vec((-(1_i128 << 90)..1_i128 << 90, -3_i32..=31), 0..20),
        ) {
            let add = |mut sum: ExactSum, (digits, places): &(i128, i32)| {
                sum.add_shifted(*digits, *places);
                sum
            };
            let forward = numbers.iter().fold(ExactSum::ZERO, add);
            prop_assert_eq!(forward, numbers.iter().rev().fold(ExactSum::ZERO, add));
            let each = numbers.iter().map(|number| add(ExactSum::ZERO, number));
            prop_assert_eq!(forward, each.fold(ExactSum::ZERO, |sum, number| sum + number));
            let negated = |(digits, places): &(i128, i32)| (-digits, *places);
            let back = numbers.iter().map(negated);
            prop_assert_eq!(back.fold(forward, |sum, number| add(sum, &number)), ExactSum::ZERO);
        }

        #[test]
        fn what_fits_a_decimal_is_rounded_as_one(
            (digits, scale) in (any::<i64>(), 0_u32..=28),
            wanted in 1_u32..=15,
        ) {
            let decimal = Decimal::new(digits, scale);
            let mut sum = ExactSum::ZERO;
            sum.add_shifted(decimal.mantissa(), scale as i32);
            let rounded = sum.rounded(NonZeroU32::new(wanted).unwrap()).to_string();
            let away = RoundingStrategy::MidpointAwayFromZero;
            let expected = decimal.round_sf_with_strategy(wanted, away).unwrap();
            prop_assert_eq!(rounded, expected.normalize().to_string(), "{}", decimal);
        }

        #[test]
        fn what_fits_a_decimal_is_its_sum(
            numbers in proptest::collection::vec((-1_000_000_000_i64..1_000_000_000, 0_u32..9), 0..20),
        ) {
            let decimals: Vec<Decimal> =
                numbers.iter().map(|(digits, scale)| Decimal::new(*digits, *scale)).collect();
            let texts: Vec<String> = decimals.iter().map(Decimal::to_string).collect();
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            prop_assert_eq!(sum(&texts), decimals.iter().sum::<Decimal>().normalize().to_string());
        }
    }
}
