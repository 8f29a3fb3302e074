//! New generations, while clients send requests without a pause and walk by cursor.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use crate::client::Client;
use crate::cluster::Cluster;
use crate::cluster_data::{ClusterData, Layout};
use crate::corpus::Corpus;
use crate::editions::{Editions, Publish, TARGETS, record_ids};
use crate::outcome::ensure;
use crate::service::{Service, wait_for};
use crate::{Experiment, Lab, LabError, Need, Outcome, Tier};

pub(crate) const EXPERIMENT: Experiment = Experiment {
    name: "republish under load",
    claim: "no request fails, no answer mixes generations, a walk gives each lasting record once",
    needs: &[],
    run,
};

pub(crate) const CLUSTER: Experiment = Experiment {
    name: "cluster: republish under load",
    claim: EXPERIMENT.claim,
    needs: &[Need::Cluster],
    run: run_in_cluster,
};

const ROWS: u64 = 400;

/// The threads that send requests; one more walks.
const CLIENTS: usize = 2;

fn run(lab: &Lab, tier: Tier) -> Result<Outcome, LabError> {
    let folder = lab.folder()?;
    let editions = Editions::publish(lab, folder.path(), ROWS)?;
    under_load(lab, &editions, tier.pick((20_000, 10), (1_000_000, 50)))
}

fn run_in_cluster(lab: &Lab, tier: Tier) -> Result<Outcome, LabError> {
    let (cluster, folder) = (Cluster::open()?, lab.folder()?);
    let corpus = Corpus::write(folder.path(), ROWS, 1)?;
    let layout = Layout { shards: 3, replicas: 1 };
    let whole = ClusterData::new(lab, folder.path(), &cluster, layout, &corpus);
    let earlier = whole.of(&corpus.earlier(folder.path())?);
    let editions = Editions::of(lab, [earlier, whole])?;
    under_load(lab, &editions, tier.pick((400, 3), (20_000, 50)))
}

/// Republishes `republishes` times, while clients send at least `requests` requests.
fn under_load<P: Publish + Sync>(
    lab: &Lab,
    editions: &Editions<P>,
    (requests, republishes): (usize, usize),
) -> Result<Outcome, LabError> {
    let mut service = editions.serve(lab)?;
    let (asked, is_over) = (AtomicUsize::new(0), AtomicBool::new(false));
    let mut outcome = thread::scope(|scope| {
        let (asked, is_over, address) = (&asked, &is_over, service.address);
        let ask = move || ask_until(is_over, Client::new(address), editions, asked);
        let walk = move || walk_until(is_over, Client::new(address), editions);
        let clients: Vec<_> = (0..CLIENTS).map(|_| scope.spawn(ask)).collect();
        let walker = scope.spawn(walk);
        let mut outcome = Outcome::default();
        let mut publish = || {
            for turn in 0..republishes {
                let due = requests * (turn + 1) / (republishes + 1);
                while asked.load(Ordering::Relaxed) < due && !is_over.load(Ordering::Relaxed) {
                    thread::yield_now();
                }
                let published = editions.publish_next(turn)?;
                let taken = wait_for(|| (version(&service)? == published).then_some(()));
                let seen = taken.ok_or_else(|| "it is not taken over".to_owned());
                outcome.note(format!("republish {turn}"), seen);
            }
            while asked.load(Ordering::Relaxed) < requests && !is_over.load(Ordering::Relaxed) {
                thread::yield_now();
            }
            Ok(())
        };
        let published = publish();
        is_over.store(true, Ordering::Relaxed);
        for client in clients.into_iter().chain([walker]) {
            let done = client.join();
            outcome.join(done.map_err(|_| LabError::Setup("a client panicked".to_owned()))?);
        }
        published.map(|()| outcome)
    })?;
    outcome.note("the service", service.check_alive());
    outcome.figure(format!("{} lasting records", editions.lasting.len()));
    Ok(outcome)
}

fn version(service: &Service) -> Option<String> {
    service.get("/release?limit=0").ok().map(|answer| answer.version().to_owned())
}

/// Sends requests until it is over; each answer must be that of its generation, byte for byte.
fn ask_until<P: Publish>(
    is_over: &AtomicBool,
    mut client: Client,
    editions: &Editions<P>,
    asked: &AtomicUsize,
) -> Outcome {
    let mut outcome = Outcome::default();
    while !is_over.load(Ordering::Relaxed) {
        let number = asked.fetch_add(1, Ordering::Relaxed);
        let target = number % TARGETS.len();
        let seen = match client.get(TARGETS[target]) {
            Ok(answer) => {
                let is_whole = editions.is_answer(answer.version(), target, &answer.body);
                ensure(answer.status == 200 && is_whole, || {
                    format!("{} from {}: {}", answer.status, answer.version(), answer.body)
                })
            }
            Err(error) => Err(error.to_string()),
        };
        outcome.count("requests");
        outcome.note(TARGETS[target], seen);
    }
    outcome
}

/// Walks all releases by cursor, again and again.
fn walk_until<P: Publish>(
    is_over: &AtomicBool,
    mut client: Client,
    editions: &Editions<P>,
) -> Outcome {
    let mut outcome = Outcome::default();
    while !is_over.load(Ordering::Relaxed) {
        let seen = walk(&mut client, editions).map(|versions| {
            if versions > 1 {
                outcome.count("walks across generations");
            }
        });
        outcome.note("a walk", seen);
    }
    let crossed = outcome.counted("walks across generations");
    outcome.note("walks", ensure(crossed > 0, || "none met a new generation".to_owned()));
    outcome
}

/// Walks once; returns one more than the number of times the generation changed on the way.
fn walk<P>(client: &mut Client, editions: &Editions<P>) -> Result<usize, String> {
    let mut target = "/release?limit=3".to_owned();
    let mut times: BTreeMap<String, u32> = BTreeMap::new();
    let mut versions: Vec<String> = Vec::new();
    loop {
        let answer = client.get(&target).map_err(|error| error.to_string())?;
        ensure(answer.status == 200, || format!("{}: {}", answer.status, answer.body))?;
        if versions.last().map(String::as_str) != Some(answer.version()) {
            versions.push(answer.version().to_owned());
        }
        let (ids, next) = record_ids(&answer.body);
        ids.into_iter().for_each(|id| *times.entry(id).or_default() += 1);
        let Some(next) = next else { break };
        target = format!("/release?limit=3&cursor={next}");
    }
    let missed = editions.lasting.iter().find(|id| !times.contains_key(*id));
    ensure(missed.is_none(), || format!("{missed:?} was left out"))?;
    let repeated = times.iter().find(|(_, times)| **times > 1);
    ensure(repeated.is_none(), || format!("{repeated:?} times"))?;
    Ok(versions.len())
}
