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
    let mut all = raw.read_all(name, |text| parse(text, end)).into_iter();
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
fn parse(text: &str, end: End) -> Result<Date, ParameterFault> {
    let (year, month_and_day) = parts(text).ok_or(ParameterFault::NotADate)?;
    let (month, day) = match (month_and_day, end) {
        (Some((month, day)), _) => {
            (Month::try_from(month).map_err(|_| ParameterFault::NoSuchMonth)?, day)
        }
        (None, End::After) => (Month::January, 1),
        (None, End::Before) => (Month::December, 31),
    };
    Date::from_calendar_date(year.into(), month, day)
        .map_err(|_| ParameterFault::NoSuchDay { year, month })
}

/// The year, and the month and the day if they are written.
fn parts(text: &str) -> Option<(u16, Option<(u8, u8)>)> {
    let mut parts = text.split('-');
    let year = digits(parts.next()?, 4)?;
    let Some(month) = parts.next() else { return Some((year, None)) };
    let month = u8::try_from(digits(month, 2)?).ok()?;
    let day = u8::try_from(digits(parts.next()?, 2)?).ok()?;
    parts.next().is_none().then_some((year, Some((month, day))))
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
            let shown = |end| parse(text, end).ok().map(|date| date.to_string());
            assert_eq!(shown(End::After).as_deref(), after, "{text}");
            assert_eq!(shown(End::Before).as_deref(), before, "{text}");
        }
    }

    #[test]
    fn a_date_that_does_not_exist_says_why() {
        let no_day = |year, month| ParameterFault::NoSuchDay { year, month };
        for (text, fault) in [
            ("2021-02-29", no_day(2021, Month::February)),
            ("2024-02-30", no_day(2024, Month::February)),
            ("1900-02-29", no_day(1900, Month::February)),
            ("2021-04-31", no_day(2021, Month::April)),
            ("2021-12-00", no_day(2021, Month::December)),
            ("2021-13-01", ParameterFault::NoSuchMonth),
            ("2021-00-00", ParameterFault::NoSuchMonth),
            ("2021-2-30", ParameterFault::NotADate),
            ("2021-02", ParameterFault::NotADate),
            ("yesterday", ParameterFault::NotADate),
        ] {
            assert_eq!(parse(text, End::After), Err(fault), "{text}");
        }
    }
}
