//! The decimals that a field can have, so that a file can store all of them in one fixed form.

use rust_decimal::Decimal;

use crate::decimal::MAX_SCALE;

/// A form with room for every value of a field: a whole number of 10^-`places`.
///
/// The bounds come from those of the source's numbers ([`crate::parse_source_decimal`]) and from
/// the conversions of these, not from the data at hand. So files of different years have the same
/// form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FixedPoint {
    /// The most digits, on both sides of the point together.
    pub digits: u32,
    /// The most decimal places.
    pub places: u32,
}

/// The most digits that common readers of decimals accept.
const DIGITS: u32 = 38;

impl FixedPoint {
    /// An amount in the unit of its record. Rows in grams may be part of a record in tonnes, which
    /// takes six more places; 100 000 rows of the largest number have room.
    pub const QUANTITY: Self = Self { digits: DIGITS, places: MAX_SCALE + 6 };
    /// A mass in kilograms. Grams need three more decimal places, and tonnes three more digits
    /// before the point.
    pub const KILOGRAMS: Self = Self { digits: DIGITS, places: MAX_SCALE + 3 };
    /// A total of greenhouse gases, or that of one gas.
    pub const TONNES_CO2E: Self = Self { digits: DIGITS, places: MAX_SCALE };
    /// A coordinate, of three digits before the point.
    pub const DEGREES: Self = Self { digits: 3 + MAX_SCALE, places: MAX_SCALE };

    /// `value` as a whole number of 10^-`places`; `None` if it does not fit. It is never rounded.
    #[must_use]
    pub fn unscaled(self, value: Decimal) -> Option<i128> {
        // Trailing zeros are rare, and slow to drop.
        let value = if value.scale() <= self.places { value } else { value.normalize() };
        let factor = 10_i128.checked_pow(self.places.checked_sub(value.scale())?)?;
        let unscaled = value.mantissa().checked_mul(factor)?;
        (unscaled.unsigned_abs() < 10_u128.checked_pow(self.digits)?).then_some(unscaled)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{Unit, parse_source_decimal};

    const FORMS: [FixedPoint; 4] =
        [FixedPoint::QUANTITY, FixedPoint::KILOGRAMS, FixedPoint::TONNES_CO2E, FixedPoint::DEGREES];

    #[test]
    fn the_largest_and_the_finest_numbers_of_a_source_have_room() {
        for text in ["999999999999.999999999999999", "0.000000000000001", "0", "-1.50"] {
            let number = parse_source_decimal(text).unwrap();
            for form in FORMS.into_iter().filter(|form| *form != FixedPoint::DEGREES) {
                assert!(form.unscaled(number).is_some(), "{text} {form:?}");
            }
            for unit in Unit::ALL {
                let quantity = unit.convert(number, Unit::Tonnes).unwrap_or(number);
                assert!(FixedPoint::QUANTITY.unscaled(quantity).is_some(), "{text} {unit:?}");
                if let Some(kilograms) = unit.kilograms(number) {
                    assert!(FixedPoint::KILOGRAMS.unscaled(kilograms).is_some(), "{text} {unit:?}");
                }
            }
        }
        for text in ["-179.999999999999999", "180", "90.5"] {
            let degrees = parse_source_decimal(text).unwrap();
            assert!(FixedPoint::DEGREES.unscaled(degrees).is_some(), "{text}");
        }
    }

    #[test]
    fn what_has_no_room_is_not_rounded() {
        let form = FixedPoint { digits: 5, places: 2 };
        for (text, expected) in [
            ("999.99", Some(99_999)),
            ("-999.99", Some(-99_999)),
            ("1.50", Some(150)),
            ("1.500", Some(150)),
            ("0.001", None),
            ("1000", None),
            ("-1000.00", None),
        ] {
            assert_eq!(form.unscaled(text.parse().unwrap()), expected, "{text}");
        }
    }

    proptest! {
        #[test]
        fn it_is_the_same_number(
            mantissa in -(1_i128 << 95)..1_i128 << 95,
            scale in 0_u32..=28,
        ) {
            let number = Decimal::from_i128_with_scale(mantissa, scale);
            for form in FORMS {
                match form.unscaled(number) {
                    Some(unscaled) => {
                        let excess = form.places.abs_diff(scale);
                        let (one, other) = match form.places >= scale {
                            true => (mantissa.checked_mul(10_i128.pow(excess)), Some(unscaled)),
                            false => (Some(mantissa), unscaled.checked_mul(10_i128.pow(excess))),
                        };
                        prop_assert_eq!(one, other);
                    }
                    None => {
                        let is_too_fine = number.normalize().scale() > form.places;
                        let whole = number.trunc().mantissa().unsigned_abs() / 10_u128.pow(number.trunc().scale());
                        let is_too_large = whole >= 10_u128.pow(form.digits - form.places);
                        prop_assert!(is_too_fine || is_too_large, "{number} {form:?}");
                    }
                }
            }
        }
    }
}
