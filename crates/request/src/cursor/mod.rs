//! Where a page ended, as an opaque text that never expires.
//!
//! A cursor holds the sort key and the id of the last record, never an address inside an index, so
//! that a crawl goes on after a rebuild and neither repeats nor skips a record that did not change.

mod binding;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use outfall_records::Decimal;

use self::binding::Binding;
use crate::{SearchRequest, SortKey};

/// The end of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cursor {
    key: CursorKey,
    record_id: String,
    position: u64,
    binding: Binding,
}

/// The sort key of one record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CursorKey {
    /// The reporting year.
    Year(u16),
    /// The compared value, if it has one.
    Value(Option<Decimal>),
    /// How many units of `q` occur in a name.
    Relevance(u32),
}

/// Why a text is not a cursor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CursorError {
    /// Cut, changed, or never given out.
    #[error("not a cursor that was given out, or damaged since")]
    Damaged,
}

/// Version 1 had a hash for each of fourteen parameters, by position.
const VERSION: u8 = 2;
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
        self.binding.write(&mut bytes);
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
        let bytes = URL_SAFE_NO_PAD.decode(text).map_err(|_| CursorError::Damaged)?;
        let (bytes, sum) = bytes.split_last_chunk::<CHECKSUM>().ok_or(CursorError::Damaged)?;
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
        let position = u64::from_le_bytes(*position);
        // No index has more records. With this limit, adding the records of a page never overflows.
        if position > u64::from(u32::MAX) {
            return None;
        }
        let (binding, record_id) = Binding::read(rest)?;
        Some(Self {
            key,
            record_id: std::str::from_utf8(record_id).ok()?.to_owned(),
            position,
            binding,
        })
    }

    /// The end of a page of `request`, whose last record has this sort key and id; `position` is
    /// the absolute position of the record after it.
    #[must_use]
    pub fn after(
        request: &SearchRequest,
        key: CursorKey,
        record_id: String,
        position: u64,
    ) -> Self {
        Self { key, record_id, position, binding: Binding::of(request) }
    }

    /// The sort key of the last record of the page.
    #[must_use]
    pub const fn key(&self) -> CursorKey {
        self.key
    }

    /// The id of the last record of the page.
    #[must_use]
    pub fn record_id(&self) -> &str {
        &self.record_id
    }

    /// The absolute position of the record after the page.
    #[must_use]
    pub const fn position(&self) -> u64 {
        self.position
    }

    /// The parameters in which `request` differs from the one that the cursor goes on with.
    ///
    /// Empty when the cursor belongs to the request.
    #[must_use]
    pub fn differences(&self, request: &SearchRequest) -> Vec<&'static str> {
        let mut differences = self.binding.differences(&Binding::of(request));
        // A checksum is no signature: a forged cursor may hold a key that the order does not have.
        if differences.is_empty() && self.key.sorts_by() != request.sort.by {
            differences.push("sort_by");
        }
        differences
    }
}

