//! Where a page ended, as an opaque text that never expires.
//!
//! A cursor holds the sort key and the id of the last record, never an address inside an index, so
//! that a crawl goes on after a rebuild and neither repeats nor skips a record that did not change.

mod fingerprint;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use outfall_records::Decimal;

pub(crate) use fingerprint::Fingerprint;

use crate::SearchRequest;

/// The end of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cursor {
    /// The sort key of the last record.
    pub(crate) key: CursorKey,
    /// Its id.
    pub(crate) record_id: String,
    /// The absolute position of the record after it.
    pub(crate) position: u64,
    /// The request that it goes on with.
    pub(crate) fingerprint: Fingerprint,
}

/// What the request sorts by, of one record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CursorKey {
    /// The reporting year.
    Year(u16),
    /// The compared value, if it has one.
    Value(Option<Decimal>),
    /// The units of `q` that stand in a name.
    Relevance(u32),
}

/// Why a text is not a cursor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CursorError {
    /// Cut, changed, or never given out.
    #[error("not a cursor that was given out, or damaged since")]
    Damaged,
}

const VERSION: u8 = 1;
/// The longest text of a cursor.
const MAX_ENCODED: usize = 512;
const CHECKSUM: usize = 8;

impl Cursor {
    /// The text of the cursor: base64url, at most 512 characters.
    #[must_use]
    pub fn encode(&self) -> String {
        let mut bytes = vec![VERSION];
        match &self.key {
            CursorKey::Year(year) => {
                bytes.push(0);
                bytes.extend_from_slice(&year.to_le_bytes());
            }
            CursorKey::Value(None) => bytes.push(1),
            CursorKey::Value(Some(value)) => {
                bytes.push(2);
                bytes.extend_from_slice(&value.serialize());
            }
            CursorKey::Relevance(relevance) => {
                bytes.push(3);
                bytes.extend_from_slice(&relevance.to_le_bytes());
            }
        }
        bytes.extend_from_slice(&self.position.to_le_bytes());
        bytes.extend_from_slice(&self.fingerprint.to_bytes());
        bytes.extend_from_slice(self.record_id.as_bytes());
        let checksum = checksum(&bytes);
        bytes.extend_from_slice(&checksum);
        URL_SAFE_NO_PAD.encode(bytes)
    }

    /// Reads the text of a cursor.
    ///
    /// # Errors
    /// See [`CursorError`].
    pub fn decode(text: &str) -> Result<Self, CursorError> {
        if text.len() > MAX_ENCODED {
            return Err(CursorError::Damaged);
        }
        let bytes = URL_SAFE_NO_PAD
            .decode(text)
            .map_err(|_| CursorError::Damaged)?;
        let (bytes, sum) = bytes
            .split_last_chunk::<CHECKSUM>()
            .ok_or(CursorError::Damaged)?;
        if checksum(bytes) != *sum {
            return Err(CursorError::Damaged);
        }
        Self::from_bytes(bytes).ok_or(CursorError::Damaged)
    }

    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (&[version, tag], rest) = bytes.split_first_chunk()?;
        if version != VERSION {
            return None;
        }
        let (key, rest) = match tag {
            0 => {
                let (year, rest) = rest.split_first_chunk()?;
                (CursorKey::Year(u16::from_le_bytes(*year)), rest)
            }
            1 => (CursorKey::Value(None), rest),
            2 => {
                let (value, rest) = rest.split_first_chunk()?;
                (CursorKey::Value(Some(Decimal::deserialize(*value))), rest)
            }
            3 => {
                let (relevance, rest) = rest.split_first_chunk()?;
                (CursorKey::Relevance(u32::from_le_bytes(*relevance)), rest)
            }
            _ => return None,
        };
        let (position, rest) = rest.split_first_chunk()?;
        let (fingerprint, record_id) = rest.split_first_chunk()?;
        Some(Self {
            key,
            record_id: std::str::from_utf8(record_id).ok()?.to_owned(),
            position: u64::from_le_bytes(*position),
            fingerprint: Fingerprint::from_bytes(fingerprint),
        })
    }

    /// The parameters in which `request` differs from the one that the cursor goes on with.
    ///
    /// Empty when the cursor belongs to the request.
    #[must_use]
    pub fn differences(&self, request: &SearchRequest) -> Vec<&'static str> {
        self.fingerprint.differences(&Fingerprint::of(request))
    }
}

fn checksum(bytes: &[u8]) -> [u8; CHECKSUM] {
    let hash = blake3::derive_key("outfall cursor checksum 2026", bytes);
    let mut sum = [0; CHECKSUM];
    sum.copy_from_slice(&hash[..CHECKSUM]);
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use outfall_records::Entity;
    use proptest::prelude::*;

    fn cursor(key: CursorKey, position: u64, record_id: &str) -> Cursor {
        let fingerprint = Fingerprint::of(&SearchRequest::all(Entity::Release));
        Cursor {
            key,
            record_id: record_id.to_owned(),
            position,
            fingerprint,
        }
    }

    fn keys() -> impl Strategy<Value = CursorKey> {
        prop_oneof![
            any::<u16>().prop_map(CursorKey::Year),
            Just(CursorKey::Value(None)),
            (any::<i64>(), 0_u32..=28)
                .prop_map(|(number, scale)| CursorKey::Value(Some(Decimal::new(number, scale)))),
            any::<u32>().prop_map(CursorKey::Relevance),
        ]
    }

    proptest! {
        #[test]
        fn a_cursor_is_read_back(key in keys(), position: u64, record_id in "[0-9A-Za-z:-]{1,60}") {
            let cursor = cursor(key, position, &record_id);
            let text = cursor.encode();
            prop_assert!(text.len() <= MAX_ENCODED);
            prop_assert!(text.bytes().all(|it| it.is_ascii_alphanumeric() || b"-_".contains(&it)));
            prop_assert_eq!(Cursor::decode(&text), Ok(cursor));
        }

        #[test]
        fn any_other_text_is_damaged(key in keys(), place: prop::sample::Index, other in "[0-9A-Za-z_-]") {
            let text = cursor(key, 7, "983:2023:71-43-2:air").encode();
            let place = place.index(text.len());
            let changed = format!("{}{other}{}", &text[..place], &text[place + 1..]);
            if changed != text {
                prop_assert_eq!(Cursor::decode(&changed), Err(CursorError::Damaged));
            }
            prop_assert_eq!(Cursor::decode(&text[..place]), Err(CursorError::Damaged));
            prop_assert_eq!(Cursor::decode(&format!("{text}{other}")), Err(CursorError::Damaged));
        }

        #[test]
        fn any_text_is_read_without_a_panic(text in "\\PC{0,80}") {
            prop_assert_eq!(Cursor::decode(&text), Err(CursorError::Damaged));
        }
    }
}
