//! `value_min` and `value_max`: any finite number, kept exactly.

use std::cmp::Ordering;
use std::fmt;

use outfall_records::Decimal;

/// A finite number in the grammar of JSON (RFC 8259, section 6), of any size and precision.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Bound {
    is_negative: bool,
    /// Without leading and trailing zeros; empty for zero.
    digits: String,
    /// The power of ten of the last digit.
    exponent: i64,
}

/// Why a text is not a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BoundError {
    /// Not in the grammar of JSON numbers; a leading `+` or `.` is allowed.
    #[error("not a number")]
    NotANumber,
    /// Beyond the range of a double, such as `1e400`.
    #[error("not a finite number")]
    NotFinite,
}

/// The digits that every [`Decimal`] can hold, and the largest scale of one.
const DECIMAL_DIGITS: i64 = 28;

/// The largest exponent kept; no parameter is long enough to need a larger one.
const MAX_EXPONENT: i64 = 1_000_000;

impl Bound {
    /// Reads a number: JSON's grammar, with a leading `+` and a missing `0` before the `.` allowed.
    ///
    /// # Errors
    /// See [`BoundError`].
    pub fn parse(text: &str) -> Result<Self, BoundError> {
        let (is_negative, unsigned) = match text.strip_prefix(['+', '-']) {
            Some(unsigned) => (text.starts_with('-'), unsigned),
            None => (false, text),
        };
        let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, Some(exponent)),
            None => (unsigned, None),
        };
        let (whole, fraction) = match mantissa.split_once('.') {
            Some((whole, fraction)) if is_digits(fraction) => (whole, fraction),
            Some(_) => return Err(BoundError::NotANumber),
            None => (mantissa, ""),
        };
        let is_bare_fraction = whole.is_empty() && !fraction.is_empty();
        let is_whole = is_digits(whole) && (whole == "0" || !whole.starts_with('0'));
        if !is_bare_fraction && !is_whole {
            return Err(BoundError::NotANumber);
        }
        let is_power = |power: &str| is_digits(power.strip_prefix(['+', '-']).unwrap_or(power));
        if exponent.is_some_and(|power| !is_power(power)) {
            return Err(BoundError::NotANumber);
        }
        if text.parse::<f64>().is_ok_and(f64::is_infinite) {
            return Err(BoundError::NotFinite);
        }
        // An exponent outside the range of a double belongs to zero or to a number next to it; how
        // far outside makes no difference to any decimal.
        let exponent: i64 = exponent.map_or(0, |power| power.parse().unwrap_or(i64::MIN));
        let exponent = exponent.clamp(-MAX_EXPONENT, MAX_EXPONENT);
        let exponent = exponent - length(fraction);
        Ok(Self::new(is_negative, &format!("{whole}{fraction}"), exponent))
    }

    /// The normal form of `digits` times ten to the `exponent`.
    fn new(is_negative: bool, digits: &str, exponent: i64) -> Self {
        let significant = digits.trim_end_matches('0');
        let trailing_zeros = length(digits) - length(significant);
        match significant.trim_start_matches('0') {
            "" => Self { is_negative: false, digits: String::new(), exponent: 0 },
            significant => Self {
                is_negative,
                digits: significant.to_owned(),
                exponent: exponent + trailing_zeros,
            },
        }
    }

    /// The number times ten to the `power`.
    #[must_use]
    pub fn shifted(&self, power: i32) -> Self {
        let exponent = if self.digits.is_empty() { 0 } else { self.exponent + i64::from(power) };
        Self { exponent, ..self.clone() }
    }

    /// The largest decimal of at most 28 digits and 28 places that is not above the number;
    /// [`Decimal::MIN`] or [`Decimal::MAX`] for a number beyond all of them.
    #[must_use]
    pub fn floor(&self) -> Decimal {
        self.rounded(self.is_negative)
    }

    /// The smallest decimal of at most 28 digits and 28 places that is not below the number;
    /// [`Decimal::MIN`] or [`Decimal::MAX`] for a number beyond all of them.
    #[must_use]
    pub fn ceil(&self) -> Decimal {
        self.rounded(!self.is_negative)
    }

    /// The nearest double; zero for a number next to it.
    #[must_use]
    #[expect(clippy::expect_used, reason = "digits and a power of ten are a number")]
    pub fn nearest(&self) -> f64 {
        self.to_string().parse().expect("a number")
    }

    /// The power of ten above the first digit: 3 for 123.4.
    fn magnitude(&self) -> i64 {
        length(&self.digits) + self.exponent
    }

    fn rounded(&self, is_away_from_zero: bool) -> Decimal {
        let limit = if self.is_negative { Decimal::MIN } else { Decimal::MAX };
        if self.magnitude() > DECIMAL_DIGITS {
            return limit;
        }
        // The digits that fit: as many as a decimal has, and none below its last place.
        let len = length(&self.digits);
        let dropped = (len - DECIMAL_DIGITS).max(-self.exponent - DECIMAL_DIGITS).max(0);
        let kept = usize::try_from(len - dropped).unwrap_or(0);
        let magnitude: i128 = self.digits[..kept].parse().unwrap_or(0);
        let magnitude = magnitude + i128::from(dropped > 0 && is_away_from_zero);
        let scale = -self.exponent - dropped;
        let signed = if self.is_negative { -magnitude } else { magnitude };
        let (signed, scale) = match (u32::try_from(scale), u32::try_from(-scale)) {
            (Ok(scale), _) => (signed, scale),
            // At most 28 digits in all, so the power of ten fits.
            (Err(_), Ok(zeros)) => (signed * 10_i128.pow(zeros), 0),
            (Err(_), Err(_)) => return limit,
        };
        Decimal::try_from_i128_with_scale(signed, scale).map_or(limit, |value| value.normalize())
    }
}

