//! The encoding of numbers and lists in the files of a generation: little-endian, each list after
//! its length and aligned to eight bytes, so that it can be used in place.

use std::ops::{Deref, DerefMut};

use outfall_records::{Decimal, push_decimal, push_text, push_varint};
use tantivy::directory::OwnedBytes;
use zerocopy::IntoBytes;

use crate::index::bytes::{ALIGNMENT, Number, Numbers};

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

    pub(crate) fn varint(&mut self, value: u128) {
        push_varint(&mut self.bytes, value);
    }

    pub(crate) fn decimal(&mut self, value: Decimal) {
        push_decimal(&mut self.bytes, value);
    }

    /// Pads to a multiple of eight bytes. Every piece that is encoded separately from the beginning
    /// of its file begins and ends at such a multiple.
    pub(crate) fn align(&mut self) {
        self.bytes.resize(self.bytes.len().next_multiple_of(ALIGNMENT), 0);
    }

    pub(crate) fn u32s(&mut self, values: &[u32]) {
        self.len(values.len());
        self.align();
        self.bytes.extend_from_slice(values.as_bytes());
        self.align();
    }

    /// Bytes, preceded by their number.
    pub(crate) fn list(&mut self, bytes: &[u8]) {
        self.len(bytes.len());
        self.align();
        self.bytes.extend_from_slice(bytes);
        self.align();
    }

    /// A value for each record, whose number the reader knows.
    pub(crate) fn column<T: Number>(&mut self, values: &[T]) {
        self.align();
        self.bytes.extend_from_slice(values.as_bytes());
        self.align();
    }

    /// Words without their number, which the reader knows.
    pub(crate) fn u64s(&mut self, values: &[u64]) {
        self.bytes.extend_from_slice(values.as_bytes());
    }

    pub(crate) fn text(&mut self, text: &str) {
        push_text(&mut self.bytes, text);
    }
}

/// Reads what an [`Encoder`] wrote; `None` if the bytes end too early or make no sense.
#[derive(Clone, Copy)]
pub(crate) struct Decoder<'a> {
    rest: &'a [u8],
}

impl<'a> Decoder<'a> {
    pub(crate) const fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    /// How many bytes are left.
    pub(crate) const fn left(&self) -> usize {
        self.rest.len()
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
        // Nearly all are short, and 128-bit numbers are slow to assemble.
        let mut low = 0_u64;
        for shift in (0..63).step_by(7) {
            let byte = self.u8()?;
            low |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(low.into());
            }
        }
        let mut value = u128::from(low);
        for shift in (63..128).step_by(7) {
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

    /// Skips the padding of [`Encoder::align`]. Files are multiples of eight bytes long, so the
    /// number of bytes left gives its length.
    pub(crate) fn align(&mut self) {
        self.rest = &self.rest[self.rest.len() % ALIGNMENT..];
    }

    pub(crate) fn text(&mut self) -> Option<&'a str> {
        let len = self.len()?;
        std::str::from_utf8(self.bytes(len)?).ok()
    }
}

/// Reads a file whose lists are used in place.
pub(crate) struct FileDecoder<'a> {
    file: &'a OwnedBytes,
    decoder: Decoder<'a>,
}

impl<'a> FileDecoder<'a> {
    pub(crate) fn new(file: &'a OwnedBytes) -> Self {
        Self { file, decoder: Decoder::new(file) }
    }

    /// How many bytes of the file have been read.
    pub(crate) fn position(&self) -> usize {
        self.file.len() - self.decoder.left()
    }

    /// The next `len` bytes at a multiple of eight.
    pub(crate) fn aligned(&mut self, len: usize) -> Option<OwnedBytes> {
        self.decoder.align();
        let start = self.position();
        self.decoder.bytes(len)?;
        self.decoder.align();
        Some(self.file.slice(start..start + len))
    }

    /// A list of numbers whose length is known.
    pub(crate) fn numbers<T: Number>(&mut self, len: usize) -> Option<Numbers<T>> {
        Numbers::new(self.aligned(len.checked_mul(size_of::<T>())?)?)
    }

    pub(crate) fn u32s(&mut self) -> Option<Numbers<u32>> {
        let len = self.decoder.len()?;
        self.numbers(len)
    }
}

impl<'a> Deref for FileDecoder<'a> {
    type Target = Decoder<'a>;

    fn deref(&self) -> &Decoder<'a> {
        &self.decoder
    }
}

impl DerefMut for FileDecoder<'_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.decoder
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
            encoder.align();
            let file = OwnedBytes::new(encoder.bytes);
            let mut decoder = FileDecoder::new(&file);
            prop_assert_eq!(decoder.varint(), Some(number));
            prop_assert_eq!(decoder.decimal(), Some(decimal));
            prop_assert_eq!(decoder.u32s().map(|numbers| numbers.to_vec()), Some(list));
            prop_assert_eq!(decoder.text(), Some(text.as_str()));
            decoder.align();
            prop_assert!(decoder.is_at_end());
        }

        #[test]
        fn any_bytes_are_read_without_a_panic(bytes in proptest::collection::vec(any::<u8>(), 0..64)) {
            let decoder = Decoder::new(&bytes);
            let _ = { decoder }.varint();
            let _ = { decoder }.decimal();
            let _ = { decoder }.text();
            let file = OwnedBytes::new(bytes);
            let _ = FileDecoder::new(&file).u32s();
        }
    }
}
