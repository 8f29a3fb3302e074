//! A node of a cluster that stops and comes back, while a rebuild loads.

use std::thread;
use std::time::{Duration, Instant};

use crate::cluster::Cluster;
use crate::cluster_data::{ClusterData, Layout, published};
use crate::corpus::Corpus;
use crate::data::said;
use crate::outcome::ensure;
use crate::random::Random;
use crate::steady::Steady;
use crate::{Experiment, Lab, LabError, Need, Outcome, Tier};

pub(crate) const EXPERIMENT: Experiment = Experiment {
    name: "cluster: node stopped during a load",
    claim: "a whole generation is published once the node is back, or an error is named and nothing \
            published; the next rebuild succeeds and cleans up",
    needs: &[Need::Cluster],
    run,
};

const ROWS: u64 = 3_000;
/// How long the node is away.
const AWAY: Duration = Duration::from_secs(1);

fn run(lab: &Lab, tier: Tier) -> Result<Outcome, LabError> {
    let (cluster, folder) = (Cluster::open()?, lab.folder()?);
    let corpus = Corpus::write(folder.path(), ROWS, 1)?;
    let layout = Layout { shards: 3, replicas: 1 };
    let data = ClusterData::new(lab, folder.path(), &cluster, layout, &corpus);
    data.rebuild().map_err(LabError::Setup)?;
    let started = Instant::now();
    data.rebuild().map_err(LabError::Setup)?;
    let usual = started.elapsed();
    let mut service = data.serve(lab)?;
    let steady = Steady::of(&service)?;
    let mut outcome = Outcome::default();
    for round in 0..tier.pick(1, 12) {
        let before = data.check_whole().map_err(LabError::Setup)?;
        let mut command = data.rebuild_command();
        let rebuild = thread::spawn(move || command.output());
        let share = Random::new(round as u64).below(1_000);
        let pause = usual.mul_f64(share as f64 / 1_000.0);
        thread::sleep(pause);
        let stopped = cluster.stop(round % cluster.nodes().len())?;
        thread::sleep(AWAY);
        stopped.end()?;
        let output = rebuild.join().map_err(|_| LabError::Setup("a rebuild panicked".into()))?;
        let output = output.map_err(LabError::io("start a rebuild"))?;
        let served = data.check_whole();
        let is_published = output.status.success();
        outcome.count(if is_published { "published" } else { "refused" });
        let expected = if is_published { published(&output) } else { Some(before) };
        let seen = served.and_then(|served| {
            ensure(Some(&served) == expected.as_ref(), || {
                format!("{served} is served after {}", said(&output))
            })
        });
        let case = format!("node stopped after {} ms", pause.as_millis());
        outcome.note(&case, seen.and_then(|()| steady.await_all(&service)));
        outcome.note(format!("recovery, {case}"), data.check_recovery());
    }
    outcome.note("the service", service.check_alive());
    Ok(outcome)
}
