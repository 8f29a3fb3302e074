//! The last day of a key.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use time::format_description::well_known::Iso8601;
use time::{Date, OffsetDateTime};

/// The last day, in UTC, on which a key is valid: `YYYY-MM-DD`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Expiry(Date);

/// Why a text is not the last day of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a date such as `2027-12-31`")]
pub struct ExpiryError;

impl Expiry {
    /// Whether the day is over. Expiry is a calendar date (UTC), so this uses the system's clock.
    #[must_use]
    pub fn is_over(self) -> bool {
        OffsetDateTime::now_utc().date() > self.0
    }
}

/// Parses the last day of a new key, which must not be over.
///
/// # Errors
/// The reason why a day is refused.
pub(crate) fn parse_new_expiry(text: &str) -> Result<Expiry, String> {
    let expiry: Expiry = text.parse().map_err(|error: ExpiryError| error.to_string())?;
    match expiry.is_over() {
        true => Err("this day is over, so the key would never work".to_owned()),
        false => Ok(expiry),
    }
}

impl FromStr for Expiry {
    type Err = ExpiryError;

    fn from_str(text: &str) -> Result<Self, ExpiryError> {
        let date = Date::parse(text, &Iso8601::DATE).map_err(|_| ExpiryError)?;
        // ISO 8601 has other forms of a date, which are easily misread.
        if date.to_string() == text { Ok(Self(date)) } else { Err(ExpiryError) }
    }
}

impl TryFrom<String> for Expiry {
    type Error = ExpiryError;

    fn try_from(text: String) -> Result<Self, ExpiryError> {
        text.parse()
    }
}

impl From<Expiry> for String {
    fn from(expiry: Expiry) -> Self {
        expiry.to_string()
    }
}

impl fmt::Display for Expiry {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_is_a_real_date_in_one_form() {
        for (text, is_over) in [
            ("2020-02-29", Some(true)),
            ("9999-12-31", Some(false)),
            ("2021-02-29", None),
            ("20200229", None),
            ("2020-060", None),
            ("2020-2-9", None),
            ("", None),
        ] {
            let expiry = text.parse::<Expiry>().ok();
            assert_eq!(expiry.map(Expiry::is_over), is_over, "{text:?}");
        }
    }
}
