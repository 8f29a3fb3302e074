//! Amounts in pieces that a cluster sums exactly.
//!
//! A cluster adds numbers as doubles. So an amount is cut into limbs of eight digits, each a whole
//! number below 10^8: their sums stay exact in a double, in any order, over ninety million records.

use outfall_records::Decimal;
use outfall_request::ExactSum;

/// Limbs of an amount: 32 places behind the point and 16 digits before it, the lowest first.
pub(crate) const LIMBS: usize = 6;
/// The limb of the units: the first one before the point. Every amount has it, even if it is zero.
pub(crate) const UNITS_LIMB: usize = 4;
/// Digits of a limb.
const DIGITS: u32 = 8;
/// All whole numbers below it are exact in a double.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// The limbs of an amount, each with its sign; `None` if it has more than 16 digits before the
/// point or more than 31 places behind it.
pub(crate) fn limbs(amount: Decimal, places_right: i32) -> Option<[i64; LIMBS]> {
    let amount = amount.normalize();
    let below = i32::try_from(amount.scale()).ok()? + places_right;
    let place = i32::try_from(DIGITS as usize * UNITS_LIMB).ok()?;
    if below >= place {
        return None;
    }
    let digits = amount.mantissa().unsigned_abs().to_string();
    let zeros = usize::try_from(place - below).ok()?;
    let digits = format!("{digits}{}", "0".repeat(zeros));
    let width = DIGITS as usize * LIMBS;
    if digits.len() > width && amount.mantissa() != 0 {
        return None;
    }
    let digits = format!("{:0>width$}", digits.trim_start_matches('0'));
    let sign = if amount.is_sign_negative() { -1 } else { 1 };
    let mut limbs = [0; LIMBS];
    for (limb, digits) in limbs.iter_mut().rev().zip(digits.as_bytes().chunks(DIGITS as usize)) {
        *limb = sign * std::str::from_utf8(digits).ok()?.parse::<i64>().ok()?;
    }
    Some(limbs)
}

/// Adds the sum of a limb, as a cluster gives it; `None` if it may have been rounded.
pub(crate) fn add_limb(sum: &mut ExactSum, limb: usize, of_cluster: f64) -> Option<()> {
    if of_cluster.fract() != 0.0 || of_cluster.abs() >= EXACT {
        return None;
    }
    let whole = of_cluster as i128;
    let places = (UNITS_LIMB as i32 - limb as i32) * DIGITS as i32;
    // A sum has one place less than the lowest limb; no amount has that many.
    let is_too_low = places > ExactSum::PLACES as i32;
    if is_too_low && whole % 10 != 0 {
        return None;
    }
    match is_too_low {
        true => sum.add_shifted(whole / 10, places - 1),
        false => sum.add_shifted(whole, places),
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn amounts_are_cut_at_the_point() {
        for (amount, places_right, expected) in [
            ("0", 0, Some([0; LIMBS])),
            ("0", -3, Some([0; LIMBS])),
            ("12.5", 0, Some([0, 0, 0, 50_000_000, 12, 0])),
            ("-1.5", -3, Some([0, 0, 0, 0, -1500, 0])),
            ("1", 31, Some([10, 0, 0, 0, 0, 0])),
            (
                "999999999999999.123456789",
                0,
                Some([0, 0, 90_000_000, 12_345_678, 99_999_999, 9_999_999]),
            ),
            ("9999999999999999", 0, Some([0, 0, 0, 0, 99_999_999, 99_999_999])),
            ("10000000000000000", 0, None),
            ("1", 32, None),
        ] {
            assert_eq!(limbs(amount.parse().unwrap(), places_right), expected, "{amount}");
        }
    }

    #[test]
    fn a_sum_that_may_be_rounded_is_none() {
        let add = |limb, of_cluster| add_limb(&mut ExactSum::ZERO.clone(), limb, of_cluster);
        assert_eq!(add(4, EXACT - 1.0), Some(()));
        for (limb, of_cluster) in [(4, EXACT), (4, -EXACT), (4, 0.5), (0, 15.0), (4, f64::NAN)] {
            assert_eq!(add(limb, of_cluster), None, "{of_cluster}");
        }
    }

    proptest! {
        #[test]
        fn the_sums_of_limbs_are_those_of_amounts(
            amounts in proptest::collection::vec((-(10_i64.pow(15))..10_i64.pow(15), 0_u32..=21, -3_i32..=3), 0..50),
        ) {
            let mut expected = ExactSum::ZERO;
            let mut sums = [0.0; LIMBS];
            for (mantissa, scale, places_right) in amounts {
                let amount = Decimal::from_i128_with_scale(mantissa.into(), scale);
                // Below 10^12, as every number of a source file.
                let amount = amount % Decimal::from(10_i64.pow(12));
                expected.add_shifted(amount.mantissa(), amount.scale() as i32 + places_right);
                let limbs = limbs(amount, places_right).unwrap();
                sums.iter_mut().zip(limbs).for_each(|(sum, limb)| *sum += limb as f64);
            }
            let mut found = ExactSum::ZERO;
            for (limb, sum) in sums.into_iter().enumerate() {
                add_limb(&mut found, limb, sum).unwrap();
            }
            prop_assert_eq!(found, expected);
        }
    }
}
