//! Everything that clients ask for, over a long time, while one generation follows another.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::corpus::Corpus;
use crate::data::Data;
use crate::mixed_client::MixedClient;
use crate::outcome::ensure;
use crate::process::Usage;
use crate::service::{Service, add_key, wait_for};
use crate::{Experiment, Lab, LabError, Outcome, Tier};

pub(crate) const EXPERIMENT: Experiment = Experiment {
    name: "half an hour of mixed load",
    claim: "every answer is as it should be; after five minutes, resident memory grows by less than \
            1 MB a minute; threads and descriptors are in the end what they were",
    needs: &[],
    run,
};

const KEYS: usize = 5;
const CLIENTS: usize = 12;
/// How often the experiment looks at what the service uses.
const LOOK: Duration = Duration::from_secs(1);
/// The limit on the growth of memory per minute, in bytes.
const GROWTH: f64 = 1e6;
/// The most memory in the quick tier, which is too short to see growth, in bytes.
const MOST: u64 = 400_000_000;

/// How long everything takes.
struct Times {
    /// The time until memory should have stopped growing.
    settling: Duration,
    lasts: Duration,
    between_publishes: Duration,
}

fn run(lab: &Lab, tier: Tier) -> Result<Outcome, LabError> {
    let seconds = Duration::from_secs;
    let (rows, times) = match tier {
        Tier::Quick => {
            let between_publishes = seconds(6);
            (2_000, Times { settling: seconds(5), lasts: seconds(20), between_publishes })
        }
        Tier::Full => {
            let between_publishes = seconds(60);
            (200_000, Times { settling: seconds(300), lasts: seconds(1_800), between_publishes })
        }
    };
    let folder = lab.folder()?;
    let whole = Corpus::write(folder.path(), rows, 1)?;
    let data = Data::new(lab, folder.path(), &whole);
    data.rebuild().map_err(LabError::Setup)?;
    let editions = [data.of(&Corpus::write(folder.path(), rows, 2)?), data];
    let key_file = folder.path().join("keys.json");
    let keys: Result<Vec<String>, _> =
        (0..KEYS).map(|number| add_key(lab, &key_file, &format!("client-{number}"))).collect();
    let keys = keys?;
    let flags = ["--rate-limit", "0", "--keys", &key_file.display().to_string()];
    let mut service = Service::start(lab, editions[0].dir(), &flags)?;

    let mut outcome = Outcome::default();
    // Opening an index starts some threads once; they are there after the first new generation.
    outcome.note("a first publish", publish(&service, &editions[0]));
    let usual = Usage::of(service.id())?;
    let is_over = AtomicBool::new(false);
    let seen = thread::scope(|scope| {
        let (is_over, service) = (&is_over, &service);
        let clients: Vec<_> = (0..CLIENTS)
            .map(|number| {
                let client = MixedClient::new(service.address, number, &keys[number % KEYS]);
                // A key may run two exports at a time.
                let may_export = number < 2 * KEYS;
                scope.spawn(move || client.ask_until(is_over, may_export))
            })
            .collect();
        let (editions, times_of_publisher) = (&editions, &times);
        let publisher = scope.spawn(move || {
            publish_until(is_over, service, editions, times_of_publisher.between_publishes)
        });
        let seen = watch(service, times.lasts);
        is_over.store(true, Ordering::Relaxed);
        for thread in clients.into_iter().chain([publisher]) {
            let done = thread.join();
            outcome.join(done.map_err(|_| LabError::Setup("a client panicked".to_owned()))?);
        }
        seen
    })?;
    judge(&mut outcome, &seen, &times, tier);
    let settled = wait_for(|| {
        let usage = Usage::of(service.id()).ok()?;
        (usage.threads <= usual.threads && usage.descriptors <= usual.descriptors).then_some(())
    });
    outcome.note("threads and descriptors", settled.ok_or_else(|| "they grew".to_owned()));
    outcome.note("the service", service.check_alive());
    Ok(outcome)
}

