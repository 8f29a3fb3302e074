//! Numbers and texts as bytes, wherever records are stored or hashed.

use rust_decimal::Decimal;

/// Appends a number as LEB128: seven bits a byte, the lowest first.
#[expect(
    clippy::cast_possible_truncation,
    reason = "the bytes that are cut off follow, or are zero"
)]
pub fn push_varint(bytes: &mut Vec<u8>, mut value: u128) {
    while value > u128::from(u64::MAX) {
        bytes.push((value & 0x7f) as u8 | 0x80);
        value >>= 7;
    }
    // Nearly all numbers are this small, and shifting them is a single instruction.
    let mut value = value as u64;
    while value >= 0x80 {
        bytes.push((value & 0x7f) as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}

/// Appends a text after its length.
pub fn push_text(bytes: &mut Vec<u8>, text: &str) {
    push_varint(bytes, text.len() as u128);
    bytes.extend_from_slice(text.as_bytes());
}

/// Appends the scale and sign of a decimal, then its digits as an integer.
#[expect(clippy::cast_possible_truncation, reason = "a scale is 28 at most")]
pub fn push_decimal(bytes: &mut Vec<u8>, value: Decimal) {
    let sign = u8::from(value.is_sign_negative()) << 7;
    bytes.push(sign | value.scale() as u8);
    push_varint(bytes, value.mantissa().unsigned_abs());
}
