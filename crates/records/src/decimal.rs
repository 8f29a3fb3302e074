//! Reads the decimal numbers of the source files, exactly.

use rust_decimal::Decimal;

/// Why a text is not a number that a record can hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DecimalError {
    /// Not a decimal number, such as `NaN`, an infinity or a word.
    #[error("not a decimal number")]
    NotANumber,
    /// 10^12 or more, or more than 15 decimal places.
    #[error("not below 10^12 with at most 15 decimal places")]
    OutOfRange,
}

/// Sums and conversions of numbers below this stay exact; no number of a source file comes near it.
const MAX_ABS: i64 = 1_000_000_000_000;
/// Decimal places left after trailing zeros are dropped.
pub(crate) const MAX_SCALE: u32 = 15;

/// An `i64` can hold every number of this many digits.
const MAX_PLAIN: usize = 18;
/// Every number with this many digits before the point is below [`MAX_ABS`].
const MAX_PLAIN_WHOLE: usize = 12;

/// Reads a source cell of digits and at most one point, the form of nearly all cells, the quick
/// way; `None` for any other, which [`parse_source_decimal`] reads.
#[must_use]
pub fn parse_plain_decimal(bytes: &[u8]) -> Option<Decimal> {
    if bytes.len() > MAX_PLAIN {
        return None;
    }
    let (mut mantissa, mut point) = (0, None);
    for (place, byte) in bytes.iter().enumerate() {
        match byte {
            b'0'..=b'9' => mantissa = mantissa * 10 + i64::from(byte - b'0'),
            b'.' if point.is_none() => point = Some(place),
            _ => return None,
        }
    }
    let whole = point.unwrap_or(bytes.len());
    let digits = bytes.len() - usize::from(point.is_some());
    if digits == 0 || whole > MAX_PLAIN_WHOLE {
        return None;
    }
    #[expect(clippy::cast_possible_truncation, reason = "there are 18 digits at most")]
    let mut scale = (digits - whole) as u32;
    while scale > 0 && mantissa % 10 == 0 {
        mantissa /= 10;
        scale -= 1;
    }
    (scale <= MAX_SCALE).then(|| Decimal::new(mantissa, scale))
}

/// Reads the decimal text of a source cell.
///
/// Outer spaces, spaces of any width between thousands and an exponent are allowed; the result has
/// no trailing zeros. Its absolute value is below 10^12, its scale at most 15.
///
/// # Errors
/// See [`DecimalError`]; a blank text is [`DecimalError::NotANumber`], because it is not zero.
pub fn parse_source_decimal(text: &str) -> Result<Decimal, DecimalError> {
    let text = text.trim();
    if text.contains(char::is_whitespace) {
        let compact = join_thousands(text).ok_or(DecimalError::NotANumber)?;
        return parse_compact(&compact);
    }
    parse_compact(text)
}

/// Drops the spaces of `1 047.65`; `None` if they do not separate thousands.
fn join_thousands(text: &str) -> Option<String> {
    let (whole, fraction) = text.split_at(text.find('.').unwrap_or(text.len()));
    let mut groups = whole.split(char::is_whitespace);
    let lead = groups.next()?.trim_start_matches(['+', '-']);
    let in_thousands = (1..=3).contains(&lead.len())
        && groups.all(|group| group.len() == 3 && group.bytes().all(|b| b.is_ascii_digit()));
    let is_joinable = in_thousands && !fraction.contains(char::is_whitespace);
    is_joinable.then(|| whole.split(char::is_whitespace).chain([fraction]).collect())
}

