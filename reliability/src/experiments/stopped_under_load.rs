//! A service that is told to stop while clients send requests.

use std::io::{self, BufRead, BufReader, Write};
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::client::{Answer, connect, head};
use crate::data::Data;
use crate::outcome::ensure;
use crate::random::Random;
use crate::service::Service;
use crate::{Experiment, Lab, LabError, Outcome, Tier};

pub(crate) const EXPERIMENT: Experiment = Experiment {
    name: "stopped under load",
    claim: "what the service had begun is answered whole; it exits cleanly, within 12 s",
    needs: &[],
    run,
};

const CLIENTS: usize = 8;
const TARGET: &str = "/release?limit=1000&sort_by=value&value_unit=kg";

fn run(lab: &Lab, tier: Tier) -> Result<Outcome, LabError> {
    let folder = lab.folder()?;
    let data = Data::published(lab, folder.path(), 2_000)?;
    let mut outcome = Outcome::default();
    let mut slowest = Duration::ZERO;
    for round in 0..tier.pick(20, 100) {
        let mut service = Service::open_to_all(lab, data.dir())?;
        let address = service.address;
        let is_stopping = AtomicBool::new(false);
        let mut answered = 0;
        let pause = Duration::from_millis(100 + Random::new(round).below(300));
        thread::scope(|scope| {
            let is_stopping = &is_stopping;
            let clients: Vec<_> = (0..CLIENTS)
                .map(|_| scope.spawn(move || ask_until(is_stopping, address)))
                .collect();
            thread::sleep(pause);
            is_stopping.store(true, Ordering::SeqCst);
            service.signal("TERM")?;
            for client in clients {
                let asked = client.join().unwrap_or_else(|_| Err("the client panicked".to_owned()));
                if let Ok(asked) = asked {
                    answered += asked.answered;
                    outcome.count_more("sent before the signal and closed unread", asked.unread);
                }
                outcome.note(format!("a client in round {round}"), asked.map(drop));
            }
            Ok(())
        })?;
        let told = Instant::now();
        let ended = service.ended();
        slowest = slowest.max(told.elapsed());
        let is_clean = ended.is_some_and(|status| status.success());
        let begun = service.log().matches("answered").count() as u64;
        outcome.count_more("requests", begun);
        let seen = ensure(begun == answered && begun > 0, || format!("{answered} of {begun} came"));
        outcome.note(format!("what was begun in round {round}"), seen);
        outcome.note(format!("exit {round}"), ensure(is_clean, || format!("{ended:?}")));
    }
    let is_soon = tier == Tier::Quick || slowest.as_secs() < 12;
    outcome.note("the time to exit", ensure(is_soon, || format!("{slowest:?}")));
    outcome.figure(format!("exit after {:.1} s at most", slowest.as_secs_f64()));
    Ok(outcome)
}

/// The requests of one client, by their result.
#[derive(Clone, Copy, Debug, Default)]
struct Asked {
    answered: u64,
    unread: u64,
}

/// Sends requests on one connection until the service is told to stop.
fn ask_until(is_stopping: &AtomicBool, address: SocketAddr) -> Result<Asked, String> {
    let stream = connect(address).map_err(|error| format!("connecting: {error}"))?;
    let mut connection = BufReader::new(stream);
    let mut asked = Asked::default();
    loop {
        let sent = connection.get_mut().write_all(head(TARGET, "").as_bytes());
        let was_in_time = !is_stopping.load(Ordering::SeqCst);
        let begun = sent.and_then(|()| has_begun(&mut connection));
        if !begun.unwrap_or(false) {
            // The service closed the connection without reading the request, so it is safe to
            // retry.
            asked.unread = u64::from(was_in_time);
            return Ok(asked);
        }
        let answer = Answer::read(&mut connection);
        let answer = answer.map_err(|error| format!("an answer is cut off: {error}"))?;
        ensure(answer.status == 200, || format!("{}: {}", answer.status, answer.body))?;
        asked.answered += 1;
        if is_stopping.load(Ordering::SeqCst) {
            return Ok(asked);
        }
    }
}

/// Whether an answer begins. A read with a timeout may be interrupted, which is not the end.
fn has_begun(connection: &mut impl BufRead) -> io::Result<bool> {
    loop {
        match connection.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            begun => return begun.map(|begun| !begun.is_empty()),
        }
    }
}
