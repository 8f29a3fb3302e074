//! Two rebuilds to a cluster at once.

use std::net::SocketAddr;
use std::process::{Child, Output, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use crate::cluster::Cluster;
use crate::cluster_data::{ClusterData, Layout, published};
use crate::corpus::Corpus;
use crate::data::said;
use crate::outcome::ensure;
use crate::proxy::{Fate, Proxy};
use crate::service::wait_for;
use crate::{Experiment, Lab, LabError, Need, Outcome, Tier};

pub(crate) const EXPERIMENT: Experiment = Experiment {
    name: "cluster: two rebuilds at once",
    claim: "one is published and served, the other exits with 75 and leaves nothing",
    needs: &[Need::Cluster],
    run,
};

/// The exit code of a rebuild that was overtaken.
const OVERTAKEN: i32 = 75;

fn run(lab: &Lab, tier: Tier) -> Result<Outcome, LabError> {
    let (cluster, folder) = (Cluster::open()?, lab.folder()?);
    let corpus = Corpus::write(folder.path(), 60, 1)?;
    let node = cluster.nodes()[0];
    let mut outcome = Outcome::default();
    for round in 0..tier.pick(1, 10) {
        let data = ClusterData::new(lab, folder.path(), &cluster, Layout::SMALL, &corpus);
        let case = |what: &str| format!("round {round}: {what}");
        outcome.note(case("the first of all"), switch_together(&data, node)?);
        outcome.note(case("over another"), switch_together(&data, node)?);
        for step in ["/_bulk", "/_refresh", "/_block/write", "/_stats/"] {
            let seen = overtake(&data, node, step)?;
            outcome.note(case(&format!("overtaken at `{step}`")), seen);
        }
        outcome.note(case("recovery"), data.check_recovery());
    }
    Ok(outcome)
}

/// Two rebuilds that ask to be published at the same moment.
fn switch_together(data: &ClusterData, node: SocketAddr) -> Result<Result<(), String>, LabError> {
    let arrived = AtomicUsize::new(0);
    let proxy = Proxy::start(node, move |request| {
        if request.line == "POST /_aliases" {
            arrived.fetch_add(1, Ordering::Relaxed);
            // The other one never arrives if it has failed, which the outcome then shows.
            wait_for(|| (arrived.load(Ordering::Relaxed) > 1).then_some(()));
        }
        Fate::Passes
    })?;
    let data = data.at(&proxy.url());
    let rebuilds = [begin(&data)?, begin(&data)?];
    let [one, other] = rebuilds.map(Child::wait_with_output);
    let ended = LabError::io("wait for a rebuild");
    let outputs = match (one, other) {
        (Ok(one), Ok(other)) => [one, other],
        (Err(error), _) | (_, Err(error)) => return Err(ended(error)),
    };
    Ok(check(&data, &outputs))
}

/// A rebuild that reaches a step, and waits there while another one is published.
fn overtake(
    data: &ClusterData,
    node: SocketAddr,
    step: &'static str,
) -> Result<Result<(), String>, LabError> {
    let (has_come, may_go) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
    let (come, go) = (Arc::clone(&has_come), Arc::clone(&may_go));
    let proxy = Proxy::start(node, move |request| {
        if request.line.contains(step) {
            come.store(true, Ordering::Relaxed);
            wait_for(|| go.load(Ordering::Relaxed).then_some(()));
        }
        Fate::Passes
    })?;
    let slow = begin(&data.at(&proxy.url()))?;
    wait_for(|| has_come.load(Ordering::Relaxed).then_some(()));
    let fast = data.rebuild_command().output();
    may_go.store(true, Ordering::Relaxed);
    let slow = slow.wait_with_output();
    let ended = || LabError::io("wait for a rebuild");
    let outputs = [fast.map_err(ended())?, slow.map_err(ended())?];
    Ok(check(data, &outputs))
}

fn begin(data: &ClusterData) -> Result<Child, LabError> {
    let mut command = data.rebuild_command();
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().map_err(LabError::io("start a rebuild"))
}

/// Checks that one of the two rebuilds was published.
fn check(data: &ClusterData, outputs: &[Output; 2]) -> Result<(), String> {
    let said = || format!("{}; {}", said(&outputs[0]), said(&outputs[1]));
    let winner = outputs.iter().find(|output| output.status.success()).ok_or_else(said)?;
    let loser = outputs.iter().find(|output| output.status.code() == Some(OVERTAKEN));
    ensure(loser.is_some(), said)?;
    let served = data.check_whole()?;
    ensure(published(winner).as_ref() == Some(&served), || format!("{served} is served"))?;
    data.check_clean()
}
