//! A length of time as people write it: `7d`, `12h`, `30m`, `45s`.

use std::str::FromStr;
use std::time::Duration;

/// The longest interval: longer ones are mistakes.
const LONGEST: Duration = Duration::from_secs(366 * 86_400);

/// An interval of a second or more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interval(pub Duration);

/// Why a text is not an interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("write days, hours, minutes or seconds, from `1s` to `366d`, such as `7d` or `12h`")]
pub struct IntervalError;

impl FromStr for Interval {
    type Err = IntervalError;

    fn from_str(text: &str) -> Result<Self, IntervalError> {
        let units = [("d", 86_400_u64), ("h", 3_600), ("m", 60), ("s", 1)];
        let read = |(unit, seconds)| Some((text.strip_suffix(unit)?, seconds));
        let (number, seconds) = units.into_iter().find_map(read).ok_or(IntervalError)?;
        // `parse` would accept a sign.
        let is_number = number.bytes().all(|byte| byte.is_ascii_digit());
        let number = number.parse::<u64>().ok().filter(|number| is_number && *number > 0);
        let interval = number.and_then(|number| number.checked_mul(seconds));
        let interval = interval.map(Duration::from_secs).filter(|interval| *interval <= LONGEST);
        interval.map(Self).ok_or(IntervalError)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_have_a_number_and_a_unit() {
        for (text, expected) in [
            ("7d", Some(604_800)),
            ("12h", Some(43_200)),
            ("30m", Some(1_800)),
            ("1s", Some(1)),
            ("366d", Some(31_622_400)),
            ("367d", None),
            ("0s", None),
            ("+1d", None),
            ("-1d", None),
            ("1.5d", None),
            ("7", None),
            ("d", None),
            ("7 d", None),
            ("7w", None),
            ("99999999999999999999d", None),
            ("7é", None),
            ("", None),
        ] {
            let found = text.parse::<Interval>().ok().map(|interval| interval.0.as_secs());
            assert_eq!(found, expected, "{text}");
        }
    }
}
