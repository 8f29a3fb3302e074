//! Arithmetic that does not round: a record is the exact sum of its rows, or there is no record.

use outfall_records::{Decimal, Unit};

/// Converts `quantity` to another unit of the same sort; `None` if a decimal has too few digits for
/// it.
pub(super) fn convert_exactly(quantity: Decimal, from: Unit, to: Unit) -> Option<Decimal> {
    if from == to {
        return Some(quantity);
    }
    let converted = from.convert(quantity, to)?;
    (to.convert(converted, from) == Some(quantity)).then_some(converted)
}

/// The exact sum; `None` if a decimal has too few digits for it.
pub(super) fn add_exactly(a: Decimal, b: Decimal) -> Option<Decimal> {
    let sum = a.checked_add(b)?;
    let is_exact = a.is_zero() || b.is_zero() || sum.scale() == a.scale().max(b.scale());
    is_exact.then_some(sum)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_a_decimal_has_no_digits_for_is_not_rounded() {
        let huge = Decimal::new(9_999_999_999_995, 1);
        let tiny = Decimal::new(1, 21);
        assert_eq!(add_exactly(huge, tiny), None);
        assert_eq!(add_exactly(huge, Decimal::ZERO), Some(huge));
        assert_eq!(convert_exactly(tiny, Unit::GramsTeq, Unit::Tonnes), None);
    }

    proptest! {
        #[test]
        fn sums_and_conversions_can_be_undone(
            a in 0_i64..=999_999_999_999,
            b in 0_i64..=999_999_999_999,
            scales in (0_u32..=12, 0_u32..=12),
        ) {
            let (a, b) = (Decimal::new(a, scales.0), Decimal::new(b, scales.1));
            prop_assert_eq!(add_exactly(a, b).map(|sum| sum - b), Some(a));
            let tonnes = convert_exactly(a, Unit::Grams, Unit::Tonnes);
            let grams = tonnes.and_then(|quantity| Unit::Tonnes.convert(quantity, Unit::Grams));
            prop_assert_eq!(grams, Some(a));
        }
    }
}