/// Publishes an edition and waits until it is served.
fn publish(service: &Service, edition: &Data) -> Result<(), String> {
    let version = || Some(service.get("/meta").ok()?.version().to_owned());
    let before = version();
    edition.rebuild()?;
    let taken = wait_for(|| (version() != before).then_some(()));
    taken.ok_or_else(|| "a new generation is not taken over".to_owned())
}

/// Publishes the editions in turn.
fn publish_until(
    is_over: &AtomicBool,
    service: &Service,
    editions: &[Data; 2],
    between: Duration,
) -> Outcome {
    let mut outcome = Outcome::default();
    let mut last = Instant::now();
    for turn in 1.. {
        while last.elapsed() < between && !is_over.load(Ordering::Relaxed) {
            thread::sleep(Duration::from_millis(100));
        }
        if is_over.load(Ordering::Relaxed) {
            break;
        }
        last = Instant::now();
        outcome.count("publishes");
        outcome.note("a publish", publish(service, &editions[turn % editions.len()]));
    }
    outcome
}

/// Looks at what the service uses; returns each usage with the time since the beginning.
fn watch(service: &Service, lasts: Duration) -> Result<Vec<(Duration, Usage)>, LabError> {
    let started = Instant::now();
    let mut seen = Vec::new();
    while started.elapsed() < lasts {
        thread::sleep(LOOK);
        seen.push((started.elapsed(), Usage::of(service.id())?));
    }
    Ok(seen)
}

fn judge(outcome: &mut Outcome, seen: &[(Duration, Usage)], times: &Times, tier: Tier) {
    let settled = seen.iter().filter(|(time, _)| *time >= times.settling);
    let settled: Vec<(f64, f64)> =
        settled.map(|(time, usage)| (time.as_secs_f64() / 60.0, usage.memory as f64)).collect();
    let growth = slope(&settled);
    let most = seen.iter().map(|(_, usage)| usage.memory).max().unwrap_or_default();
    let flat = match tier {
        Tier::Quick => ensure(most < MOST, || format!("{most} bytes")),
        Tier::Full => ensure(growth < GROWTH, || format!("{growth:.0} bytes a minute")),
    };
    outcome.note("memory", flat);
    let at = |share: usize| {
        let usage = seen.get((seen.len() * share / 6).saturating_sub(1)).map(|(_, usage)| usage);
        format!("{:.0}", usage.map_or(0, |usage| usage.memory) as f64 / 1e6)
    };
    let course: Vec<String> = (0..=6).map(at).collect();
    if tier == Tier::Full {
        outcome.figure(format!("{:+.2} MB a minute", growth / 1e6));
    }
    outcome.figure(format!("{} MB, every sixth of the time", course.join(", ")));
    let threads = seen.iter().map(|(_, usage)| usage.threads).max().unwrap_or_default();
    let descriptors = seen.iter().map(|(_, usage)| usage.descriptors).max().unwrap_or_default();
    outcome.figure(format!("at most {threads} threads, {descriptors} descriptors"));
}

/// The slope of the straight line that is nearest to the points, by least squares.
fn slope(points: &[(f64, f64)]) -> f64 {
    let count = points.len() as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / count;
    let (x, y) = (mean(|point| point.0), mean(|point| point.1));
    let covariance: f64 = points.iter().map(|point| (point.0 - x) * (point.1 - y)).sum();
    let variance: f64 = points.iter().map(|point| (point.0 - x).powi(2)).sum();
    if variance > 0.0 { covariance / variance } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::slope;

    #[test]
    fn a_slope_is_that_of_the_nearest_line() {
        let line: Vec<(f64, f64)> =
            (0..9).map(|x| (f64::from(x), 3.0 - 2.0 * f64::from(x))).collect();
        assert!((slope(&line) + 2.0).abs() < 1e-9);
        assert!(slope(&[(0.0, 1.0), (1.0, 5.0), (2.0, 1.0)]).abs() < 1e-9);
        assert_eq!((slope(&[]), slope(&[(1.0, 1.0)])), (0.0, 0.0));
    }
}