impl CursorKey {
    const fn sorts_by(&self) -> SortKey {
        match self {
            Self::Year(_) => SortKey::Year,
            Self::Value(_) => SortKey::Value,
            Self::Relevance(_) => SortKey::Relevance,
        }
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
    use crate::text::parse;
    use crate::{
        Bound, Filters, RecordIdFilter, Sort, SortOrder, SubstanceFilter, ValueRange, ValueUnit,
        YearRange,
    };
    use outfall_records::{FacilityKey, NaicsBranch, Province, RecordKind, SubstanceId, Unit};
    use proptest::prelude::*;

    fn cursor(key: CursorKey, position: u64, record_id: &str) -> Cursor {
        Cursor::after(&SearchRequest::all(RecordKind::Release), key, record_id.to_owned(), position)
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

    /// Cursors as they were given out: each goes on with its request for ever.
    #[test]
    fn cursors_given_out_stay_valid() {
        for (request, key, record_id, expected) in golden() {
            let cursor = Cursor::after(&request, key, record_id.to_owned(), 25);
            assert_eq!(cursor.encode(), expected, "{record_id}");
            let read = Cursor::decode(expected).unwrap();
            assert!(read.differences(&request).is_empty(), "{record_id}");
        }
    }

    /// A request of every parameter that binds a cursor, and one of none.
    fn golden() -> Vec<(SearchRequest, CursorKey, &'static str, &'static str)> {
        let plain = SearchRequest::all(RecordKind::Release);
        let mut full = plain.clone();
        full.text = parse("mercury -\"and its compounds\" OR lead").unwrap();
        full.filters = Filters {
            provinces: vec![Province::Qc, Province::On],
            facilities: vec![FacilityKey::new("000983")],
            naics: vec![NaicsBranch::parse("32").unwrap()],
            substances: vec![
                SubstanceFilter::Id(SubstanceId::parse("NA - M16").unwrap()),
                SubstanceFilter::words("PM2").unwrap(),
            ],
            record_ids: vec![RecordIdFilter("983:2023:NA-10:air".to_owned())],
            years: YearRange { from: Some(2010), to: Some(2023) },
            values: ValueRange {
                min: Some(Bound::parse("0.5").unwrap()),
                max: Some(Bound::parse("1e6").unwrap()),
            },
            ..Filters::default()
        };
        full.value_unit = ValueUnit::Mass(Unit::Tonnes);
        full.sort = Sort { by: SortKey::Value, order: SortOrder::Asc };
        let mut emissions = SearchRequest::all(RecordKind::Emission);
        emissions.text = parse("aluminium").unwrap();
        emissions.sort.by = SortKey::Relevance;
        vec![
            (
                plain,
                CursorKey::Year(2023),
                "983:2023:71-43-2:air",
                "AgDnBxkAAAAAAAAAAWSu-b4LnPwCOTgzOjIwMjM6NzEtNDMtMjphaXI4QyxrPB8oZA",
            ),
            (
                full,
                CursorKey::Value(Some(Decimal::new(15, 1))),
                "983:2023:NA-10:air",
                "AgIAAAEADwAAAAAAAAAAAAAAGQAAAAAAAAAOZK75vguc_ALwAyhHCF6crGsPOrvboNW_8q3EkhpgKfV0wiTUEsCI_bt2J0ohHKEw3m_a7qi_B3oqy-S0yQc1ldIJurSmPdsJcgzWBc2p83KvGRmABr6U7P0uEmEH5_vUR0UGREpJFu6Z8EXDBkOY_zk4MzoyMDIzOk5BLTEwOmFpcqkk-Lxgj4vl",
            ),
            (
                emissions,
                CursorKey::Relevance(1),
                "G10001:2022",
                "AgMBAAAAGQAAAAAAAAADZK5ogDpFV53wA3Gn-RwXcUdFx2dJ2ltyRzEwMDAxOjIwMjI1pYm4mu9UrQ",
            ),
        ]
    }

    #[test]
    fn a_key_of_another_order_is_refused() {
        let request = SearchRequest::all(RecordKind::Release);
        for (key, expected) in [
            (CursorKey::Year(2023), &[][..]),
            (CursorKey::Value(None), &["sort_by"]),
            (CursorKey::Relevance(1), &["sort_by"]),
        ] {
            assert_eq!(cursor(key, 1, "1").differences(&request), expected, "{key:?}");
        }
    }

    #[test]
    fn a_whole_cursor_that_no_page_ends_with_is_damaged() {
        let sealed = |bytes: &[u8]| {
            let sum = checksum(bytes);
            URL_SAFE_NO_PAD.encode([bytes, &sum].concat())
        };
        let good = URL_SAFE_NO_PAD
            .decode(cursor(CursorKey::Year(2023), 7, "983:2023:71-43-2:air").encode())
            .unwrap();
        let good = &good[..good.len() - CHECKSUM];
        assert!(Cursor::decode(&sealed(good)).is_ok());
        let with = |place: usize, byte: u8| {
            let mut bytes = good.to_vec();
            bytes[place] = byte;
            bytes
        };
        let last = good.len() - 1;
        for (bytes, what) in [
            (with(0, 1), "version"),
            (with(1, 9), "key"),
            (with(8, 1), "position"),
            (with(last, 0xff), "record id"),
            (good[..20].to_vec(), "length"),
            (Vec::new(), "length"),
        ] {
            assert_eq!(Cursor::decode(&sealed(&bytes)), Err(CursorError::Damaged), "{what}");
        }
        let long = sealed(&[good, &[b'1'; MAX_ENCODED]].concat());
        assert_eq!(Cursor::decode(&long), Err(CursorError::Damaged));
    }

    proptest! {
        #[test]
        fn a_cursor_is_read_back(key in keys(), position: u32, record_id in "[0-9A-Za-z:-]{1,100}") {
            let cursor = cursor(key, position.into(), &record_id);
            let text = cursor.encode();
            prop_assert!(text.len() <= MAX_ENCODED);
            prop_assert!(text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte)));
            prop_assert_eq!(Cursor::decode(&text), Ok(cursor));
        }

        #[test]
        fn a_changed_character_is_damage(key in keys(), place: prop::sample::Index, other in "[0-9A-Za-z_-]|\\PC") {
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
        fn a_changed_bit_is_damage(key in keys(), place: prop::sample::Index, bit in 0_u32..8) {
            let text = cursor(key, 7, "983:2023:71-43-2:air").encode();
            let mut bytes = URL_SAFE_NO_PAD.decode(text).unwrap();
            let place = place.index(bytes.len());
            bytes[place] ^= 1_u8 << bit;
            let changed = URL_SAFE_NO_PAD.encode(bytes);
            prop_assert_eq!(Cursor::decode(&changed), Err(CursorError::Damaged));
        }

        #[test]
        fn any_other_text_is_damaged(text in "\\PC{0,80}|[0-9A-Za-z_-]{0,600}") {
            prop_assert_eq!(Cursor::decode(&text), Err(CursorError::Damaged));
        }
    }
}
