//! A cluster that is silent, busy, refuses the service or talks nonsense.

use std::process::Stdio;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use crate::cluster::Cluster;
use crate::cluster_data::{ClusterData, Layout};
use crate::corpus::Corpus;
use crate::editions::TARGETS;
use crate::outcome::ensure;
use crate::proxy::{Fate, Proxy};
use crate::service::{Service, wait_for};
use crate::steady::{Met, Steady};
use crate::{Experiment, Lab, LabError, Need, Outcome, Tier};

pub(crate) const EXPERIMENT: Experiment = Experiment {
    name: "cluster: silent, busy, refusing or talking nonsense",
    claim: "searches are answered with 503 and `Retry-After` within 2.5 s, nonsense with 500; \
            `/health/live` is as fast as ever, `/health/ready` reports it, and all is well once the \
            cluster is; a service that starts meanwhile becomes ready by itself",
    needs: &[Need::Cluster],
    run,
};

/// What happens to every request to the cluster, and the status that searches then have.
const FAULTS: [(Fate, u16); 6] = [
    (Fate::Held { is_obeyed: false }, 503),
    (Fate::Refused(429), 503),
    (Fate::Refused(401), 503),
    (Fate::Lost { is_obeyed: true }, 503),
    (Fate::Refused(502), 503),
    (Fate::Garbled, 500),
];
/// The deadline of a search, and time for a machine that others share.
const WITHIN: Duration = Duration::from_millis(2_500);
/// Searches at once.
const CLIENTS: usize = 8;
/// The exit code of a rebuild whose user the cluster does not know.
const REFUSED: i32 = 78;

fn run(lab: &Lab, tier: Tier) -> Result<Outcome, LabError> {
    let (cluster, folder) = (Cluster::open()?, lab.folder()?);
    let corpus = Corpus::write(folder.path(), 60, 1)?;
    let data = ClusterData::new(lab, folder.path(), &cluster, Layout::SMALL, &corpus);
    data.rebuild().map_err(LabError::Setup)?;
    let fate = Arc::new(Mutex::new(Fate::Passes));
    let of_proxy = Arc::clone(&fate);
    let proxy = Proxy::start(cluster.nodes()[0], move |_| {
        of_proxy.lock().map_or(Fate::Passes, |fate| *fate)
    })?;
    let becomes = |new| {
        if let Ok(mut fate) = fate.lock() {
            *fate = new;
        }
    };
    let behind = data.at(&proxy.url());
    let mut service = behind.serve(lab)?;
    let steady = Steady::of(&service)?;
    let (mut outcome, mut slowest) = (Outcome::default(), Duration::ZERO);
    for (fault, status) in &FAULTS[..tier.pick(3, FAULTS.len())] {
        becomes(*fault);
        for _ in 0..tier.pick(1, 5) {
            let seen = ask_all(&service, *status, &steady);
            slowest = slowest.max(seen.clone().unwrap_or_default());
            outcome.note(format!("{fault:?}"), seen.map(drop));
        }
        let told = wait_for(|| (service.status()? == "degraded").then_some(()));
        outcome.note(format!("{fault:?}, `/health/ready`"), told.ok_or("it is ready".to_owned()));
        outcome.note(format!("{fault:?}, a service that starts"), start(lab, &behind, becomes));
        becomes(Fate::Passes);
        outcome.note(format!("after {fault:?}"), steady.await_all(&service));
        let told = wait_for(|| (service.status()? == "ready").then_some(()));
        outcome.note(format!("after {fault:?}"), told.ok_or("it is degraded".to_owned()));
    }
    becomes(Fate::Refused(401));
    let output = behind.rebuild_command().stdin(Stdio::null()).output();
    let code = output.map_err(LabError::io("start a rebuild"))?.status.code();
    outcome.note(
        "a rebuild without a good password",
        ensure(code == Some(REFUSED), || format!("it exits with {code:?}")),
    );
    outcome.note("the service", service.check_alive());
    outcome.figure(format!("at most {:.1} s until a refusal", slowest.as_secs_f64()));
    Ok(outcome)
}

/// Sends several searches at once, and checks that the service is alive; returns how long the
/// slowest search took.
fn ask_all(service: &Service, status: u16, steady: &Steady) -> Result<Duration, String> {
    thread::scope(|scope| {
        let search = |number: usize| {
            let (mut client, asked) = (service.client(), Instant::now());
            if status == 503 {
                return match steady.ask(&mut client, number)? {
                    Met::Refused(after) => Ok(after),
                    Met::Answered => Err("it is answered".to_owned()),
                };
            }
            let answer = client.get(TARGETS[number % TARGETS.len()]);
            let answer = answer.map_err(|error| error.to_string())?;
            ensure(answer.status == status, || answer.text()).map(|()| asked.elapsed())
        };
        let searches: Vec<_> =
            (0..CLIENTS).map(|number| scope.spawn(move || search(number))).collect();
        let asked = Instant::now();
        let live = service.get("/health/live")?;
        let took = asked.elapsed();
        ensure(live.status == 200 && took < Duration::from_millis(500), || {
            format!("`/health/live`: {} after {took:?}", live.status)
        })?;
        let mut slowest = Duration::ZERO;
        for search in searches {
            let took = search.join().map_err(|_| "a client panicked".to_owned())??;
            slowest = slowest.max(took);
        }
        ensure(slowest < WITHIN, || format!("a refusal took {slowest:?}")).map(|()| slowest)
    })
}

/// Starts a service that has never seen the cluster; then the cluster recovers.
fn start(lab: &Lab, data: &ClusterData, becomes: impl Fn(Fate)) -> Result<(), String> {
    let mut service = data.start(lab).map_err(|error| error.to_string())?;
    for target in ["/health/ready", TARGETS[0]] {
        let answer = service.get(target)?;
        let is_refusal = answer.status == 503 && answer.header("retry-after").is_some();
        ensure(is_refusal, || format!("`{target}`: {}", answer.text()))?;
    }
    let live = service.get("/health/live")?.status;
    ensure(live == 200, || format!("`/health/live`: {live}"))?;
    becomes(Fate::Passes);
    let ready = wait_for(|| (service.status()? == "ready").then_some(()));
    ensure(ready.is_some(), || "it does not become ready".to_owned())?;
    service.check_alive()
}
