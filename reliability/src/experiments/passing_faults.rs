//! An index that cannot be opened at first, for a reason that passes.

use std::fs;
use std::net::TcpStream;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use crate::client::connect;
use crate::outcome::ensure;
use crate::process::Usage;
use crate::service::{Service, command, wait_for};
use crate::two_indexes::TwoIndexes;
use crate::{Experiment, Lab, LabError, Need, Outcome, Tier};

pub(crate) const EXPERIMENT: Experiment = Experiment {
    name: "passing faults at take-over",
    claim: "the old index answers, the status is degraded, and both end by themselves",
    needs: &[Need::Strace],
    run,
};

pub(crate) const DESCRIPTORS: Experiment = Experiment {
    name: "too few descriptors at take-over",
    claim: "the new index is served once there are some again, and nothing stays degraded",
    needs: &[Need::Prlimit],
    run: run_out_of_descriptors,
};

/// Calls that fail, and their errors.
const FAULTS: [(&str, &str); 6] = [
    (OPEN, "EMFILE"),
    (OPEN, "ENOMEM"),
    ("read", "EIO"),
    (OPEN, "EIO"),
    (OPEN, "ENFILE"),
    (OPEN, "EACCES"),
];
/// The calls that open files; not every architecture has the second one.
const OPEN: &str = "openat,?open";
const FLAGS: [&str; 6] = ["--auth", "off", "--rate-limit", "0", "--workers", "2"];

fn run(lab: &Lab, tier: Tier) -> Result<Outcome, LabError> {
    let folder = lab.folder()?;
    let indexes = TwoIndexes::published(lab, folder.path())?;
    let mut outcome = Outcome::default();
    let mut slowest = Duration::ZERO;
    let new = &indexes.second.generation;
    for file in ["CURRENT", &format!("{new}/manifest.json"), &format!("{new}/release/tables.bin")] {
        for (call, error) in &FAULTS[..tier.pick(3, FAULTS.len())] {
            indexes.data.set_current(&indexes.first.current)?;
            let path = indexes.data.dir().join(file).display().to_string();
            let injection = format!("inject={call}:error={error}");
            let words = ["strace", "-D", "-f", "-P", &path, "-e", "trace=openat,?open,read", "-e"];
            let words = [&words[..], &[&injection, "-o", "/dev/null"]].concat();
            let mut command = command(lab, &words, indexes.data.dir(), &FLAGS);
            let mut service = Service::spawn_logging(&mut command, folder.path().join("log"))?;
            indexes.data.set_current(&indexes.second.current)?;
            let degraded = wait_for(|| (service.status()? == "degraded").then_some(()));
            let seen = degraded.ok_or_else(|| "the fault was not met".to_owned());
            outcome.note(format!("{error} from {call} of {file}"), seen);
            end_faults(&service)?;
            let since = Instant::now();
            let seen = check_taken_over(&mut service, &indexes.second.build_id);
            slowest = slowest.max(since.elapsed());
            outcome.note(format!("recovery from {error} from {call} of {file}"), seen);
        }
    }
    outcome.figure(format!("at most {:.1} s until it was served", slowest.as_secs_f64()));
    Ok(outcome)
}

/// Lets the service go on without strace, which ignores milder signals.
fn end_faults(service: &Service) -> Result<(), LabError> {
    let status = fs::read_to_string(format!("/proc/{}/status", service.id()));
    let status = status.map_err(LabError::io("read who traces the service"))?;
    let tracer = status.lines().find_map(|line| line.strip_prefix("TracerPid:"));
    let ended =
        Command::new("kill").args(["-s", "KILL", tracer.unwrap_or_default().trim()]).status();
    ended.map(drop).map_err(LabError::io("end strace"))
}

fn run_out_of_descriptors(lab: &Lab, tier: Tier) -> Result<Outcome, LabError> {
    let folder = lab.folder()?;
    let indexes = TwoIndexes::published(lab, folder.path())?;
    indexes.data.set_current(&indexes.first.current)?;
    let mut command = command(lab, &["prlimit", "--nofile=80"], indexes.data.dir(), &FLAGS);
    let mut service = Service::spawn_logging(&mut command, folder.path().join("log"))?;
    let mut outcome = Outcome::default();
    let mut slowest = Duration::ZERO;
    for round in 0..tier.pick(4, 30) {
        let next = if round % 2 == 0 { &indexes.second } else { &indexes.first };
        let held = exhaust(&service, 80);
        indexes.data.set_current(&next.current)?;
        // Long enough for the service to look at it in the meantime.
        thread::sleep(Duration::from_millis(2500));
        drop(held);
        let since = Instant::now();
        let seen = check_taken_over(&mut service, &next.build_id);
        slowest = slowest.max(since.elapsed());
        outcome.note(format!("round {round}"), seen);
    }
    let met = service.log().matches("trying again").count();
    outcome.figure(format!("the lack was met {met} times"));
    outcome.figure(format!("at most {:.1} s until it was served", slowest.as_secs_f64()));
    Ok(outcome)
}

/// Opens connections until the service has no descriptor left.
fn exhaust(service: &Service, limit: usize) -> Vec<TcpStream> {
    let mut held = Vec::new();
    wait_for(|| {
        held.extend((0..40).filter_map(|_| connect(service.address).ok()));
        let used = Usage::of(service.id()).ok()?.descriptors;
        (used + 1 >= limit || held.len() > 4 * limit).then_some(())
    });
    held
}

/// Checks that this index answers, the status is ready and nothing panicked.
fn check_taken_over(service: &mut Service, build_id: &str) -> Result<(), String> {
    let wanted = format!("\"build_id\":\"{build_id}\"");
    let is_served = |service: &Service| {
        let ready = service.get("/health/ready").ok()?.body;
        (ready.contains("\"ready\"") && ready.contains(&wanted)).then_some(())
    };
    let served = wait_for(|| is_served(service));
    ensure(served.is_some(), || {
        let ready = service.get("/health/ready").map(|answer| answer.body);
        format!("it is not served: {ready:?}")
    })?;
    service.check_alive()
}
