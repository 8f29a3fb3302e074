//! Parses the values of single parameters, by type.

use outfall_request::Bound;

use super::fault::ParameterFault;
use super::raw::{RawParams, RawValue};
use super::table::{Name, PARAMETERS, ParameterKind};

/// A value together with what the caller wrote.
#[derive(Clone, Debug)]
pub(crate) struct Parsed<T> {
    pub(crate) given: RawValue,
    pub(crate) value: T,
}

impl RawParams {
    /// Every value that `read` accepts; the others are refused.
    pub(crate) fn read_all<T>(
        &mut self,
        name: Name,
        read: impl Fn(&str) -> Result<T, ParameterFault>,
    ) -> Vec<Parsed<T>> {
        let mut all = Vec::new();
        for given in self.values(name) {
            match read(&given.value) {
                Ok(value) => all.push(Parsed { given, value }),
                Err(fault) => self.refuse(&given, fault),
            }
        }
        all
    }

    /// The value of a parameter that may be given only once.
    pub(crate) fn read_one<T>(
        &mut self,
        name: Name,
        read: impl Fn(&str) -> Result<T, ParameterFault>,
    ) -> Option<Parsed<T>> {
        self.read_all(name, read).into_iter().next()
    }

    /// The value that the given word means, in any letter case.
    pub(crate) fn read_choice<T: Copy>(
        &mut self,
        name: Name,
        choices: &[(&'static str, T)],
    ) -> Option<Parsed<T>> {
        let known = match PARAMETERS[name as usize].kind {
            ParameterKind::Choice(known) => known,
            _ => &[],
        };
        self.read_one(name, |text| {
            let choice = choices.iter().find(|(word, _)| word.eq_ignore_ascii_case(text));
            choice.map_or(Err(ParameterFault::NotAChoice(known)), |(_, value)| Ok(*value))
        })
    }

    /// A whole number from 0 to the maximum in the table.
    pub(crate) fn read_integer(&mut self, name: Name) -> Option<Parsed<u32>> {
        let max = match PARAMETERS[name as usize].kind {
            ParameterKind::Integer { max, .. } => max,
            _ => u32::MAX,
        };
        self.read_one(name, |text| match integer(text) {
            Some(number) => match u32::try_from(number) {
                Ok(number) if number <= max => Ok(number),
                _ if number >= 0 && name == Name::Offset => {
                    Err(ParameterFault::OffsetTooDeep { max })
                }
                _ => Err(ParameterFault::IntegerOutOfRange { max }),
            },
            None => Err(ParameterFault::NotAnInteger { max }),
        })
    }

    /// A whole number from 0 up. One that does not fit becomes `u32::MAX`, because no index has
    /// more records than that.
    pub(crate) fn read_count(&mut self, name: Name) -> Option<Parsed<u32>> {
        self.read_one(name, |text| match integer(text) {
            Some(number @ 0..) => Ok(u32::try_from(number).unwrap_or(u32::MAX)),
            Some(_) => Err(ParameterFault::NegativeCount),
            None => Err(ParameterFault::NotACount),
        })
    }

    /// A finite number, kept exactly.
    pub(crate) fn read_bound(&mut self, name: Name) -> Option<Parsed<Bound>> {
        self.read_one(name, |text| Bound::parse(text).map_err(ParameterFault::NotANumber))
    }
}

/// Parses a whole number. One that does not fit becomes `i64::MAX` or `i64::MIN`.
pub(crate) fn integer(text: &str) -> Option<i64> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let limit = if text.starts_with('-') { i64::MIN } else { i64::MAX };
    Some(text.parse().unwrap_or(limit))
}
