//! How numbers and lists of numbers stand in the files of a generation: little-endian, lists after
//! their length.

use outfall_records::Decimal;

/// Appends to the bytes of a file.
#[derive(Default)]
pub(crate) struct Encoder {
    pub(crate) bytes: Vec<u8>,
}

impl Encoder {
    pub(crate) fn u8(&mut self, value: u8) {
        self.bytes.push(value);
    }

    pub(crate) fn u32(&mut self, value: u32) {
        self.bytes.extend_from_slice(&value.to_le_bytes());
    }

    /// A count or an index; lists of a generation have fewer than 2^32 entries.
    pub(crate) fn len(&mut self, value: usize) {
        self.varint(value as u128);
    }

    /// LEB128: seven bits a byte, the lowest first.
    pub(crate) fn varint(&mut self, mut value: u128) {
        while value > u128::from(u64::MAX) {
            self.bytes.push((value & 0x7f) as u8 | 0x80);
            value >>= 7;
        }
        // Nearly all numbers are this small, and shifting them is a single instruction.
        let mut value = value as u64;
        while value >= 0x80 {
            self.bytes.push((value & 0x7f) as u8 | 0x80);
            value >>= 7;
        }
        self.bytes.push(value as u8);
    }

    /// Scale and sign, then the digits as an integer.
    pub(crate) fn decimal(&mut self, value: Decimal) {
        let sign = u8::from(value.is_sign_negative()) << 7;
        self.u8(sign | value.scale() as u8);
        self.varint(value.mantissa().unsigned_abs());
    }

    pub(crate) fn u32s(&mut self, values: &[u32]) {
        self.len(values.len());
        let start = self.bytes.len();
        self.bytes.resize(start + values.len() * 4, 0);
        let (words, _) = self.bytes[start..].as_chunks_mut();
        words.iter_mut().zip(values).for_each(|(word, value)| *word = value.to_le_bytes());
    }

    /// Words without their number, which the reader knows.
    pub(crate) fn u64s(&mut self, values: &[u64]) {
        let start = self.bytes.len();
        self.bytes.resize(start + values.len() * 8, 0);
        let (words, _) = self.bytes[start..].as_chunks_mut();
        words.iter_mut().zip(values).for_each(|(word, value)| *word = value.to_le_bytes());
    }

    pub(crate) fn text(&mut self, text: &str) {
        self.len(text.len());
        self.bytes.extend_from_slice(text.as_bytes());
    }
}

/// Reads what an [`Encoder`] wrote; `None` where the bytes end too early or mean nothing.
#[derive(Clone, Copy)]
pub(crate) struct Decoder<'a> {
    rest: &'a [u8],
}

impl<'a> Decoder<'a> {
    pub(crate) const fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    pub(crate) const fn is_at_end(&self) -> bool {
        self.rest.is_empty()
    }

    pub(crate) fn bytes(&mut self, len: usize) -> Option<&'a [u8]> {
        let (bytes, rest) = self.rest.split_at_checked(len)?;
        self.rest = rest;
        Some(bytes)
    }

    pub(crate) fn u8(&mut self) -> Option<u8> {
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(*first)
    }

    pub(crate) fn u32(&mut self) -> Option<u32> {
        let (bytes, rest) = self.rest.split_first_chunk::<4>()?;
        self.rest = rest;
        Some(u32::from_le_bytes(*bytes))
    }

    pub(crate) fn varint(&mut self) -> Option<u128> {
        let mut value = 0;
        for shift in (0..128).step_by(7) {
            let byte = self.u8()?;
            value |= u128::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(value);
            }
        }
        None
    }

    pub(crate) fn len(&mut self) -> Option<usize> {
        usize::try_from(self.varint()?).ok()
    }

    pub(crate) fn decimal(&mut self) -> Option<Decimal> {
        let head = self.u8()?;
        let magnitude = i128::try_from(self.varint()?).ok()?;
        let signed = if head & 0x80 == 0 { magnitude } else { -magnitude };
        Decimal::try_from_i128_with_scale(signed, u32::from(head & 0x7f)).ok()
    }

    pub(crate) fn u32s(&mut self) -> Option<Vec<u32>> {
        let len = self.len()?;
        let bytes = self.bytes(len.checked_mul(4)?)?;
        let (words, _) = bytes.as_chunks::<4>();
        Some(words.iter().map(|word| u32::from_le_bytes(*word)).collect())
    }

    pub(crate) fn u64s(&mut self, len: usize) -> Option<Vec<u64>> {
        let bytes = self.bytes(len.checked_mul(8)?)?;
        let (words, _) = bytes.as_chunks::<8>();
        Some(words.iter().map(|word| u64::from_le_bytes(*word)).collect())
    }

    pub(crate) fn text(&mut self) -> Option<&'a str> {
        let len = self.len()?;
        std::str::from_utf8(self.bytes(len)?).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_was_written_is_read_back(
            number in any::<u128>(),
            mantissa in -(1_i128 << 95)..(1_i128 << 95),
            scale in 0_u32..=28,
            list in proptest::collection::vec(any::<u32>(), 0..20),
            text in "\\PC{0,20}",
        ) {
            let decimal = Decimal::from_i128_with_scale(mantissa, scale);
            let mut encoder = Encoder::default();
            encoder.varint(number);
            encoder.decimal(decimal);
            encoder.u32s(&list);
            encoder.text(&text);
            let mut decoder = Decoder::new(&encoder.bytes);
            prop_assert_eq!(decoder.varint(), Some(number));
            prop_assert_eq!(decoder.decimal(), Some(decimal));
            prop_assert_eq!(decoder.u32s(), Some(list));
            prop_assert_eq!(decoder.text(), Some(text.as_str()));
            prop_assert!(decoder.is_at_end());
        }

        #[test]
        fn any_bytes_are_read_without_a_panic(bytes in proptest::collection::vec(any::<u8>(), 0..64)) {
            let decoder = Decoder::new(&bytes);
            let _ = { decoder }.varint();
            let _ = { decoder }.decimal();
            let _ = { decoder }.u32s();
            let _ = { decoder }.text();
        }
    }
}
