//! The value of a field, as JSON writes it.

use std::borrow::Cow;

use rust_decimal::Decimal;
use serde::ser::Error;
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

use crate::{BreakdownPart, ReportingYear};

/// The value of a field.
#[derive(Clone, Debug)]
pub enum FieldValue<'a> {
    /// The source has no value.
    Null,
    /// Text.
    Text(Cow<'a, str>),
    /// A number, written as an exact decimal: a float would round it.
    Number(Decimal),
    /// A reporting year.
    Year(u16),
    /// The rows of a breakdown.
    Parts(&'a [BreakdownPart]),
}

impl Serialize for FieldValue<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Text(text) => serializer.serialize_str(text),
            Self::Number(number) => {
                let raw = RawValue::from_string(number.to_string()).map_err(S::Error::custom)?;
                raw.serialize(serializer)
            }
            Self::Year(year) => serializer.serialize_u16(*year),
            Self::Parts(parts) => serializer.collect_seq(*parts),
        }
    }
}

impl<'a> From<&'a str> for FieldValue<'a> {
    fn from(text: &'a str) -> Self {
        Self::Text(text.into())
    }
}

impl From<String> for FieldValue<'_> {
    fn from(text: String) -> Self {
        Self::Text(text.into())
    }
}

impl From<Decimal> for FieldValue<'_> {
    fn from(number: Decimal) -> Self {
        Self::Number(number)
    }
}

impl From<ReportingYear> for FieldValue<'_> {
    fn from(year: ReportingYear) -> Self {
        Self::Year(year.get())
    }
}

impl<'a> From<&'a [BreakdownPart]> for FieldValue<'a> {
    fn from(parts: &'a [BreakdownPart]) -> Self {
        Self::Parts(parts)
    }
}

impl<'a, T: Into<FieldValue<'a>>> From<Option<T>> for FieldValue<'a> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

/// A text that the source may not have.
pub(super) fn text(text: &Option<String>) -> FieldValue<'_> {
    text.as_deref().into()
}
