//! The identifiers that the two inventories give to facilities.

use std::fmt;

/// An NPRI id: an integer, shown without padding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NpriId(u32);

/// A GHGRP id: `G` and at least five digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GhgrpId(u32);

/// Why a text is not a facility id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a facility id: up to nine digits above zero, for the GHGRP after a `G`")]
pub struct IdError;

fn positive_number(digits: &str) -> Result<u32, IdError> {
    let significant = digits.trim_start_matches('0');
    let is_number = (1..=9).contains(&significant.len())
        && significant.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number {
        return Err(IdError);
    }
    significant.parse().map_err(|_| IdError)
}

impl NpriId {
    /// Reads the digits of a source cell; leading zeros and outer spaces are ignored.
    ///
    /// # Errors
    /// [`IdError`] for zero and for anything but digits.
    pub fn parse(text: &str) -> Result<Self, IdError> {
        positive_number(text.trim()).map(Self)
    }

    /// The id as a number.
    #[must_use]
    pub const fn get(self) -> u32 {
        self.0
    }
}

impl GhgrpId {
    /// Reads a source cell, with or without the `G` that the CESI files leave out.
    ///
    /// # Errors
    /// [`IdError`] for zero and for anything but digits after the `G`.
    pub fn parse(text: &str) -> Result<Self, IdError> {
        let text = text.trim();
        positive_number(text.strip_prefix(['G', 'g']).unwrap_or(text)).map(Self)
    }

    /// The id as a number.
    #[must_use]
    pub const fn get(self) -> u32 {
        self.0
    }
}

impl fmt::Display for NpriId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

impl fmt::Display for GhgrpId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "G{:05}", self.0)
    }
}

/// The id of a facility in either inventory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FacilityId {
    /// In the National Pollutant Release Inventory.
    Npri(NpriId),
    /// In the Greenhouse Gas Reporting Program.
    Ghgrp(GhgrpId),
}

impl FacilityId {
    /// The key that `facility_id=` compares.
    #[must_use]
    pub fn key(self) -> FacilityKey {
        match self {
            Self::Npri(id) => FacilityKey(id.0.to_string()),
            Self::Ghgrp(id) => FacilityKey(format!("G{}", id.0)),
        }
    }
}

impl fmt::Display for FacilityId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Npri(id) => id.fmt(formatter),
            Self::Ghgrp(id) => id.fmt(formatter),
        }
    }
}

/// The form of an id that `facility_id=` compares: upper case, without leading zeros before or
/// after the `G`.
///
/// Any text has a key, so that an id of no inventory matches nothing and is not an error.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FacilityKey(String);

impl FacilityKey {
    /// The key of an id in any spelling.
    #[must_use]
    pub fn new(text: &str) -> Self {
        let upper = text.trim().to_uppercase();
        let (prefix, rest) = match upper.strip_prefix('G') {
            Some(rest) => ("G", rest),
            None => ("", upper.as_str()),
        };
        Self(format!("{prefix}{}", rest.trim_start_matches('0')))
    }

    /// The key as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn source_cells_are_read_and_shown_canonically() {
        for (text, expected) in
            [("983", Some("983")), ("0000000983", Some("983")), (" 500366 ", Some("500366"))]
        {
            assert_eq!(NpriId::parse(text).ok().map(|id| id.to_string()).as_deref(), expected);
        }
        for (text, expected) in
            [("G10001", Some("G10001")), ("10001", Some("G10001")), ("g00042", Some("G00042"))]
        {
            assert_eq!(GhgrpId::parse(text).ok().map(|id| id.to_string()).as_deref(), expected);
        }
        for text in ["", "0", "0000", "12a", "-3", "9999999999", "1 2"] {
            assert_eq!(NpriId::parse(text), Err(IdError), "{text:?}");
            assert_eq!(GhgrpId::parse(text), Err(IdError), "{text:?}");
        }
    }

    #[test]
    fn keys_ignore_case_and_leading_zeros() {
        let npri = FacilityId::Npri(NpriId(983)).key();
        let ghgrp = FacilityId::Ghgrp(GhgrpId(42)).key();
        for (text, key) in [
            ("983", &npri),
            (" 0000000983", &npri),
            ("G00042", &ghgrp),
            ("g42", &ghgrp),
            ("G0000042", &ghgrp),
        ] {
            assert_eq!(&FacilityKey::new(text), key, "{text:?}");
        }
        assert_ne!(FacilityKey::new("42"), ghgrp);
        assert_ne!(FacilityKey::new("0"), npri);
    }
}
