//! Names and values grouped by parameter, before the values are parsed.

use std::borrow::Cow;

use outfall_records::RecordKind;
use percent_encoding::percent_decode;

use super::advice::{is_of_facilities, nearest};
use super::fault::{ParameterFault, ParameterProblem};
use super::table::{Name, PARAMETERS, Parameter};

/// The maximum length of a value, in Unicode scalar values; `q` and `cursor` have their own limits.
pub(crate) const MAX_PARAMETER_LENGTH: usize = 256;

/// Parameters, each with another that says more about its value.
const COMPANIONS: [(Name, Name); 1] = [(Name::Near, Name::WithinKm)];

/// The parameters of one request, and the problems found so far.
#[derive(Clone, Debug)]
pub struct RawParams {
    given: [Vec<RawValue>; PARAMETERS.len()],
    problems: Vec<ParameterProblem>,
}

/// One `name=value` pair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RawValue {
    /// Its index among the pairs.
    pub(crate) position: usize,
    /// The name as written.
    pub(crate) spelling: String,
    /// The value, decoded and trimmed.
    pub(crate) value: String,
}

impl RawParams {
    /// Groups pairs of names and values by parameter.
    ///
    /// An empty value counts as not given. One that is too long is a problem.
    pub fn from_pairs<'a>(
        pairs: impl IntoIterator<Item = (&'a str, &'a str)>,
        record_kind: RecordKind,
    ) -> Self {
        let pairs = pairs.into_iter().map(|(name, value)| (name.as_bytes(), value.as_bytes()));
        Self::from_bytes(pairs, record_kind)
    }

    /// Decodes a query string, with `&` between pairs and `+` or `%20` for spaces, and groups its
    /// pairs.
    ///
    /// A `%` that does not begin an escape is kept as it is.
    #[must_use]
    pub fn from_query_string(query: &str, record_kind: RecordKind) -> Self {
        let pairs = query.split('&').filter(|pair| !pair.is_empty());
        let pairs = pairs.map(|pair| {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            (decode(name), decode(value))
        });
        Self::from_bytes(pairs, record_kind)
    }

    fn from_bytes(
        pairs: impl Iterator<Item = (impl AsRef<[u8]>, impl AsRef<[u8]>)>,
        record_kind: RecordKind,
    ) -> Self {
        let mut params = Self { given: Default::default(), problems: Vec::new() };
        for (position, (name, value)) in pairs.enumerate() {
            params.take(position, (name.as_ref(), value.as_ref()), record_kind);
        }
        params.refuse_repeats();
        params
    }

    fn take(&mut self, position: usize, (name, value): (&[u8], &[u8]), record_kind: RecordKind) {
        let mut given = RawValue {
            position,
            spelling: String::from_utf8_lossy(name).into_owned(),
            value: String::from_utf8_lossy(value).trim().to_owned(),
        };
        let Some(parameter) = Parameter::named(&given.spelling) else {
            let nearest = nearest(&given.spelling, record_kind);
            let fault = match is_of_facilities(&given.spelling) {
                true => ParameterFault::UnknownFacility,
                false => ParameterFault::Unknown { nearest },
            };
            return self.refuse(&given, fault);
        };
        if given.value.is_empty() {
            return;
        }
        if let Some(operation) =
            parameter.operations.first().filter(|_| !parameter.is_on(record_kind))
        {
            let operation = operation.name();
            return self.refuse(&given, ParameterFault::NotApplicable { operation });
        }
        let is_measured = !matches!(parameter.id, Name::Text | Name::Cursor);
        if std::str::from_utf8(value).is_err() {
            self.refuse(&given, ParameterFault::NotUtf8);
            given.value.clear();
        } else if is_measured && given.value.chars().nth(MAX_PARAMETER_LENGTH).is_some() {
            self.refuse(&given, ParameterFault::TooLong { limit: MAX_PARAMETER_LENGTH });
            given.value.clear();
        }
        self.given[parameter.id as usize].push(given);
    }

    /// Refuses two values under the same spelling; different spellings of a parameter may agree.
    fn refuse_repeats(&mut self) {
        for parameter in PARAMETERS.iter().filter(|parameter| !parameter.is_repeatable) {
            let given = std::mem::take(&mut self.given[parameter.id as usize]);
            let mut first_of_each: Vec<RawValue> = Vec::new();
            for given in given {
                match first_of_each.iter_mut().find(|first| first.spelling == given.spelling) {
                    Some(first) => {
                        first.value.clear();
                        self.refuse(&given, ParameterFault::Repeated);
                    }
                    None => first_of_each.push(given),
                }
            }
            self.given[parameter.id as usize] = first_of_each;
        }
    }

    /// Refuses every value of some parameters.
    pub(crate) fn refuse_all(&mut self, names: &[Name], fault: &ParameterFault) {
        for name in names {
            for given in std::mem::take(&mut self.given[*name as usize]) {
                if !given.value.is_empty() {
                    self.refuse(&given, fault.clone());
                }
            }
        }
    }

    /// The values that are still to be parsed, in the order written.
    pub(crate) fn values(&self, name: Name) -> Vec<RawValue> {
        let given = self.given[name as usize].iter();
        given.filter(|given| !given.value.is_empty()).cloned().collect()
    }

    /// Whether the parameter was given, valid or not.
    pub(crate) fn is_given(&self, name: Name) -> bool {
        !self.given[name as usize].is_empty()
    }

    /// The names of the parameters that were given, valid or not.
    #[must_use]
    pub fn names(&self) -> Vec<&'static str> {
        let given = PARAMETERS.iter().zip(&self.given);
        given.filter(|(_, given)| !given.is_empty()).map(|(parameter, _)| parameter.name).collect()
    }

    /// Notes a problem.
    pub(crate) fn refuse(&mut self, given: &RawValue, fault: ParameterFault) {
        self.problems.push(ParameterProblem {
            position: given.position,
            parameter: given.spelling.clone(),
            value: (!given.value.is_empty()).then(|| given.value.clone()),
            fault,
        });
    }

    /// Whether a problem was found with the parameter called `name` or an alias of it.
    pub(crate) fn is_refused(&self, name: &str) -> bool {
        self.problems.iter().any(|problem| {
            Parameter::named(&problem.parameter).is_some_and(|known| known.name == name)
        })
    }

    /// Every value that was given, in the order of the table, each with parameters that hold only
    /// this value and its companion.
    pub(crate) fn each_alone(&self) -> impl Iterator<Item = (&RawValue, Self)> {
        let given = self.given.iter().enumerate();
        let given = given.flat_map(|(name, values)| values.iter().map(move |value| (name, value)));
        given.filter(|(_, value)| !value.value.is_empty()).map(|(name, value)| {
            let mut alone = Self { given: Default::default(), problems: Vec::new() };
            alone.given[name].push(value.clone());
            for (_, other) in COMPANIONS.iter().filter(|(of, _)| *of as usize == name) {
                alone.given[*other as usize].clone_from(&self.given[*other as usize]);
            }
            (value, alone)
        })
    }

    /// Whether a problem was found.
    pub(crate) const fn has_problems(&self) -> bool {
        !self.problems.is_empty()
    }

    /// Every problem, in the order of the pairs.
    pub(crate) fn into_problems(mut self) -> Vec<ParameterProblem> {
        self.problems.sort_by_key(|problem| problem.position);
        self.problems
    }
}

