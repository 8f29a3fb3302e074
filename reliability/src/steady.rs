//! The answers of a service, which must not change whatever happens to the cluster behind it.

use std::time::{Duration, Instant};

use crate::LabError;
use crate::client::Client;
use crate::editions::TARGETS;
use crate::outcome::ensure;
use crate::service::{Service, wait_for};

/// The answers to [`TARGETS`] when nothing is wrong.
#[derive(Debug)]
pub(crate) struct Steady {
    answers: Vec<String>,
}

/// How the service reacted to a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Met {
    /// It gave the same answer as before.
    Answered,
    /// It answered 503 with `Retry-After`, after this time.
    Refused(Duration),
}

impl Steady {
    /// Records the answers of a service to which nothing has happened yet.
    pub(crate) fn of(service: &Service) -> Result<Self, LabError> {
        let ask = |target: &&str| {
            let answer = service.get(target).map_err(LabError::Setup)?;
            match answer.status {
                200 => Ok(answer.body),
                _ => Err(LabError::Setup(format!("`{target}`: {}", answer.text()))),
            }
        };
        Ok(Self { answers: TARGETS.iter().map(ask).collect::<Result<_, _>>()? })
    }

    /// Asks for one of the targets.
    ///
    /// # Errors
    /// The response, if it is neither the same answer as before nor a refusal that says when to
    /// come back.
    pub(crate) fn ask(&self, client: &mut Client, number: usize) -> Result<Met, String> {
        let target = number % TARGETS.len();
        let asked = Instant::now();
        let answer = client.get(TARGETS[target]);
        let answer = answer.map_err(|error| format!("`{}`: {error}", TARGETS[target]))?;
        match answer.status {
            200 if answer.body == self.answers[target] => Ok(Met::Answered),
            503 if answer.header("retry-after").is_some() => Ok(Met::Refused(asked.elapsed())),
            _ => Err(format!("`{}`: {}", TARGETS[target], answer.text())),
        }
    }

    /// Checks that every target is answered as before.
    pub(crate) fn check(&self, service: &Service) -> Result<(), String> {
        let mut client = service.client();
        (0..TARGETS.len()).try_for_each(|number| {
            let met = self.ask(&mut client, number)?;
            ensure(met == Met::Answered, || format!("`{}` is refused", TARGETS[number]))
        })
    }

    /// Waits until every target is answered as before.
    pub(crate) fn await_all(&self, service: &Service) -> Result<(), String> {
        let is_over = wait_for(|| self.check(service).ok());
        is_over.map_or_else(|| self.check(service), Ok)
    }
}