impl From<Decimal> for Bound {
    fn from(decimal: Decimal) -> Self {
        let digits = decimal.mantissa().unsigned_abs().to_string();
        Self::new(decimal.is_sign_negative(), &digits, -i64::from(decimal.scale()))
    }
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

impl Ord for Bound {
    fn cmp(&self, other: &Self) -> Ordering {
        let sign = |bound: &Self| match (bound.digits.is_empty(), bound.is_negative) {
            (true, _) => 0,
            (false, true) => -1,
            (false, false) => 1,
        };
        let magnitudes = || {
            self.magnitude().cmp(&other.magnitude()).then_with(|| self.digits.cmp(&other.digits))
        };
        sign(self).cmp(&sign(other)).then_with(|| match sign(self) {
            1 => magnitudes(),
            -1 => magnitudes().reverse(),
            _ => Ordering::Equal,
        })
    }
}

impl PartialOrd for Bound {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The same text for every spelling of a number: digits and a power of ten.
impl fmt::Display for Bound {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.digits.is_empty() {
            return formatter.write_str("0");
        }
        let sign = if self.is_negative { "-" } else { "" };
        write!(formatter, "{sign}{}e{}", self.digits, self.exponent)
    }
}

/// How many digits there are.
#[expect(clippy::cast_possible_wrap, reason = "no text has 2^63 bytes")]
const fn length(digits: &str) -> i64 {
    digits.len() as i64
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn every_spelling_of_a_number_is_one_bound() {
        for (texts, shown) in [
            (&["1", "1.0", "+1", "1e0", "10e-1", "0.1E+1"][..], "1e0"),
            (&["0", "-0", "0.000", "0e99", "-0.0e-5", ".0"], "0"),
            (&[".5", "0.5", "+.5", "5e-1", "0.50"], "5e-1"),
            (&["-1200", "-1.2e3", "-12E2"], "-12e2"),
        ] {
            for text in texts {
                assert_eq!(Bound::parse(text).unwrap().to_string(), shown, "{text}");
            }
        }
    }

    #[test]
    fn what_json_would_not_take_is_refused() {
        for text in [
            "", "+", "-", ".", "1.", "01", "1e", "1e+", "--1", "1_000", "0x1", "NaN", "inf",
            "Infinity", "1,5", " 1", "1 ", "1e1.5", "٣", "1.e3",
        ] {
            assert_eq!(Bound::parse(text), Err(BoundError::NotANumber), "{text:?}");
        }
        for text in ["1e400", "-1e400", "1e99999999999999999999"] {
            assert_eq!(Bound::parse(text), Err(BoundError::NotFinite), "{text:?}");
        }
    }

    #[test]
    fn bounds_past_a_decimal_are_rounded_outwards() {
        for (text, floor, ceil) in [
            ("1e300", Decimal::MAX, Decimal::MAX),
            ("-1e300", Decimal::MIN, Decimal::MIN),
            ("1e-300", Decimal::ZERO, Decimal::from_i128_with_scale(1, 28)),
            ("-1e-300", Decimal::from_i128_with_scale(-1, 28), Decimal::ZERO),
            ("1e-99999999999999999999", Decimal::ZERO, Decimal::from_i128_with_scale(1, 28)),
            ("1200", Decimal::from(1200), Decimal::from(1200)),
            ("0", Decimal::ZERO, Decimal::ZERO),
        ] {
            let bound = Bound::parse(text).unwrap();
            assert_eq!((bound.floor(), bound.ceil()), (floor, ceil), "{text}");
        }
    }

    /// A decimal of any sign, of up to 27 digits and 28 places.
    fn decimal() -> impl Strategy<Value = Decimal> {
        let mantissa = prop_oneof![-1_000_i128..1_000, -(10_i128.pow(27))..10_i128.pow(27)];
        (mantissa, 0_u32..=28).prop_map(|(mantissa, scale)| {
            Decimal::try_from_i128_with_scale(mantissa, scale).unwrap()
        })
    }

    proptest! {
        #[test]
        fn decimals_are_held_exactly(decimal in decimal()) {
            let bound = Bound::parse(&decimal.to_string()).unwrap();
            prop_assert_eq!(&bound, &Bound::from(decimal));
            prop_assert_eq!((bound.floor(), bound.ceil()), (decimal, decimal));
            prop_assert_eq!(Bound::parse(&bound.to_string()).unwrap(), bound);
        }

        #[test]
        fn roundings_enclose_the_number_and_nothing_else(
            digits in "[1-9][0-9]{0,40}", power in -60_i32..10, is_negative: bool, other in decimal(),
        ) {
            let sign = if is_negative { "-" } else { "" };
            let bound = Bound::parse(&format!("{sign}{digits}e{power}")).unwrap();
            let (floor, ceil) = (bound.floor(), bound.ceil());
            if bound.magnitude() <= DECIMAL_DIGITS {
                prop_assert!(Bound::from(floor) <= bound && bound <= Bound::from(ceil));
            }
            // A decimal passes the bound exactly when it passes the rounded one; those next to
            // the bound are the hardest.
            let step = Decimal::new(1, floor.scale());
            let near = [floor.checked_sub(step), Some(floor), Some(ceil), ceil.checked_add(step)];
            let near = near.into_iter().flatten();
            let near = near.filter(|value| value.mantissa().abs() < 10_i128.pow(28));
            for value in near.chain([other]) {
                let exact = Bound::from(value);
                prop_assert_eq!(value <= floor, exact <= bound, "{} {}", value, bound);
                prop_assert_eq!(value >= ceil, exact >= bound, "{} {}", value, bound);
            }
        }

        #[test]
        fn order_is_that_of_the_numbers(a in decimal(), b in decimal()) {
            prop_assert_eq!(Bound::from(a).cmp(&Bound::from(b)), a.cmp(&b));
            prop_assert_eq!(Bound::from(a) == Bound::from(b), a == b);
        }

        #[test]
        fn shifting_multiplies_by_a_power_of_ten(mantissa in -1_000_000_i64..1_000_000, power in 0_u32..9) {
            let bound = Bound::from(Decimal::from(mantissa));
            let expected = Decimal::from(mantissa) * Decimal::from(10_i64.pow(power));
            prop_assert_eq!(bound.shifted(power as i32).floor(), expected);
            prop_assert_eq!(bound.shifted(power as i32).shifted(-(power as i32)), bound);
        }

        #[test]
        fn any_text_is_read_without_a_panic(text in "[-+.eE0-9]{0,30}|\\PC{0,10}") {
            if let Ok(bound) = Bound::parse(&text) {
                prop_assert!(bound.floor() <= bound.ceil());
            }
        }
    }
}
