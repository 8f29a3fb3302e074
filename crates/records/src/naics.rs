//! The North American Industry Classification System: codes, and the branches that they belong to.

use std::fmt;

/// An industry code of two to six digits, as a source file gives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NaicsCode {
    digits: [u8; 6],
    len: u8,
}

/// Why a text is not a NAICS code or branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not two to six digits, nor one of `31-33`, `44-45`, `48-49`")]
pub struct NaicsError;

/// The sectors that NAICS spreads over several two-digit codes.
const WIDE_SECTORS: [(&str, &str); 3] = [("31", "33"), ("44", "45"), ("48", "49")];

impl NaicsCode {
    /// Reads two to six digits, outer spaces allowed.
    ///
    /// # Errors
    /// [`NaicsError`] for anything else.
    pub fn parse(text: &str) -> Result<Self, NaicsError> {
        let text = text.trim().as_bytes();
        if !(2..=6).contains(&text.len()) || !text.iter().all(u8::is_ascii_digit) {
            return Err(NaicsError);
        }
        let mut digits = [0; 6];
        digits[..text.len()].copy_from_slice(text);
        Ok(Self { digits, len: u8::try_from(text.len()).map_err(|_| NaicsError)? })
    }

    /// The digits.
    #[must_use]
    #[expect(clippy::expect_used, reason = "only ASCII digits are ever stored")]
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.digits[..usize::from(self.len)]).expect("ASCII digits")
    }
}

impl fmt::Display for NaicsCode {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// A branch of the hierarchy, as `naics_code=` names it: a code and all codes below it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NaicsBranch {
    prefixes: Vec<NaicsCode>,
}

impl NaicsBranch {
    /// Reads two to six digits, or one of the sectors `31-33`, `44-45`, `48-49`.
    ///
    /// Two digits inside one of those sectors mean the whole sector.
    ///
    /// # Errors
    /// [`NaicsError`] for anything else.
    pub fn parse(text: &str) -> Result<Self, NaicsError> {
        let text = text.trim();
        let ends = match text.split_once('-') {
            Some((first, last)) if WIDE_SECTORS.contains(&(first, last)) => (first, last),
            Some(_) => return Err(NaicsError),
            None => WIDE_SECTORS
                .into_iter()
                .find(|(first, last)| text.len() == 2 && (*first..=*last).contains(&text))
                .unwrap_or((text, text)),
        };
        let (first, last) = (NaicsCode::parse(ends.0)?, NaicsCode::parse(ends.1)?);
        if first == last {
            return Ok(Self { prefixes: vec![first] });
        }
        let (from, to) = (first.digits[1], last.digits[1]);
        let prefixes = (from..=to)
            .map(|digit| NaicsCode { digits: [first.digits[0], digit, 0, 0, 0, 0], len: 2 })
            .collect();
        Ok(Self { prefixes })
    }

    /// The prefixes of this branch; each of its codes begins with one of them.
    #[must_use]
    pub fn prefixes(&self) -> &[NaicsCode] {
        &self.prefixes
    }

    /// Whether `code` belongs to this branch.
    #[must_use]
    pub fn contains(&self, code: &NaicsCode) -> bool {
        self.prefixes.iter().any(|prefix| code.as_str().starts_with(prefix.as_str()))
    }
}

impl fmt::Display for NaicsBranch {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.prefixes.as_slice() {
            [first, .., last] => write!(formatter, "{first}-{last}"),
            prefixes => prefixes.iter().try_for_each(|prefix| prefix.fmt(formatter)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn branches_contain_what_hangs_below_them() {
        for (branch, shown, inside, outside) in [
            ("322112", "322112", "322112", "322111"),
            ("3221", "3221", "322112", "322200"),
            ("21", "21", "212220", "221112"),
            ("31-33", "31-33", "331110", "341110"),
            ("32", "31-33", "311111", "221112"),
            ("44-45", "44-45", "453000", "461111"),
            ("49", "48-49", "486210", "511111"),
        ] {
            let branch = NaicsBranch::parse(branch).unwrap();
            assert_eq!(branch.to_string(), shown);
            assert!(branch.contains(&NaicsCode::parse(inside).unwrap()), "{shown} {inside}");
            assert!(!branch.contains(&NaicsCode::parse(outside).unwrap()), "{shown} {outside}");
        }
    }

    #[test]
    fn other_texts_are_refused() {
        for text in ["", "2", "1234567", "32x", "31-32", "3-33", "-", "31-33-", "３２"] {
            assert_eq!(NaicsBranch::parse(text), Err(NaicsError), "{text:?}");
        }
    }
}
