//! Writes numbers as text, without the machinery of formatting.
//!
//! A record's JSON holds five or so; with `write!` they took half the time of writing it.

use std::io::Write;

use outfall_records::Decimal;

/// The most digits of a 64-bit number.
const MOST_DIGITS: usize = 20;

/// Appends a whole number.
pub(super) fn push_whole(body: &mut Vec<u8>, number: u64) {
    push_digits(body, number, 1);
}

/// Appends a decimal, the same bytes as its `Display` writes.
pub(super) fn push_decimal(body: &mut Vec<u8>, number: Decimal) {
    let scale = number.scale() as usize;
    let small = u64::try_from(number.mantissa().unsigned_abs()).ok();
    match small {
        Some(digits) if !number.is_sign_negative() && scale < MOST_DIGITS => {
            push_digits(body, digits, scale + 1);
            if scale > 0 {
                body.insert(body.len() - scale, b'.');
            }
        }
        // Writing to a `Vec` never fails.
        _ => drop(write!(body, "{number}")),
    }
}

/// Appends the digits of a number, with zeros before them up to `least`.
fn push_digits(body: &mut Vec<u8>, mut number: u64, least: usize) {
    let mut digits = [b'0'; MOST_DIGITS];
    let mut start = MOST_DIGITS;
    while number > 0 {
        start -= 1;
        digits[start] = b'0' + (number % 10) as u8;
        number /= 10;
    }
    body.extend_from_slice(&digits[start.min(MOST_DIGITS - least)..]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn decimals_are_written_as_displayed(mantissa in any::<i128>(), bits in 0..96_u32, scale in 0..28_u32) {
            let mantissa = (mantissa.unsigned_abs() & ((1 << bits) - 1)) as i128;
            for mantissa in [mantissa, -mantissa] {
                let number = Decimal::from_i128_with_scale(mantissa, scale);
                let mut body = b"before".to_vec();
                push_decimal(&mut body, number);
                prop_assert_eq!(String::from_utf8(body).unwrap(), format!("before{number}"));
            }
        }

        #[test]
        fn whole_numbers_are_written_as_displayed(number in any::<u64>(), shift in 0..64_u32) {
            let mut body = Vec::new();
            push_whole(&mut body, number >> shift);
            prop_assert_eq!(String::from_utf8(body).unwrap(), (number >> shift).to_string());
        }
    }
}