fn decode(text: &str) -> Cow<'_, [u8]> {
    if text.contains('+') {
        let spaced = text.replace('+', " ");
        return percent_decode(spaced.as_bytes()).collect::<Vec<u8>>().into();
    }
    percent_decode(text.as_bytes()).into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn values(query: &str, name: Name) -> Vec<String> {
        let params = RawParams::from_query_string(query, RecordKind::Release);
        params.values(name).into_iter().map(|given| given.value).collect()
    }

    #[test]
    fn escapes_and_plus_are_decoded() {
        for (query, expected) in [
            ("q=a+b%20c", &["a b c"][..]),
            ("q=a%2Bb", &["a+b"]),
            ("q=100%", &["100%"]),
            ("q=%C3%A9t%C3%A9", &["été"]),
            ("%71=x", &["x"]),
            ("q=a=b", &["a=b"]),
            ("q", &[]),
            ("q=", &[]),
            ("q=+%20+", &[]),
            ("&&q=x&", &["x"]),
            ("q=&q=x", &["x"]),
            ("q=x;limit=3", &["x;limit=3"]),
            ("q=x&q=x", &[]),
            ("", &[]),
        ] {
            assert_eq!(values(query, Name::Text), expected, "{query}");
        }
        assert_eq!(values("province=on&province=qc", Name::Province), ["on", "qc"]);
    }

    #[test]
    fn pairs_are_what_their_query_string_is() {
        let pairs = [("q", "100% a+b & c"), ("province", "Québec"), ("province", "")];
        let params = RawParams::from_pairs(pairs, RecordKind::Release);
        let query = "q=100%25%20a%2Bb+%26+c&province=Qu%C3%A9bec&province=";
        let same = RawParams::from_query_string(query, RecordKind::Release);
        assert_eq!(format!("{params:?}"), format!("{same:?}"));
        assert_eq!(params.values(Name::Text)[0].value, "100% a+b & c");
    }

    proptest! {
        #[test]
        fn any_query_string_is_taken_apart(query in "\\PC{0,200}") {
            for record_kind in RecordKind::ALL {
                RawParams::from_query_string(&query, record_kind).into_problems();
            }
        }
    }
}
