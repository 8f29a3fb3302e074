//! A rebuild to a cluster that is killed at each of the requests that it sends.

use std::net::SocketAddr;
use std::process::{Child, Stdio};

use crate::cluster::Cluster;
use crate::cluster_data::{ClusterData, SWITCH};
use crate::corpus::Corpus;
use crate::outcome::ensure;
use crate::proxy::{Fate, Proxy, first_of_each_kind};
use crate::service::wait_for;
use crate::steady::Steady;
use crate::{Experiment, Lab, LabError, Need, Outcome, Tier};

pub(crate) const EXPERIMENT: Experiment = Experiment {
    name: "cluster: rebuild killed at a request",
    claim: "a whole generation is served, with the answers of before; the next rebuild succeeds and \
            cleans up",
    needs: &[Need::Cluster],
    run,
};

fn run(lab: &Lab, tier: Tier) -> Result<Outcome, LabError> {
    let (cluster, folder) = (Cluster::open()?, lab.folder()?);
    let corpus = Corpus::write(folder.path(), 60, 1)?;
    let data = ClusterData::aged(lab, folder.path(), &cluster, &corpus)?;
    let mut service = data.serve(lab)?;
    let steady = Steady::of(&service)?;
    let node = cluster.nodes()[0];

    let lines = data.requests(node)?;
    let targets = match tier {
        Tier::Quick => first_of_each_kind(&lines),
        Tier::Full => (0..lines.len()).collect(),
    };
    let mut cases = Vec::new();
    for (place, number) in targets.into_iter().enumerate() {
        // Once before the cluster obeys, and once after.
        for (at, is_obeyed) in [false, true].into_iter().enumerate() {
            let is_drawn = place % 4 == 2 * at;
            if tier == Tier::Full || is_drawn || lines[number] == SWITCH {
                cases.push((number, is_obeyed));
            }
        }
    }
    let mut outcome = Outcome::default();
    for (place, (number, is_obeyed)) in cases.iter().enumerate() {
        let when = if *is_obeyed { "after" } else { "before" };
        let case = format!("killed {when} request {number}, `{}`", lines[*number]);
        let killed = kill_at(&data, node, *number, *is_obeyed)?;
        let seen = killed.and_then(|()| data.check_whole());
        let seen = seen.and_then(|_| steady.await_all(&service));
        outcome.note(&case, seen);
        if tier == Tier::Full || place % 5 == 4 || place + 1 == cases.len() {
            outcome.note(format!("recovery, {case}"), data.check_recovery());
        }
    }
    outcome.note("the service", service.check_alive());
    outcome.figure(format!("{} requests of a rebuild; {} kills", lines.len(), cases.len()));
    Ok(outcome)
}

/// Kills a rebuild that waits for the answer to a request.
fn kill_at(
    data: &ClusterData,
    node: SocketAddr,
    number: usize,
    is_obeyed: bool,
) -> Result<Result<(), String>, LabError> {
    let proxy = Proxy::start(node, move |request| match request.number == number {
        true => Fate::Held { is_obeyed },
        false => Fate::Passes,
    })?;
    let mut command = data.at(&proxy.url()).rebuild_command();
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let mut rebuild = command.spawn().map_err(LabError::io("start a rebuild"))?;
    let held = wait_for(|| (proxy.held() > 0 || is_ended(&mut rebuild)).then_some(()));
    let killed = rebuild.kill().and_then(|()| rebuild.wait());
    killed.map_err(LabError::io("kill a rebuild"))?;
    let is_held = held.is_some() && proxy.held() > 0;
    Ok(ensure(is_held, || "it never came to that request".to_owned()))
}

fn is_ended(rebuild: &mut Child) -> bool {
    !matches!(rebuild.try_wait(), Ok(None))
}
