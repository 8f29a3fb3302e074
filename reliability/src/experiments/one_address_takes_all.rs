//! One address that takes every connection and keeps each of them busy.

use std::io::{self, Read, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use crate::client::{Client, connect, head};
use crate::data::Data;
use crate::outcome::ensure;
use crate::service::Service;
use crate::{Experiment, Lab, LabError, Outcome, Tier};

pub(crate) const EXPERIMENT: Experiment = Experiment {
    name: "one address takes every connection",
    claim: "every request from another address is answered, on fresh connections and on kept ones",
    needs: &[],
    run,
};

/// The address of the honest client.
const NEIGHBOUR: IpAddr = IpAddr::V4(Ipv4Addr::new(127, 0, 0, 2));
/// How often each connection shows that it is alive.
const EVERY: Duration = Duration::from_secs(12);

fn run(lab: &Lab, tier: Tier) -> Result<Outcome, LabError> {
    raise_descriptor_limit()?;
    let folder = lab.folder()?;
    let data = Data::published(lab, folder.path(), 2_000)?;
    // A worker can have 1 024 connections.
    let (workers, connections) = tier.pick(("1", 1_150), ("2", 2_300));
    let flags = ["--auth", "off", "--rate-limit", "0", "--workers", workers];
    let mut service = Service::start(lab, data.dir(), &flags)?;
    let address = service.address;
    let (is_over, rounds) = (AtomicBool::new(false), AtomicUsize::new(0));
    let mut outcome = thread::scope(|scope| {
        let greedy = scope.spawn(|| {
            let mut held: Vec<Option<TcpStream>> = Vec::new();
            held.resize_with(connections, || None);
            while !is_over.load(Ordering::Relaxed) {
                go_round(address, &mut held, rounds.load(Ordering::Relaxed) == 0);
                rounds.fetch_add(1, Ordering::Relaxed);
            }
        });
        let outcome = ask_honestly(address, &rounds, tier.pick(2, 5));
        is_over.store(true, Ordering::Relaxed);
        greedy.join().map_err(|_| LabError::Setup("a client panicked".into()))?;
        Ok(outcome)
    })?;
    outcome.figure(format!("{connections} connections from one address"));
    outcome.note("the service", service.check_alive());
    Ok(outcome)
}

/// Shows life on every connection, and reopens those that the service has closed. The first round
/// only opens them, without a pause.
fn go_round(address: SocketAddr, held: &mut [Option<TcpStream>], is_first: bool) {
    let (started, count) = (Instant::now(), held.len() as u32);
    for (place, connection) in (0..).zip(held) {
        if !is_first {
            thread::sleep((EVERY * place / count).saturating_sub(started.elapsed()));
        }
        let is_open = connection.as_mut().is_some_and(|stream| show_life(stream).is_ok());
        if !is_open {
            *connection = connect(address).ok();
            if let Some(stream) = connection {
                // The next round notices if this failed.
                let _ = stream.set_nonblocking(true).and_then(|()| show_life(stream));
            }
        }
    }
}

/// Reads the last answer and sends the next request.
fn show_life(stream: &mut TcpStream) -> io::Result<()> {
    match stream.read(&mut [0; 4096]) {
        Ok(0) => Err(io::ErrorKind::UnexpectedEof.into()),
        Err(error) if error.kind() != io::ErrorKind::WouldBlock => Err(error),
        _ => stream.write_all(head("/health/live", "").as_bytes()),
    }
}

/// Sends requests from another address until `last` rounds are done.
fn ask_honestly(address: SocketAddr, rounds: &AtomicUsize, last: usize) -> Outcome {
    let mut outcome = Outcome::default();
    let mut kept = Client::new(address).from(NEIGHBOUR);
    while rounds.load(Ordering::Relaxed) < last {
        let is_full = rounds.load(Ordering::Relaxed) > 0;
        let mut fresh = Client::new(address).from(NEIGHBOUR);
        for (name, client) in [("fresh", &mut fresh), ("kept", &mut kept)] {
            let asked = client.get("/release?q=air&limit=5").map_err(|error| error.to_string());
            let seen = asked.and_then(|answer| ensure(answer.status == 200, || answer.body));
            outcome.note(format!("a request on a {name} connection"), seen);
            outcome.count(if is_full { "honest requests beside it" } else { "before it" });
        }
        thread::sleep(Duration::from_millis(50));
    }
    outcome
}

/// Raises the limit of descriptors, which is usually too low for this experiment's connections.
fn raise_descriptor_limit() -> Result<(), LabError> {
    let limit = getrlimit(Resource::Nofile);
    let raised = setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, ..limit });
    raised.map_err(|error| LabError::io("raise the limit of descriptors")(error.into()))
}
