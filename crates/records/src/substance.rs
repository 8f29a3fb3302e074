//! The identity of a substance: a CAS registry number, or a code of the NPRI.

use std::fmt;

use crate::{SearchField, SearchText};

/// A substance under one pair of names; one id may have had several pairs over the years.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Substance {
    /// The identity.
    pub id: SubstanceId,
    /// The English name of the record's year.
    pub name_en: Option<String>,
    /// The French name of the record's year.
    pub name_fr: Option<String>,
    /// Every name that the id has had, in both languages; `substance=` compares words with these.
    pub every_name: Vec<String>,
}

impl Substance {
    /// The texts that a record with this substance is found by: its names, and the id in every
    /// spelling.
    pub fn texts(&self) -> impl Iterator<Item = SearchText<'_>> {
        let names = [&self.name_en, &self.name_fr].into_iter().flatten();
        let names = names.map(|name| SearchText::new(SearchField::SubstanceName, name.as_str()));
        let ids = self.id.spellings().into_iter();
        names.chain(ids.map(|spelling| SearchText::new(SearchField::SubstanceId, spelling)))
    }
}

/// The canonical form of a CAS RN (`7446-09-5`) or of an NPRI code (`NA-M16`, `NA-DF`).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SubstanceId(String);

/// Why a text is not the id of a substance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SubstanceIdError {
    /// Neither digits in three groups nor `NA - code`.
    #[error("neither a CAS RN such as `7446-09-5` nor an NPRI code such as `NA - M16`")]
    NotAnId,
    /// A CAS RN that a spreadsheet turned into a date, the year being its first group.
    ///
    /// The text alone does not show which of the two other groups is which.
    #[error("a CAS RN that a spreadsheet turned into a date")]
    Date {
        /// The first group of the CAS RN.
        first_group: u32,
        /// The other two, in the order of the text.
        others: [u8; 2],
    },
}

impl SubstanceId {
    /// Reads either kind of id in the spellings of the source files.
    ///
    /// A zero-padded last group (`7446-09-05`) and the `0:00` that a spreadsheet adds are undone;
    /// spaces and slashes of an NPRI code are dropped.
    ///
    /// # Errors
    /// See [`SubstanceIdError`].
    pub fn parse(text: &str) -> Result<Self, SubstanceIdError> {
        let text = text.trim();
        if let Some(code) = npri_code(text) {
            return Ok(Self(code));
        }
        if let Some((first_group, others)) = slashed_date(text) {
            return Err(SubstanceIdError::Date { first_group, others });
        }
        let groups = text.strip_suffix(" 0:00:00").or_else(|| text.strip_suffix(" 0:00"));
        let mut groups = groups.unwrap_or(text).trim_end().split('-').map(number);
        match (groups.next(), groups.next(), groups.next(), groups.next()) {
            (Some(Some(first)), Some(Some(second)), Some(Some(third)), None) => {
                Self::from_cas_groups(first, second, third).ok_or(SubstanceIdError::NotAnId)
            }
            _ => Err(SubstanceIdError::NotAnId),
        }
    }

    /// The id whose CAS RN has these three groups, if they are in the range of a CAS RN.
    #[must_use]
    pub fn from_cas_groups(first: u32, second: u32, third: u32) -> Option<Self> {
        let is_cas = (10..=9_999_999).contains(&first) && second <= 99 && third <= 9;
        is_cas.then(|| Self(format!("{first}-{second:02}-{third}")))
    }

    /// The canonical text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The CAS RN, for a substance that has one.
    #[must_use]
    pub fn cas_number(&self) -> Option<&str> {
        (!self.0.starts_with("NA-")).then_some(self.0.as_str())
    }

    /// Every spelling that a source file uses for this id, the canonical one first.
    #[must_use]
    pub fn spellings(&self) -> Vec<String> {
        let mut spellings = vec![self.0.clone()];
        match self.0.strip_prefix("NA-").map(str::as_bytes) {
            Some([first, second])
                if first.is_ascii_alphabetic() && second.is_ascii_alphabetic() =>
            {
                spellings.push(format!("NA - {}/{}", char::from(*first), char::from(*second)));
            }
            Some(_) => {}
            None => {
                let (groups, check) = self.0.split_at(self.0.len() - 1);
                spellings.push(format!("{groups}0{check}"));
            }
        }
        spellings
    }
}

/// `NA`, a hyphen, and a code of letters and digits, with any spaces and slashes between.
fn npri_code(text: &str) -> Option<String> {
    let compact: String = text
        .chars()
        .filter(|c| !c.is_whitespace() && *c != '/')
        .map(|c| c.to_ascii_uppercase())
        .collect();
    let code = compact.strip_prefix("NA-")?;
    let is_code = (1..=6).contains(&code.len()) && code.bytes().all(|b| b.is_ascii_alphanumeric());
    is_code.then_some(compact)
}

/// The parts of `04/06/7783`, with the time of day that some editors add.
fn slashed_date(text: &str) -> Option<(u32, [u8; 2])> {
    let date = text.split_whitespace().next()?;
    let mut groups = date.split('/').map(number);
    match (groups.next()?, groups.next()?, groups.next()?, groups.next()) {
        (Some(first), Some(second), Some(year), None) => {
            Some((year, [u8::try_from(first).ok()?, u8::try_from(second).ok()?]))
        }
        _ => None,
    }
}

fn number(digits: &str) -> Option<u32> {
    let is_number =
        (1..=10).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| digits.parse().ok()).flatten()
}

impl fmt::Display for SubstanceId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_source_spelling_has_one_canonical_form() {
        for (text, expected) in [
            ("71-36-3", "71-36-3"),
            ("7446-09-5", "7446-09-5"),
            ("7446-09-05", "7446-09-5"),
            ("11104-93-1", "11104-93-1"),
            (" 7783-06-04 0:00", "7783-06-4"),
            ("7783-06-04 0:00:00", "7783-06-4"),
            ("NA - M16", "NA-M16"),
            ("na-m16", "NA-M16"),
            ("NA - 08", "NA-08"),
            ("NA - D/F", "NA-DF"),
            ("NA-DF", "NA-DF"),
        ] {
            assert_eq!(SubstanceId::parse(text).unwrap().as_str(), expected, "{text:?}");
        }
    }

    #[test]
    fn other_texts_are_refused() {
        for text in
            ["", "benzene", "71-36", "71-36-33", "71-36-3-1", "NA", "NA - ", "1-22-3", "NA-"]
        {
            assert_eq!(SubstanceId::parse(text), Err(SubstanceIdError::NotAnId), "{text:?}");
        }
        assert_eq!(
            SubstanceId::parse("04/06/7783"),
            Err(SubstanceIdError::Date { first_group: 7783, others: [4, 6] })
        );
    }

    #[test]
    fn every_spelling_is_read_back() {
        for text in ["7446-09-5", "NA-M16", "NA-DF", "NA-08"] {
            let id = SubstanceId::parse(text).unwrap();
            for spelling in id.spellings() {
                assert_eq!(SubstanceId::parse(&spelling).as_ref(), Ok(&id), "{spelling}");
            }
        }
    }
}
