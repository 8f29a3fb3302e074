//! Decimals as texts whose byte order is the order of the numbers, so that the cluster compares and
//! sorts them exactly.

use outfall_records::Decimal;

/// Digits before the point. A number of a source file has twelve at most, and its mass in kilograms
/// three more.
const WHOLE: usize = 18;
/// Above every key.
const ABOVE_ALL: &str = "2";
/// Below every key.
const BELOW_ALL: &str = "/";
/// Ends the key of a negative number: of two that begin alike, the longer one is the smaller
/// number.
const END_OF_NEGATIVE: char = '~';

/// The key of a number: `1` and its digits, eighteen of them before the point; below zero, `0` and
/// the nines' complement of the digits. Numbers with more digits before the point have one key
/// above all others or below.
pub(crate) fn order_key(number: Decimal) -> String {
    let number = number.normalize();
    let digits = number.mantissa().unsigned_abs().to_string();
    let places = number.scale() as usize;
    let digits = format!("{digits:0>width$}", width = WHOLE + places);
    match (digits.len() > WHOLE + places, number.is_sign_negative() && !number.is_zero()) {
        (true, false) => ABOVE_ALL.to_owned(),
        (true, true) => BELOW_ALL.to_owned(),
        (false, false) => format!("1{digits}"),
        (false, true) => format!("0{}{END_OF_NEGATIVE}", complement(&digits)),
    }
}

/// The number whose key this is; `None` for any other text.
pub(crate) fn number_of(key: &str) -> Option<Decimal> {
    let (digits, sign) = match (key.strip_prefix('1'), key.strip_prefix('0')) {
        (Some(digits), _) => (digits.to_owned(), 1),
        (_, Some(digits)) => (complement(digits.strip_suffix(END_OF_NEGATIVE)?), -1),
        _ => return None,
    };
    let places = u32::try_from(digits.len().checked_sub(WHOLE)?).ok()?;
    let magnitude: i128 = digits.parse().ok()?;
    Decimal::try_from_i128_with_scale(sign * magnitude, places).ok()
}

/// Nine less each digit.
fn complement(digits: &str) -> String {
    digits.bytes().map(|digit| char::from(b'9' - (digit.clamp(b'0', b'9') - b'0'))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn keys_have_the_digits_around_the_point() {
        for (number, key) in [
            ("0", "1000000000000000000"),
            ("-0", "1000000000000000000"),
            ("12.50", "10000000000000000125"),
            ("-12.5", "09999999999999999874~"),
            ("-12", "0999999999999999987~"),
            ("999999999999999999.9", "19999999999999999999"),
            ("1000000000000000000", "2"),
            ("-1000000000000000000.5", "/"),
        ] {
            assert_eq!(order_key(number.parse().unwrap()), key, "{number}");
        }
    }

    #[test]
    fn other_texts_are_no_keys() {
        for text in ["", "1", "2", "/", "0", "0~", "1x", "100000000000000000x", "5"] {
            assert_eq!(number_of(text), None, "{text}");
        }
    }

    /// A decimal of either sign, of up to 18 digits before the point and 28 places.
    fn decimal() -> impl Strategy<Value = Decimal> {
        let mantissa = prop_oneof![-1_000_i128..1_000, -(10_i128.pow(18))..10_i128.pow(18)];
        (mantissa, 0_u32..=28).prop_map(|(mantissa, scale)| {
            Decimal::try_from_i128_with_scale(mantissa, scale).unwrap()
        })
    }

    proptest! {
        #[test]
        fn keys_are_in_the_order_of_the_numbers(a in decimal(), b in decimal()) {
            prop_assert_eq!(order_key(a).cmp(&order_key(b)), a.cmp(&b));
            let back = number_of(&order_key(a));
            if a.abs() < Decimal::from(10_i64.pow(18)) {
                prop_assert_eq!(back, Some(a));
                prop_assert_eq!(back.map(|back| back.scale()), Some(a.normalize().scale()));
            }
        }
    }
}
