//! A node of a cluster that stops and comes back, while clients search and take files.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use crate::cluster::Cluster;
use crate::cluster_data::{ClusterData, Layout};
use crate::corpus::Corpus;
use crate::outcome::ensure;
use crate::service::Service;
use crate::steady::{Met, Steady};
use crate::{Experiment, Lab, LabError, Need, Outcome, Tier};

pub(crate) const EXPERIMENT: Experiment = Experiment {
    name: "cluster: node stopped during searches and exports",
    claim: "an answer is that of before or 503 with `Retry-After`, never a short one, with a second \
            copy of each part and without; a file is whole or breaks off; all is well once the node \
            is back",
    needs: &[Need::Cluster],
    run,
};

/// Several pages of an export.
const ROWS: u64 = 3_000;
const EXPORT: &str = "/release?format=ndjson";

/// An index, a service over it, and the answers that it must give.
struct Served {
    service: Service,
    steady: Steady,
    file: String,
}

fn run(lab: &Lab, tier: Tier) -> Result<Outcome, LabError> {
    let (cluster, folder) = (Cluster::open()?, lab.folder()?);
    let corpus = Corpus::write(folder.path(), ROWS, 1)?;
    let serve = |replicas| {
        let layout = Layout { shards: 3, replicas };
        let data = ClusterData::new(lab, folder.path(), &cluster, layout, &corpus);
        data.rebuild().map_err(LabError::Setup)?;
        let service = data.serve(lab)?;
        let steady = Steady::of(&service)?;
        let file = service.get(EXPORT).map_err(LabError::Setup)?.body;
        Ok::<_, LabError>((data, Served { service, steady, file }))
    };
    let (_copied_data, mut copied) = serve(1)?;
    let (_single_data, mut single) = serve(0)?;
    let rounds = tier.pick(1, 4 * cluster.nodes().len());
    let is_over = AtomicBool::new(false);
    let mut outcome = thread::scope(|scope| {
        let (is_over, copied, single) = (&is_over, &copied, &single);
        let clients = [
            scope.spawn(move || search_until(is_over, copied, "refused with a second copy")),
            scope.spawn(move || search_until(is_over, single, "refused without a second copy")),
            scope.spawn(move || export_until(is_over, copied)),
        ];
        let mut outcome = Outcome::default();
        let mut stop_each = || {
            for round in 0..rounds {
                let stopped = cluster.stop(round % cluster.nodes().len())?;
                thread::sleep(Duration::from_millis(tier.pick(1_500, 4_000)));
                stopped.end()?;
                for served in [copied, single] {
                    outcome
                        .note(format!("round {round}"), served.steady.await_all(&served.service));
                }
            }
            Ok::<_, LabError>(())
        };
        let stopped = stop_each();
        is_over.store(true, Ordering::Relaxed);
        for client in clients {
            let done = client.join();
            outcome.join(done.map_err(|_| LabError::Setup("a client panicked".to_owned()))?);
        }
        stopped.map(|()| outcome)
    })?;
    let refused = outcome.counted("refused without a second copy");
    outcome.note("a missing part", ensure(refused > 0, || "no search met it".to_owned()));
    for Served { service, .. } in [&mut copied, &mut single] {
        outcome.note("the service", service.check_alive());
    }
    outcome.figure(format!("{rounds} stops"));
    Ok(outcome)
}

/// Searches until it is over.
fn search_until(is_over: &AtomicBool, served: &Served, refused: &'static str) -> Outcome {
    let (mut outcome, mut client) = (Outcome::default(), served.service.client());
    for number in 0.. {
        if is_over.load(Ordering::Relaxed) {
            break;
        }
        let met = served.steady.ask(&mut client, number);
        outcome.count(match met {
            Ok(Met::Refused(_)) => refused,
            Ok(Met::Answered) | Err(_) => "searches answered",
        });
        outcome.note("a search", met.map(drop));
    }
    outcome
}

/// Takes one file after another until it is over.
fn export_until(is_over: &AtomicBool, served: &Served) -> Outcome {
    let mut outcome = Outcome::default();
    while !is_over.load(Ordering::Relaxed) {
        let seen = match served.service.client().get(EXPORT) {
            Ok(answer) if answer.status == 200 => {
                outcome.count("files whole");
                ensure(answer.body == served.file, || "a file differs, and has an end".to_owned())
            }
            Ok(answer) => {
                outcome.count("files refused");
                let is_refusal = answer.status == 503 && answer.header("retry-after").is_some();
                ensure(is_refusal, || answer.text())
            }
            Err(_) => {
                outcome.count("files broken off");
                Ok(())
            }
        };
        outcome.note("a file", seen);
    }
    outcome
}
