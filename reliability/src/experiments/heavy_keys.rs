//! Keys with a lot of heavy work, and one that asks for little.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::client::Client;
use crate::data::Data;
use crate::open_loop::p99;
use crate::outcome::ensure;
use crate::service::{Service, add_key};
use crate::{Experiment, Lab, LabError, Outcome, Tier};

pub(crate) const EXPERIMENT: Experiment = Experiment {
    name: "six heavy keys",
    claim: "99.9 % of the cheap requests of another key are answered, without a limit of requests",
    needs: &[],
    run,
};

const KEYS: usize = 6;
/// The requests that a heavy key has at once.
const AT_ONCE: usize = 16;
/// Counts and sums nearly everything by every facet.
const HEAVY: &str = "/release?q=-toronto&value_unit=kg&value_min=0.001&limit=1&facet_limit=1\
                     &facets=province,year,naics_code,substance,medium,facility,company,units";
const CHEAP: &str = "/release?q=benzene&limit=5";

fn run(lab: &Lab, tier: Tier) -> Result<Outcome, LabError> {
    let (rows, lasts) = tier.pick((2_000, 3), (1_200_000, 60));
    let folder = lab.folder()?;
    let data = Data::published(lab, folder.path(), rows)?;
    let path = folder.path().join("keys.json");
    let names = (0..=KEYS).map(|number| format!("client-{number}"));
    let keys = names.map(|name| add_key(lab, &path, &name)).collect::<Result<Vec<_>, _>>()?;
    let path = path.display().to_string();
    let mut service = Service::start(lab, data.dir(), &["--rate-limit", "0", "--keys", &path])?;
    let lasts = Duration::from_secs(lasts);
    let (is_over, answered, refused) =
        (AtomicBool::new(false), AtomicU64::new(0), AtomicU64::new(0));
    let mut outcome = Outcome::default();
    let (honest, heavy) = keys.split_at(1);
    let seen = thread::scope(|scope| {
        for key in heavy.iter().cycle().take(KEYS * AT_ONCE) {
            let (is_over, answered, refused) = (&is_over, &answered, &refused);
            let address = service.address;
            scope.spawn(move || {
                let mut client = Client::with_key(address, key);
                while !is_over.load(Ordering::Relaxed) {
                    match client.get(HEAVY).map(|answer| answer.status) {
                        Ok(200) => answered.fetch_add(1, Ordering::Relaxed),
                        _ => refused.fetch_add(1, Ordering::Relaxed),
                    };
                }
            });
        }
        let seen = ask_for_little(service.address, &honest[0], lasts);
        is_over.store(true, Ordering::Relaxed);
        seen
    });
    let good = seen.iter().filter(|(status, _)| *status == 200).count();
    let mut times: Vec<Duration> = seen.iter().map(|(_, time)| *time).collect();
    times.sort_unstable();
    let share = good as f64 / seen.len().max(1) as f64;
    outcome.count_more("cheap requests", seen.len() as u64);
    outcome.figure(format!("{:.2} % answered, p99 {} ms", share * 100.0, p99(&times).as_millis()));
    outcome.figure(format!("{} heavy ones answered", answered.into_inner()));
    outcome.figure(format!("{} heavy ones not", refused.into_inner()));
    // A busy machine may keep the service from its work for longer than a request may wait.
    let least = tier.pick(0.95, 0.999);
    outcome.note("cheap requests", ensure(share >= least, || format!("{share:.4} are answered")));
    outcome.note("the service", service.check_alive());
    Ok(outcome)
}

/// Sends cheap requests one after another; returns the status and the time of each.
fn ask_for_little(address: SocketAddr, key: &str, lasts: Duration) -> Vec<(u16, Duration)> {
    let mut client = Client::with_key(address, key);
    let (started, mut seen) = (Instant::now(), Vec::new());
    while started.elapsed() < lasts {
        let asked = Instant::now();
        let status = client.get(CHEAP).map_or(0, |answer| answer.status);
        seen.push((status, asked.elapsed()));
        thread::sleep(Duration::from_millis(10));
    }
    seen
}
