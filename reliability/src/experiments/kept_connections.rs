//! Answers of every size on a kept connection, compared with the same answers on fresh ones.

use std::time::{Duration, Instant};

use crate::client::Client;
use crate::data::Data;
use crate::outcome::ensure;
use crate::service::Service;
use crate::{Experiment, Lab, LabError, Outcome, Tier};

pub(crate) const EXPERIMENT: Experiment = Experiment {
    name: "kept connections",
    claim: "an answer of any size takes at most 1.5 times as long on a kept connection as on a \
            fresh one",
    needs: &[],
    run,
};

/// How many times as long an answer may take on a kept connection as on a fresh one.
const MOST: f64 = 1.5;
/// A service that stalls does so in every attempt; a machine that is busy otherwise does not.
const ATTEMPTS: usize = 5;
/// Answers of one segment up to many.
const TARGETS: [&str; 8] = [
    "/health/live",
    "/release?limit=25",
    "/release?limit=50",
    "/release?limit=100",
    "/release?limit=1000",
    "/release?format=csv&limit=10",
    "/release?format=ndjson&limit=10",
    "/openapi.json",
];

fn run(lab: &Lab, tier: Tier) -> Result<Outcome, LabError> {
    let folder = lab.folder()?;
    let data = Data::published(lab, folder.path(), 2_000)?;
    let mut service = Service::open_to_all(lab, data.dir())?;
    let mut outcome = Outcome::default();
    for target in TARGETS {
        let rounds = tier.pick(50, 500);
        let mut ratio = ratio_of(&service, target, rounds)?;
        for _ in 1..ATTEMPTS {
            if ratio > MOST {
                ratio = ratio_of(&service, target, rounds)?;
            }
        }
        outcome.note(target, ensure(ratio <= MOST, || format!("takes {ratio:.2} times as long")));
        outcome.figure(format!("`{target}` {ratio:.2}"));
    }
    outcome.note("the service", service.check_alive());
    Ok(outcome)
}

/// The median time on one kept connection, divided by the median time on fresh ones.
fn ratio_of(service: &Service, target: &str, rounds: usize) -> Result<f64, LabError> {
    let mut kept = service.client();
    let (mut on_kept, mut on_fresh) = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        on_kept.push(time(&mut kept, target)?);
        on_fresh.push(time(&mut service.client(), target)?);
    }
    Ok(median(on_kept).div_duration_f64(median(on_fresh)))
}

/// How long an answer takes, up to its last byte.
fn time(client: &mut Client, target: &str) -> Result<Duration, LabError> {
    let started = Instant::now();
    let answer = client.get(target).map_err(LabError::io(format!("get `{target}`")))?;
    let taken = started.elapsed();
    match answer.status {
        200 => Ok(taken),
        status => Err(LabError::Setup(format!("`{target}` was answered {status}"))),
    }
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}
