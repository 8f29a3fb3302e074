//! A service that may open only a few descriptors, and gets more connections than that.

use std::io::ErrorKind;
use std::net::TcpStream;
use std::thread;
use std::time::Duration;

use crate::client::connect;
use crate::data::Data;
use crate::outcome::ensure;
use crate::process::Usage;
use crate::service::{Service, command, wait_for};
use crate::{Experiment, Lab, LabError, Need, Outcome, Tier};

pub(crate) const EXPERIMENT: Experiment = Experiment {
    name: "descriptors run out",
    claim: "the service lives, answers as soon as there are some again, and keeps none",
    needs: &[Need::Prlimit],
    run,
};

const LIMIT: &str = "--nofile=80";

fn run(lab: &Lab, tier: Tier) -> Result<Outcome, LabError> {
    let folder = lab.folder()?;
    let data = Data::published(lab, folder.path(), 60)?;
    let flags = ["--auth", "off", "--rate-limit", "0", "--workers", "2"];
    let mut command = command(lab, &["prlimit", LIMIT], data.dir(), &flags);
    let mut service = Service::spawn_logging(&mut command, folder.path().join("log"))?;
    let is_answered = |service: &Service| {
        let answered =
            wait_for(|| service.get("/release").ok().filter(|answer| answer.status == 200));
        ensure(answered.is_some(), || "it does not answer".to_owned())
    };
    let mut outcome = Outcome::default();
    outcome.note("before", is_answered(&service));
    let usual = Usage::of(service.id())?;
    let mut most_spent = Duration::ZERO;
    for round in 0..tier.pick(3, 30) {
        let held: Vec<TcpStream> = (0..160).filter_map(|_| connect(service.address).ok()).collect();
        let full = wait_for(|| {
            let usage = Usage::of(service.id()).ok()?;
            // Connections that get no second descriptor are closed at once, so the last descriptors
            // are usually free again when this counts them.
            (usage.descriptors >= 75 || held.iter().any(is_refused)).then_some(())
        });
        outcome.note("exhaustion", full.ok_or_else(|| "it was not reached".to_owned()));
        let before = Usage::of(service.id())?.processor_time;
        thread::sleep(Duration::from_secs(1));
        let spent = Usage::of(service.id())?.processor_time.saturating_sub(before);
        most_spent = most_spent.max(spent);
        outcome.note("alive", service.check_alive());
        drop(held);
        outcome.note(format!("recovery {round}"), is_answered(&service));
    }
    outcome
        .figure(format!("at most {} ms of processor in a second without", most_spent.as_millis()));
    let freed = wait_for(|| {
        let usage = Usage::of(service.id()).ok()?;
        (usage.descriptors <= usual.descriptors + 1).then_some(())
    });
    outcome.note("descriptors", freed.ok_or_else(|| "some are kept".to_owned()));
    Ok(outcome)
}

/// Whether the service closed the connection without an answer; one that sends nothing for too long
/// gets a 408 first.
fn is_refused(stream: &TcpStream) -> bool {
    if stream.set_nonblocking(true).is_err() {
        return false;
    }
    match stream.peek(&mut [0]) {
        Ok(read) => read == 0,
        Err(error) => error.kind() != ErrorKind::WouldBlock,
    }
}
