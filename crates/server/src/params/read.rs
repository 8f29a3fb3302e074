//! The values of single parameters, by their kind.

use outfall_request::Bound;

use super::fault::Fault;
use super::raw::{Given, RawParams};
use super::table::{Name, PARAMETERS, ParameterKind};

/// A value together with what the caller wrote.
#[derive(Clone, Debug)]
pub(crate) struct Read<T> {
    pub(crate) given: Given,
    pub(crate) value: T,
}

impl RawParams {
    /// Every value that `read` takes; what is wrong with the others is noted.
    pub(crate) fn read_all<T>(
        &mut self,
        name: Name,
        read: impl Fn(&str) -> Result<T, Fault>,
    ) -> Vec<Read<T>> {
        let mut all = Vec::new();
        for given in self.values(name) {
            match read(&given.value) {
                Ok(value) => all.push(Read { given, value }),
                Err(fault) => self.refuse(&given, fault),
            }
        }
        all
    }

    /// The value of a parameter that stands at most once under each of its names.
    pub(crate) fn read_one<T>(
        &mut self,
        name: Name,
        read: impl Fn(&str) -> Result<T, Fault>,
    ) -> Option<Read<T>> {
        self.read_all(name, read).into_iter().next()
    }

    /// What the word that was given stands for, in any case.
    pub(crate) fn read_choice<T: Copy>(
        &mut self,
        name: Name,
        choices: &[(&'static str, T)],
    ) -> Option<Read<T>> {
        let known = match PARAMETERS[name as usize].kind {
            ParameterKind::Choice(known) => known,
            _ => &[],
        };
        self.read_one(name, |text| {
            let choice = choices.iter().find(|(word, _)| word.eq_ignore_ascii_case(text));
            choice.map_or(Err(Fault::NotAChoice(known)), |(_, value)| Ok(*value))
        })
    }

    /// A whole number from 0 to the maximum of the table.
    pub(crate) fn read_integer(&mut self, name: Name) -> Option<Read<u32>> {
        let max = match PARAMETERS[name as usize].kind {
            ParameterKind::Integer { max, .. } => max,
            _ => u32::MAX,
        };
        self.read_one(name, |text| match integer(text) {
            Some(number @ 0..) if number <= i64::from(max) => Ok(number as u32),
            Some(0..) if name == Name::Offset => Err(Fault::OffsetTooDeep { max }),
            Some(_) => Err(Fault::IntegerOutOfRange { max }),
            None => Err(Fault::NotAnInteger { max }),
        })
    }

    /// A whole number from 0 on, however large: no index has more records than a `u32` counts.
    pub(crate) fn read_count(&mut self, name: Name) -> Option<Read<u32>> {
        self.read_one(name, |text| match integer(text) {
            Some(number @ 0..) => Ok(u32::try_from(number).unwrap_or(u32::MAX)),
            Some(_) => Err(Fault::NegativeCount),
            None => Err(Fault::NotACount),
        })
    }

    /// A finite number, kept exactly.
    pub(crate) fn read_bound(&mut self, name: Name) -> Option<Read<Bound>> {
        self.read_one(name, |text| Bound::parse(text).map_err(Fault::NotANumber))
    }
}

/// A whole number in digits; one that is too large, or too small, becomes the largest, or smallest.
fn integer(text: &str) -> Option<i64> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let limit = if text.starts_with('-') { i64::MIN } else { i64::MAX };
    Some(text.parse().unwrap_or(limit))
}