fn parse_compact(text: &str) -> Result<Decimal, DecimalError> {
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, parse_exponent(exponent)?),
        None => (text, 0),
    };
    let unsigned = mantissa.strip_prefix(['+', '-']).unwrap_or(mantissa);
    let (whole, fraction) = unsigned.split_once('.').unwrap_or((unsigned, ""));
    let digits = || whole.bytes().chain(fraction.bytes());
    if digits().next().is_none() || !digits().all(|byte| byte.is_ascii_digit()) {
        return Err(DecimalError::NotANumber);
    }
    let mut magnitude: i128 = 0;
    for byte in digits() {
        magnitude = magnitude
            .checked_mul(10)
            .and_then(|shifted| shifted.checked_add(i128::from(byte - b'0')))
            .ok_or(DecimalError::OutOfRange)?;
    }
    let places = i64::try_from(fraction.len()).map_err(|_| DecimalError::OutOfRange)?;
    let mut scale = places - exponent;
    while magnitude != 0 && magnitude % 10 == 0 {
        magnitude /= 10;
        scale -= 1;
    }
    if magnitude == 0 {
        return Ok(Decimal::ZERO);
    }
    if scale < 0 {
        let factor = u32::try_from(-scale).ok().and_then(|power| 10_i128.checked_pow(power));
        magnitude = factor
            .and_then(|factor| magnitude.checked_mul(factor))
            .ok_or(DecimalError::OutOfRange)?;
        scale = 0;
    }
    let scale = u32::try_from(scale).map_err(|_| DecimalError::OutOfRange)?;
    if scale > MAX_SCALE {
        return Err(DecimalError::OutOfRange);
    }
    let signed = if mantissa.starts_with('-') { -magnitude } else { magnitude };
    let number =
        Decimal::try_from_i128_with_scale(signed, scale).map_err(|_| DecimalError::OutOfRange)?;
    if number.abs() >= Decimal::from(MAX_ABS) { Err(DecimalError::OutOfRange) } else { Ok(number) }
}

fn parse_exponent(text: &str) -> Result<i64, DecimalError> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(DecimalError::NotANumber);
    }
    // An exponent of more digits than this is out of the range of any record anyway.
    let size: i64 = if digits.len() > 6 { 999_999 } else { digits.parse().unwrap_or(999_999) };
    Ok(if text.starts_with('-') { -size } else { size })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_quick_way_reads_what_the_other_does(text in "[0-9]{0,14}\\.?[0-9]{0,17}|[0-9. ]{0,4}|.{0,4}") {
            if let Some(number) = parse_plain_decimal(text.as_bytes()) {
                let expected = parse_source_decimal(&text).unwrap();
                prop_assert_eq!((number.mantissa(), number.scale()), (expected.mantissa(), expected.scale()));
            }
        }

        #[test]
        fn usual_numbers_are_read_the_quick_way(text in "[0-9]{1,8}(\\.[0-9]{1,9})?") {
            prop_assert!(parse_plain_decimal(text.as_bytes()).is_some());
        }
    }

    #[test]
    fn source_spellings_are_read_exactly() {
        for (text, expected) in [
            ("0", "0"),
            ("0.000000000", "0"),
            ("2.50", "2.5"),
            (" 1.861 ", "1.861"),
            ("4.00E-06", "0.000004"),
            ("1e3", "1000"),
            ("1.5E+2", "150"),
            ("1 047.65", "1047.65"),
            ("1\u{a0}047.65", "1047.65"),
            ("12\u{202f}345\u{202f}678", "12345678"),
            ("-112.861867000", "-112.861867"),
            ("+7", "7"),
            (".5", "0.5"),
            ("280699.8975", "280699.8975"),
            ("0e999999999", "0"),
        ] {
            assert_eq!(parse_source_decimal(text).unwrap().to_string(), expected, "{text:?}");
        }
    }

    #[test]
    fn what_is_no_number_is_refused() {
        for text in [
            "",
            " ",
            "n/a",
            "NaN",
            "inf",
            "-inf",
            "1,5",
            "1..2",
            "1.2.3",
            "e5",
            "1e",
            "1e+",
            "--1",
            "1 2",
            "1 0475",
            "0x10",
            "1_000",
            "٣",
            ".",
            "12 345 67",
        ] {
            assert_eq!(parse_source_decimal(text), Err(DecimalError::NotANumber), "{text:?}");
        }
        for text in
            ["1e12", "1e400", "1e-16", "99999999999999999999999999999999999999999", "1e99999999"]
        {
            assert_eq!(parse_source_decimal(text), Err(DecimalError::OutOfRange), "{text:?}");
        }
    }
}
