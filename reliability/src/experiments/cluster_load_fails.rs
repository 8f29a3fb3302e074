//! A rebuild to a cluster, one of whose requests is lost, refused or answered with nonsense.

use std::net::SocketAddr;

use crate::cluster::Cluster;
use crate::cluster_data::{ClusterData, SWITCH, published};
use crate::corpus::Corpus;
use crate::data::said;
use crate::outcome::ensure;
use crate::proxy::{Fate, Proxy, first_of_each_kind};
use crate::steady::Steady;
use crate::{Experiment, Lab, LabError, Need, Outcome, Tier};

pub(crate) const EXPERIMENT: Experiment = Experiment {
    name: "cluster: rebuild with a failing request",
    claim: "an error that is named and nothing published, or a whole generation published; what is \
            served is never lost",
    needs: &[Need::Cluster],
    run,
};

const FAULTS: [Fate; 5] = [
    Fate::Lost { is_obeyed: true },
    Fate::Refused(503),
    Fate::Lost { is_obeyed: false },
    Fate::Garbled,
    Fate::Refused(429),
];
/// The exit codes that name what a cluster did, from `index-build --help`.
const NAMED: [i32; 5] = [66, 69, 70, 75, 78];

/// A fault of one request, in a rebuild that knows one address or two.
struct Case {
    number: usize,
    fault: Fate,
    addresses: usize,
}

fn run(lab: &Lab, tier: Tier) -> Result<Outcome, LabError> {
    let (cluster, folder) = (Cluster::open()?, lab.folder()?);
    let corpus = Corpus::write(folder.path(), 60, 1)?;
    let data = ClusterData::aged(lab, folder.path(), &cluster, &corpus)?;
    let mut service = data.serve(lab)?;
    let steady = Steady::of(&service)?;
    let node = cluster.nodes()[0];

    let lines = data.requests(node)?;
    let mut cases = Vec::new();
    for (place, number) in first_of_each_kind(&lines).into_iter().enumerate() {
        for (at, fault) in FAULTS.into_iter().enumerate() {
            for addresses in [1, 2] {
                let is_drawn = place % 3 == 0 && at == place % FAULTS.len() && addresses == 1;
                let is_switch = lines[number] == SWITCH && addresses == 2;
                if tier == Tier::Full || is_drawn || is_switch {
                    cases.push(Case { number, fault, addresses });
                }
            }
        }
    }
    let mut outcome = Outcome::default();
    for (place, case) in cases.iter().enumerate() {
        let Case { number, fault, addresses } = case;
        let seen = try_case(&data, node, case, &mut outcome)?;
        let name = format!("{fault:?}, request {number} `{}`, {addresses}", lines[*number]);
        outcome.note(&name, seen.and_then(|()| steady.await_all(&service)));
        if tier == Tier::Full && place % 10 == 9 || place + 1 == cases.len() {
            outcome.note(format!("recovery, {name}"), data.check_recovery());
        }
    }
    outcome.note("the service", service.check_alive());
    Ok(outcome)
}

fn try_case(
    data: &ClusterData,
    node: SocketAddr,
    case: &Case,
    outcome: &mut Outcome,
) -> Result<Result<(), String>, LabError> {
    let Case { number, fault, addresses } = *case;
    let before = data.check_whole().map_err(LabError::Setup)?;
    let proxy = Proxy::start(node, move |request| match request.number == number {
        true => fault,
        false => Fate::Passes,
    })?;
    let urls = vec![proxy.url(); addresses].join(",");
    let output = data.at(&urls).rebuild_command().output();
    let output = output.map_err(LabError::io("start a rebuild"))?;
    let is_published = output.status.success();
    outcome.count(if is_published { "published" } else { "refused" });
    let is_named = output.status.code().is_some_and(|code| NAMED.contains(&code));
    let expected = if is_published { published(&output) } else { Some(before) };
    Ok(data.check_whole().and_then(|served| {
        ensure(is_published || is_named, || said(&output))?;
        ensure(Some(&served) == expected.as_ref(), || {
            format!("{served} is served after {}", said(&output))
        })
    }))
}
