//! Values for sorting: nearly always one integer decides.

use std::cmp::Ordering;

use outfall_records::Decimal;

/// A value that is quick to compare.
#[derive(Clone, Copy)]
pub(crate) struct Value {
    /// See [`magnitude`].
    magnitude: u64,
    pub(crate) decimal: Decimal,
}

impl Value {
    pub(crate) fn of(decimal: Decimal) -> Self {
        Self { magnitude: magnitude(decimal), decimal }
    }
}

impl Ord for Value {
    fn cmp(&self, other: &Self) -> Ordering {
        let is_exact = self.magnitude.is_multiple_of(2);
        match self.magnitude.cmp(&other.magnitude) {
            Ordering::Equal if !is_exact => self.decimal.cmp(&other.decimal),
            order => order,
        }
    }
}

impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Value {}

/// Twice the billionths, rounded down, plus one if that loses any of the value. Of two values the
/// smaller never has the larger magnitude, and an even magnitude belongs to one value only.
fn magnitude(value: Decimal) -> u64 {
    let mantissa = value.mantissa();
    if mantissa <= 0 {
        return 1;
    }
    let (billionths, is_exact) = match (value.scale(), u64::try_from(mantissa)) {
        (scale @ 0..=9, Ok(mantissa)) => (mantissa.checked_mul(10_u64.pow(9 - scale)), true),
        (0..=9, Err(_)) => (None, false),
        (scale, _) => {
            let least = 10_i128.pow(scale - 9);
            (u64::try_from(mantissa / least).ok(), mantissa % least == 0)
        }
    };
    let twice = billionths.and_then(|billionths| billionths.checked_mul(2));
    twice.map_or(u64::MAX, |twice| twice + u64::from(!is_exact))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Numbers of every size, many of them equal or nearly equal.
    fn decimal() -> impl Strategy<Value = Decimal> {
        let magnitudes = prop_oneof![
            -9_i128..100,
            (-2_i128..3).prop_map(|near| 9_223_372_036_854_775_808 + near),
            (-2_i128..3).prop_map(|near| 18_446_744_073_709_551_616 + near),
            0_i128..1 << 96,
        ];
        (magnitudes, 0_u32..=28).prop_map(|(mantissa, scale)| {
            Decimal::from_i128_with_scale(mantissa, scale).normalize()
        })
    }

    proptest! {
        #[test]
        fn values_compare_as_their_decimals_do(a in decimal(), b in decimal()) {
            let (less, more) = (a.min(b), a.max(b));
            prop_assert!(magnitude(less) <= magnitude(more), "{less} {more}");
            prop_assert_eq!(Value::of(a).cmp(&Value::of(b)), a.cmp(&b), "{} {}", a, b);
        }
    }
}
