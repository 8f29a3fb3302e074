//! `issued_after` and `issued_before`: strictly parsed dates. Only the year matters, because a
//! record has no more than that.

use outfall_request::YearRange;
use time::{Date, Month};

use super::fault::ParameterFault;
use super::raw::RawParams;
use super::read::Parsed;
use super::table::Name;

/// Which end of the range a date is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    After,
    Before,
}

/// The range of years in a request, both ends included.
pub(crate) fn years(raw: &mut RawParams) -> YearRange {
    let after = strictest(raw, Name::IssuedAfter, End::After);
    let before = strictest(raw, Name::IssuedBefore, End::Before);
    if let (Some(after), Some(before)) = (&after, &before)
        && after.value > before.value
    {
        let fault = ParameterFault::EmptyRange {
            other: before.given.spelling.clone(),
            other_value: before.given.value.clone(),
        };
        raw.refuse(&after.given, fault);
    }
    let year =
        |read: Option<Parsed<Date>>| read.and_then(|read| u16::try_from(read.value.year()).ok());
    YearRange { from: year(after), to: year(before) }
}

/// The date at one end of the range. All spellings of the parameter must agree on the year; the
/// strictest date counts.
fn strictest(raw: &mut RawParams, name: Name, end: End) -> Option<Parsed<Date>> {
    let mut all =
        raw.read_all(name, |text| parse(text, end).ok_or(ParameterFault::NotADate)).into_iter();
    let mut strictest = all.next()?;
    for other in all {
        if other.value.year() != strictest.value.year() {
            let fault = ParameterFault::SpellingsDiffer { other: strictest.given.spelling.clone() };
            raw.refuse(&other.given, fault);
            continue;
        }
        let is_stricter = match end {
            End::After => other.value > strictest.value,
            End::Before => other.value < strictest.value,
        };
        if is_stricter {
            strictest = other;
        }
    }
    Some(strictest)
}

/// Parses a calendar date, `YYYY-MM-DD`, or a year, `YYYY`, as the first or last day of that year.
fn parse(text: &str, end: End) -> Option<Date> {
    let mut parts = text.split('-');
    let year = i32::from(digits(parts.next()?, 4)?);
    let Some(month) = parts.next() else {
        let (month, day) = match end {
            End::After => (Month::January, 1),
            End::Before => (Month::December, 31),
        };
        return Date::from_calendar_date(year, month, day).ok();
    };
    let month = u8::try_from(digits(month, 2)?).ok()?;
    let day = u8::try_from(digits(parts.next()?, 2)?).ok()?;
    if parts.next().is_some() {
        return None;
    }
    Date::from_calendar_date(year, Month::try_from(month).ok()?, day).ok()
}

pub(super) fn digits(text: &str, length: usize) -> Option<u16> {
    let is_number = text.len() == length && text.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| text.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_strict_and_real() {
        for (text, after, before) in [
            ("2023", Some("2023-01-01"), Some("2023-12-31")),
            ("2024-02-29", Some("2024-02-29"), Some("2024-02-29")),
            ("0000", Some("0000-01-01"), Some("0000-12-31")),
            ("2023-02-29", None, None),
            ("2023-13-01", None, None),
            ("2023-2-3", None, None),
            ("2023-02", None, None),
            ("2023-02-03-", None, None),
            ("2023/02/03", None, None),
            ("2023-02-03T00:00:00", None, None),
            ("+023", None, None),
            ("23", None, None),
            ("２０２３", None, None),
            ("", None, None),
        ] {
            let shown = |end| parse(text, end).map(|date| date.to_string());
            assert_eq!(shown(End::After).as_deref(), after, "{text}");
            assert_eq!(shown(End::Before).as_deref(), before, "{text}");
        }
    }
}
