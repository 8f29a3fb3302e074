//! Parses the bytes of cells into values, by the rules that all four readers share.

use std::borrow::Cow;

use outfall_records::{
    Decimal, NaicsCode, Province, ReportingYear, parse_plain_decimal, parse_source_decimal,
};

use crate::header::Header;
use crate::reject::{Reason, RowFault};
use crate::source::{Encoding, Fields};

/// The cells of one row under a bound header. Only bound columns can be reached, so that the
/// contact columns of the GHGRP are never read.
#[derive(Clone, Copy)]
pub(crate) struct Cells<'row, 'a> {
    pub(crate) header: &'row Header,
    pub(crate) fields: &'row Fields<'a>,
    pub(crate) encoding: Encoding,
}

impl<'row, 'a> Cells<'row, 'a> {
    /// The bytes of a column; empty for one that the file does not have.
    pub(crate) fn bytes(&self, column: usize) -> Cow<'row, [u8]> {
        self.header.place(column).map_or(Cow::Borrowed(&[]), |place| self.fields.get(place))
    }

    /// The text of a column, without outer white space.
    fn raw(&self, column: usize) -> Cow<'row, str> {
        let text = match self.bytes(column) {
            Cow::Borrowed(bytes) => self.encoding.decode(bytes),
            Cow::Owned(bytes) => Cow::Owned(self.encoding.decode(&bytes).into_owned()),
        };
        match text {
            Cow::Borrowed(text) => Cow::Borrowed(text.trim()),
            Cow::Owned(text) => Cow::Owned(text.trim().to_owned()),
        }
    }

    pub(crate) fn fault(&self, column: usize, reason: Reason) -> RowFault {
        RowFault::new(self.header.name(column), &self.raw(column), reason)
    }

    /// A name or title: entities decoded, white space squeezed, `None` when missing.
    pub(crate) fn text(&self, column: usize) -> Option<String> {
        let raw = self.raw(column);
        let text = if is_plain(&raw) { raw.into_owned() } else { squeezed(&raw) };
        (!is_missing(&text)).then_some(text)
    }

    /// An id, a code or a number: no line break or other control character belongs inside.
    pub(crate) fn code(&self, column: usize) -> Result<Option<Cow<'row, str>>, RowFault> {
        let raw = self.raw(column);
        if raw.contains(char::is_control) {
            return Err(self.fault(column, Reason::ControlCharacter));
        }
        Ok((!is_missing(&raw)).then_some(raw))
    }

    pub(crate) fn year(&self, column: usize) -> Result<ReportingYear, RowFault> {
        let text = self.code(column)?.unwrap_or_default();
        ReportingYear::parse(&text).map_err(|_| self.fault(column, Reason::InvalidYear))
    }

    pub(crate) fn province(&self, column: usize) -> Result<Option<Province>, RowFault> {
        let Some(text) = self.text(column) else {
            return Ok(None);
        };
        // Nearly every cell is spelled like this, and comparing is cheaper than taking tokens.
        let has_name = |province: &Province| province.code() == text || province.name_en() == text;
        let plain = Province::ALL.into_iter().find(has_name);
        let province = plain.or_else(|| Province::parse(&text));
        province.map(Some).ok_or_else(|| self.fault(column, Reason::InvalidProvince))
    }

    pub(crate) fn naics(&self, column: usize) -> Result<Option<NaicsCode>, RowFault> {
        let Some(text) = self.code(column)?.filter(|text| text != "0") else {
            return Ok(None);
        };
        let code = NaicsCode::parse(&text);
        code.map(Some).map_err(|_| self.fault(column, Reason::InvalidNaics))
    }

    /// A quantity, a total or a gas: `None` when missing, never negative.
    pub(crate) fn amount(&self, column: usize) -> Result<Option<Decimal>, RowFault> {
        if let Some(amount) = parse_plain_decimal(&self.bytes(column)) {
            return Ok(Some(amount));
        }
        let Some(text) = self.code(column)? else {
            return Ok(None);
        };
        match parse_source_decimal(&text) {
            Ok(amount) if !amount.is_sign_negative() => Ok(Some(amount)),
            _ => Err(self.fault(column, Reason::InvalidNumber)),
        }
    }

    /// As [`Cells::amount`], for a column that no record can be without.
    pub(crate) fn required_amount(&self, column: usize) -> Result<Decimal, RowFault> {
        self.amount(column)?.ok_or_else(|| self.fault(column, Reason::MissingValue))
    }

    /// Degrees; zero means unknown.
    pub(crate) fn coordinate(&self, column: usize, most: i64) -> Result<Option<Decimal>, RowFault> {
        let Some(text) = self.code(column)? else {
            return Ok(None);
        };
        match parse_source_decimal(&text) {
            Ok(degrees) if degrees.is_zero() => Ok(None),
            Ok(degrees) if degrees.abs() <= Decimal::from(most) => Ok(Some(degrees)),
            _ => Err(self.fault(column, Reason::InvalidNumber)),
        }
    }
}

/// A text with its entities decoded and its white space squeezed.
fn squeezed(raw: &str) -> String {
    // Some editions escaped a text that was escaped already.
    let once = html_escape::decode_html_entities(raw);
    let decoded = html_escape::decode_html_entities(&once);
    // Control characters are treated as white space.
    let words = decoded.split(|c: char| c.is_whitespace() || c.is_control());
    words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Whether a trimmed text has nothing that [`squeezed`] changes, as is true of nearly all.
fn is_plain(text: &str) -> bool {
    if text.is_ascii() {
        let bytes = text.as_bytes();
        let is_usual = bytes.iter().all(|byte| matches!(byte, b' '..=b'%' | b'\''..=b'~'));
        return is_usual && !bytes.windows(2).any(|pair| pair == b"  ");
    }
    let mut is_after_space = false;
    text.chars().all(|c| match c {
        ' ' => !std::mem::replace(&mut is_after_space, true),
        '&' => false,
        _ => {
            is_after_space = false;
            !c.is_whitespace() && !c.is_control()
        }
    })
}

/// Whether a text means that there is no value, in the official files or in copies of them.
fn is_missing(text: &str) -> bool {
    ["", "n/a", "na", "(blank)"].iter().any(|missing| text.eq_ignore_ascii_case(missing))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_is_plain_is_not_changed(text in "[a é&;\\t\u{a0}\u{85}]{0,6}|\\PC{0,12}") {
            let text = text.trim();
            prop_assert!(!is_plain(text) || squeezed(text) == text);
        }

        #[test]
        fn usual_texts_are_plain(text in "[a-zé]( ?[0-9,'’-]){0,9}") {
            prop_assert!(is_plain(&text));
        }
    }
}
