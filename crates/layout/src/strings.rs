//! A list of texts in one buffer.

use crate::codec::{Decoder, Encoder};

/// Texts by number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Strings {
    text: String,
    ends: Vec<u32>,
}

impl Strings {
    pub(crate) fn push(&mut self, text: &str) {
        self.text.push_str(text);
        // The texts of a generation are the distinct ones: some megabytes in all.
        self.ends.push(self.text.len() as u32);
    }

    /// The text of that number.
    ///
    /// # Panics
    /// When there are not that many.
    #[must_use]
    pub fn get(&self, index: usize) -> &str {
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before] as usize);
        &self.text[start..self.ends[index] as usize]
    }

    /// How many there are.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    pub(crate) fn encode(&self, encoder: &mut Encoder) {
        encoder.u32s(&self.ends);
        encoder.text(&self.text);
    }

    /// As [`Strings::encode`], in pieces that copy no text: what the encoder holds, then the text.
    pub(crate) fn into_pieces(self, mut encoder: Encoder) -> [Vec<u8>; 2] {
        encoder.u32s(&self.ends);
        encoder.len(self.text.len());
        [encoder.bytes, self.text.into_bytes()]
    }

    pub(crate) fn decode(decoder: &mut Decoder<'_>) -> Option<Self> {
        let ends = decoder.u32s()?;
        let text = decoder.text()?.to_owned();
        let is_whole = ends.is_sorted()
            && ends.last().copied().unwrap_or(0) as usize == text.len()
            && ends.iter().all(|end| text.is_char_boundary(*end as usize));
        is_whole.then_some(Self { text, ends })
    }
}

impl<'a> FromIterator<&'a str> for Strings {
    fn from_iter<T: IntoIterator<Item = &'a str>>(texts: T) -> Self {
        let mut strings = Self::default();
        texts.into_iter().for_each(|text| strings.push(text));
        strings
    }
}
