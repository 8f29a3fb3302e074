//! A query string cut into the parameters of the table, their values still text.

use std::borrow::Cow;

use outfall_records::Entity;
use percent_encoding::percent_decode;

use super::fault::{Fault, ParameterProblem};
use super::table::{Name, PARAMETERS, Parameter, nearest};

/// The parameters of one request, and what is wrong with their names, lengths and numbers.
#[derive(Debug)]
pub(crate) struct RawParams {
    given: [Vec<Given>; PARAMETERS.len()],
    problems: Vec<ParameterProblem>,
}

/// One `name=value` that is not empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Given {
    /// Its place in the query string.
    pub(crate) position: usize,
    /// The name as written.
    pub(crate) spelling: String,
    /// The value, decoded and trimmed.
    pub(crate) value: String,
}

impl RawParams {
    /// Decodes a query string: `&` between pairs, `+` and `%20` for spaces.
    ///
    /// A `%` that begins no escape stands for itself. An empty value is as if not given.
    pub(crate) fn from_query_string(query: &str, entity: Entity, max_length: usize) -> Self {
        let mut params = Self { given: Default::default(), problems: Vec::new() };
        let pairs = query.split('&').filter(|pair| !pair.is_empty());
        for (position, pair) in pairs.enumerate() {
            params.take(position, pair, entity, max_length);
        }
        params.refuse_repeats();
        params
    }

    fn take(&mut self, position: usize, pair: &str, entity: Entity, max_length: usize) {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        let (spelling, value) = (decode(name), decode(value));
        let mut given = Given {
            position,
            spelling: String::from_utf8_lossy(&spelling).into_owned(),
            value: String::from_utf8_lossy(&value).trim().to_owned(),
        };
        let Some(parameter) = Parameter::named(&given.spelling) else {
            let nearest = nearest(&given.spelling, entity);
            return self.refuse(&given, Fault::Unknown { nearest });
        };
        if given.value.is_empty() {
            return;
        }
        if let Some(operation) = parameter.operations.first().filter(|_| !parameter.is_on(entity)) {
            let operation = operation.name();
            return self.refuse(&given, Fault::NotApplicable { operation });
        }
        let is_measured = !matches!(parameter.id, Name::Text | Name::Cursor);
        if std::str::from_utf8(&value).is_err() {
            self.refuse(&given, Fault::NotUtf8);
            given.value.clear();
        } else if is_measured && given.value.chars().nth(max_length).is_some() {
            self.refuse(&given, Fault::TooLong { limit: max_length });
            given.value.clear();
        }
        self.given[parameter.id as usize].push(given);
    }

    /// Two values under one spelling are refused; under several spellings they may agree.
    fn refuse_repeats(&mut self) {
        for parameter in PARAMETERS.iter().filter(|parameter| !parameter.is_repeatable) {
            let given = std::mem::take(&mut self.given[parameter.id as usize]);
            let mut first_of_each: Vec<Given> = Vec::new();
            for given in given {
                match first_of_each.iter_mut().find(|first| first.spelling == given.spelling) {
                    Some(first) => {
                        first.value.clear();
                        self.refuse(&given, Fault::Repeated);
                    }
                    None => first_of_each.push(given),
                }
            }
            self.given[parameter.id as usize] = first_of_each;
        }
    }

    /// The values that are still to be understood, in the order written.
    pub(crate) fn values(&self, name: Name) -> Vec<Given> {
        let given = self.given[name as usize].iter();
        given.filter(|given| !given.value.is_empty()).cloned().collect()
    }

    /// Whether the parameter was given at all, understood or not.
    pub(crate) fn is_given(&self, name: Name) -> bool {
        !self.given[name as usize].is_empty()
    }

    /// The names of the parameters given, for the log.
    pub(crate) fn names(&self) -> Vec<&'static str> {
        let given = PARAMETERS.iter().zip(&self.given);
        given.filter(|(_, given)| !given.is_empty()).map(|(parameter, _)| parameter.name).collect()
    }

    /// Notes a problem.
    pub(crate) fn refuse(&mut self, given: &Given, fault: Fault) {
        self.problems.push(ParameterProblem {
            position: given.position,
            parameter: given.spelling.clone(),
            value: (!given.value.is_empty()).then(|| given.value.clone()),
            fault,
        });
    }

    /// Whether something is wrong with the parameter called `name` or with an alias of it.
    pub(crate) fn is_refused(&self, name: &str) -> bool {
        self.problems.iter().any(|problem| {
            Parameter::named(&problem.parameter).is_some_and(|known| known.name == name)
        })
    }

    /// Every problem, in the order of the query string.
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
        let params = RawParams::from_query_string(query, Entity::Release, 256);
        params.values(name).into_iter().map(|it| it.value).collect()
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

    proptest! {
        #[test]
        fn any_query_string_is_taken_apart(query in "\\PC{0,200}") {
            for entity in Entity::ALL {
                RawParams::from_query_string(&query, entity, 256).into_problems();
            }
        }
    }
}
