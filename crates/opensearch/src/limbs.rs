//! Amounts in pieces that a cluster sums exactly.
//!
//! A cluster adds numbers as doubles. So an amount is cut into limbs of eight digits, each a whole
//! number below 10^8: their sums stay exact in a double, in any order, over ninety million records.

use outfall_records::Amount;

/// Limbs of an amount: 24 places behind the point and 24 digits before it, the lowest first.
pub(crate) const LIMBS: usize = 6;
/// The limb of the units: the first one before the point. Every amount has it, even if it is zero.
pub(crate) const UNITS_LIMB: usize = 3;
/// Limbs are numbers below it.
const LIMB: i128 = 100_000_000;
/// An atto in the lowest limb, whose last six places no amount has.
const ATTO: i128 = 1_000_000;
/// All whole numbers below it are exact in a double.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// The limbs of an amount, each with its sign.
#[expect(clippy::cast_possible_truncation, reason = "limbs are below 10^8")]
pub(crate) const fn limbs(amount: Amount) -> [i64; LIMBS] {
    let (mut limbs, mut rest) = ([0; LIMBS], amount.attos());
    limbs[0] = (rest % (LIMB / ATTO) * ATTO) as i64;
    rest /= LIMB / ATTO;
    let mut limb = 1;
    while limb < LIMBS {
        limbs[limb] = (rest % LIMB) as i64;
        rest /= LIMB;
        limb += 1;
    }
    limbs
}

/// Adds the sum of a limb, as a cluster gives it; `None` if it may have been rounded.
#[expect(
    clippy::cast_possible_truncation,
    reason = "it is whole and below 2^53; there are six limbs"
)]
pub(crate) fn add_limb(sum: &mut Amount, limb: usize, of_cluster: f64) -> Option<()> {
    if of_cluster.fract() != 0.0 || of_cluster.abs() >= EXACT {
        return None;
    }
    let whole = of_cluster as i128;
    let attos = match limb.checked_sub(1) {
        None if whole % ATTO != 0 => return None,
        None => whole / ATTO,
        Some(above) => whole.checked_mul(LIMB / ATTO * LIMB.pow(above as u32))?,
    };
    *sum = sum.checked_add(Amount::from_attos(attos))?;
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn amounts_are_cut_at_the_point() {
        for (amount, expected) in [
            ("0", [0; LIMBS]),
            ("12.5", [0, 0, 50_000_000, 12, 0, 0]),
            ("-1500", [0, 0, 0, -1500, 0, 0]),
            ("0.000000000000000001", [1_000_000, 0, 0, 0, 0, 0]),
            ("999999999999999.123456789", [0, 90_000_000, 12_345_678, 99_999_999, 9_999_999, 0]),
            ("170141183460469231731", [0, 0, 0, 69_231_731, 11_834_604, 17_014]),
        ] {
            let found = limbs(Amount::of(amount.parse().unwrap(), None).unwrap());
            assert_eq!(found, expected, "{amount}");
        }
    }

    #[test]
    fn a_sum_that_may_be_rounded_is_none() {
        let add = |limb, of_cluster| add_limb(&mut Amount::ZERO.clone(), limb, of_cluster);
        assert_eq!(add(3, EXACT - 1.0), Some(()));
        for (limb, of_cluster) in
            [(3, EXACT), (3, -EXACT), (3, 0.5), (0, 1_500_000.5), (0, 1_500.0), (3, f64::NAN)]
        {
            assert_eq!(add(limb, of_cluster), None, "{of_cluster}");
        }
        assert_eq!(add(5, 17_014.0), Some(()));
        assert_eq!(add(5, 17_015.0), None, "beyond the largest amount");
    }

    proptest! {
        #[test]
        fn the_sums_of_limbs_are_those_of_amounts(
            amounts in proptest::collection::vec(-(10_i128.pow(36))..10_i128.pow(36), 0..50),
        ) {
            let mut expected = Amount::ZERO;
            let mut sums = [0.0; LIMBS];
            for amount in amounts.into_iter().map(Amount::from_attos) {
                expected += amount;
                let limbs = limbs(amount);
                sums.iter_mut().zip(limbs).for_each(|(sum, limb)| *sum += limb as f64);
            }
            let mut found = Amount::ZERO;
            for (limb, sum) in sums.into_iter().enumerate() {
                add_limb(&mut found, limb, sum).unwrap();
            }
            prop_assert_eq!(found, expected);
        }
    }
}
