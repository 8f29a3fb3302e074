//! Ten times as many requests as the service can answer.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::data::Data;
use crate::open_loop::{self, Load, p99};
use crate::outcome::ensure;
use crate::service::Service;
use crate::{Experiment, Lab, LabError, Outcome, Tier};

pub(crate) const EXPERIMENT: Experiment = Experiment {
    name: "overload at ten times the capacity",
    claim: "answers are 200, or 503 with `Retry-After`; goodput ≥ 85 % with p99 ≤ 600 ms, refusals \
            within 20 ms and `/health/live` within 50 ms",
    needs: &[],
    run,
};

/// A request with much work and a small answer, because both sides share the machine: it counts and
/// sums nearly everything by every facet, which takes some 20 ms for two million records.
const TARGET: &str = "/release?q=-toronto&value_unit=kg&value_min=0.001&limit=1&facet_limit=1\
                      &facets=province,year,naics_code,substance,medium,facility,company,units";
const OVERLOAD: f64 = 10.0;
/// The number of parts that the load comes in.
const PARTS: u32 = 4;

fn run(lab: &Lab, tier: Tier) -> Result<Outcome, LabError> {
    let (rows, lasts) = tier.pick((2_000, 5), (2_400_000, 60));
    let folder = lab.folder()?;
    let data = Data::published(lab, folder.path(), rows)?;
    let mut service = Service::open_to_all(lab, data.dir())?;
    let a_while = Duration::from_secs(tier.pick(1, 5));
    let part = Duration::from_secs(lasts) / PARTS;
    // A machine that others share is not always equally fast, so the capacity is also measured
    // between the parts of the load.
    let mut capacities = vec![capacity(&service, a_while)];
    let (mut load, mut health) = (Load::default(), Vec::new());
    for before in 0..PARTS as usize {
        let is_over = AtomicBool::new(false);
        let (seen, probed) = thread::scope(|scope| {
            let probe = scope.spawn(|| probe(&service, &is_over));
            let seen =
                open_loop::load(service.address, TARGET, capacities[before] * OVERLOAD, part);
            is_over.store(true, Ordering::Relaxed);
            (seen, probe.join().unwrap_or_default())
        });
        load.add(seen?);
        health.extend(probed);
        capacities.push(capacity(&service, a_while));
    }
    // The capacity during a part is the mean of those measured before and after it.
    let capacity: f64 = capacities.windows(2).map(|ends| f64::midpoint(ends[0], ends[1])).sum();
    let capacity = capacity / f64::from(PARTS);
    let lasts = part * PARTS;
    let mut outcome = Outcome::default();
    for (answer, _) in &load.answers {
        let is_right = match answer.status {
            200 => true,
            503 => answer.header("retry-after").is_some(),
            _ => false,
        };
        outcome.note("an answer", ensure(is_right, || answer.text()));
    }
    for (is_alive, _) in &health {
        outcome.note("`/health/live`", ensure(*is_alive, || "no answer".to_owned()));
    }
    let mut times: Vec<Duration> = health.into_iter().map(|(_, time)| time).collect();
    times.sort_unstable();
    figures(&mut outcome, &load, capacity, lasts, &times, tier);
    let afterwards =
        service.get(TARGET).and_then(|answer| ensure(answer.status == 200, || answer.text()));
    outcome.note("afterwards", afterwards);
    outcome.note("the service", service.check_alive());
    Ok(outcome)
}

/// Reports the figures. Only the full tier holds the service to them, because a busy machine is
/// slow.
fn figures(
    outcome: &mut Outcome,
    load: &Load,
    capacity: f64,
    lasts: Duration,
    health: &[Duration],
    tier: Tier,
) {
    let (answered, refused) = (load.times(200), load.times(503));
    let good = answered.len() as f64 / lasts.as_secs_f64() / capacity;
    let unanswered: u64 = load.unanswered.values().sum();
    let milliseconds = |times: &[Duration]| p99(times).as_millis();
    let (accepted, refusal) = (milliseconds(&answered), milliseconds(&refused));
    let live = milliseconds(health);
    outcome.figure(format!("capacity {capacity:.0}/s, goodput {:.0} %", good * 100.0));
    outcome.figure(format!("p99 {accepted} ms of {} answered", answered.len()));
    outcome.figure(format!("p99 {refusal} ms of {} refused", refused.len()));
    outcome.figure(format!("{unanswered} unanswered, {} held back", load.held_back));
    outcome.figure(format!("`/health/live` p99 {live} ms"));
    if tier == Tier::Full {
        let unanswered = ensure(unanswered == 0, || format!("{:?}", load.unanswered));
        outcome.note("every request is answered", unanswered);
        outcome.note("goodput", ensure(good >= 0.85, || format!("{good:.2}")));
        outcome.note("p99 of what is answered", ensure(accepted <= 600, || accepted.to_string()));
        outcome.note("p99 of refusals", ensure(refusal <= 20, || refusal.to_string()));
        outcome.note("p99 of `/health/live`", ensure(live <= 50, || live.to_string()));
    }
}

/// Answers per second, when each client waits for its answer before it sends the next request.
fn capacity(service: &Service, lasts: Duration) -> f64 {
    let ask = || {
        let (mut client, started, mut answered) = (service.client(), Instant::now(), 0_u32);
        while started.elapsed() < lasts {
            answered += u32::from(client.get(TARGET).is_ok_and(|answer| answer.status == 200));
        }
        answered
    };
    let answered: u32 = thread::scope(|scope| {
        let clients: Vec<_> = (0..4).map(|_| scope.spawn(ask)).collect();
        clients.into_iter().filter_map(|client| client.join().ok()).sum()
    });
    f64::from(answered) / lasts.as_secs_f64()
}

/// Requests `/health/live` until it is over; returns whether and how fast each request was
/// answered.
fn probe(service: &Service, is_over: &AtomicBool) -> Vec<(bool, Duration)> {
    let mut seen = Vec::new();
    while !is_over.load(Ordering::Relaxed) {
        let asked = Instant::now();
        let is_alive = service.get("/health/live").is_ok_and(|answer| answer.status == 200);
        seen.push((is_alive, asked.elapsed()));
        thread::sleep(Duration::from_millis(50));
    }
    seen
}
