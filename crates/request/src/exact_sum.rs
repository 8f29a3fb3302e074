//! A sum that is never rounded, however many numbers it has and however different they are.

use std::fmt;
use std::ops::Add;

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
        let (sign, whole, fraction) = match (self.whole < 0, self.fraction) {
            (false, fraction) => ("", self.whole, fraction),
            (true, 0) => ("-", -self.whole, 0),
            (true, fraction) => ("-", -(self.whole + 1), ONE - fraction),
        };
        if fraction == 0 {
            return write!(formatter, "{sign}{whole}");
        }
        let places = format!("{fraction:0width$}", width = Self::PLACES as usize);
        write!(formatter, "{sign}{whole}.{}", places.trim_end_matches('0'))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use outfall_records::Decimal;
    use proptest::prelude::*;

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
