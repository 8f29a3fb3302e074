//! A list of texts in one buffer.

use tantivy::directory::OwnedBytes;

use crate::index::bytes::{Encoder, FileDecoder, Numbers, numbered};

/// Texts by number, in the bytes of a file.
#[derive(Clone, Debug)]
pub struct Strings {
    text: OwnedBytes,
    ends: Numbers<u32>,
}

impl Default for Strings {
    /// No text at all.
    fn default() -> Self {
        Self { text: OwnedBytes::empty(), ends: Numbers::default() }
    }
}

impl Strings {
    /// The text of that number; empty if there is none.
    #[must_use]
    #[expect(clippy::expect_used, reason = "each text was checked when the list was read")]
    pub fn get(&self, index: usize) -> &str {
        str::from_utf8(self.bytes(index)).expect("a text")
    }

    /// The bytes of the text of that number; empty if there is none.
    #[must_use]
    pub fn bytes(&self, index: usize) -> &[u8] {
        let Some(ends) = self.ends.get(..=index) else { return &[] };
        let start = index.checked_sub(1).map_or(0, |before| ends[before] as usize);
        &self.text[start..ends[index] as usize]
    }

    /// The number of texts.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are no texts.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    pub(crate) fn decode(decoder: &mut FileDecoder<'_>) -> Option<Self> {
        let ends = decoder.u32s()?;
        let len = decoder.len()?;
        let text = decoder.aligned(len)?;
        let is_whole = ends.is_sorted() && ends.last().copied().unwrap_or(0) as usize == len;
        let all = str::from_utf8(&text).ok()?;
        let is_text = ends.iter().all(|end| all.is_char_boundary(*end as usize));
        (is_whole && is_text).then_some(Self { text, ends })
    }
}

/// Texts by number, to be written.
#[derive(Debug, Default)]
pub(crate) struct StringsMut {
    text: String,
    ends: Vec<u32>,
}

impl StringsMut {
    pub(crate) fn push(&mut self, text: &str) {
        self.text.push_str(text);
        // A generation holds only the distinct texts: some megabytes in all.
        self.ends.push(numbered(self.text.len()));
    }

    pub(crate) fn encode(&self, encoder: &mut Encoder) {
        encoder.u32s(&self.ends);
        encoder.list(self.text.as_bytes());
    }

    /// As [`StringsMut::encode`], but without copying the text: the bytes of the encoder, then the
    /// text.
    pub(crate) fn into_pieces(self, mut encoder: Encoder) -> [Vec<u8>; 2] {
        encoder.u32s(&self.ends);
        encoder.len(self.text.len());
        encoder.align();
        let mut text = Encoder { bytes: self.text.into_bytes() };
        text.align();
        [encoder.bytes, text.bytes]
    }
}

impl<'a> FromIterator<&'a str> for StringsMut {
    fn from_iter<T: IntoIterator<Item = &'a str>>(texts: T) -> Self {
        let mut strings = Self::default();
        texts.into_iter().for_each(|text| strings.push(text));
        strings
    }
}
