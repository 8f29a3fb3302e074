//! Clients on bad lines, which read their answers slowly, but read all of them.

use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

use socket2::{Domain, Socket, Type};

use crate::client::{PATIENCE, head};
use crate::data::Data;
use crate::outcome::ensure;
use crate::service::Service;
use crate::{Experiment, Lab, LabError, Outcome, Tier};

pub(crate) const EXPERIMENT: Experiment = Experiment {
    name: "slow honest readers",
    claim: "whoever takes 32 KiB of an answer in every 20 s, evenly or in steps, gets all of it",
    needs: &[],
    run,
};

/// The segment size of an ordinary line; segments on loopback are larger than some answers.
const SEGMENT: u32 = 1460;
/// How many bytes the kernel buffers for a client: few, or the usual number.
const BUFFERS: [Option<usize>; 2] = [Some(8 * 1024), None];

/// The pace at which a client reads.
#[derive(Clone, Copy, Debug)]
struct Pace {
    bytes: usize,
    every: Duration,
}

const fn steadily(bytes_per_second: usize) -> Pace {
    Pace { bytes: bytes_per_second / 4, every: Duration::from_millis(250) }
}

const fn in_steps(bytes: usize, seconds: u64) -> Pace {
    Pace { bytes, every: Duration::from_secs(seconds) }
}

/// Clients with these paces were once cut.
const QUICK: &[Pace] = &[steadily(6_000), in_steps(64 * 1024, 10)];
const FULL: &[Pace] = &[
    steadily(2_000),
    steadily(4_000),
    steadily(8_000),
    in_steps(64 * 1024, 10),
    in_steps(40 * 1024, 20),
];

fn run(lab: &Lab, tier: Tier) -> Result<Outcome, LabError> {
    let folder = lab.folder()?;
    let data = Data::published(lab, folder.path(), 2_000)?;
    let mut service = Service::open_to_all(lab, data.dir())?;
    let limit = tier.pick(200, 600);
    let page = format!("/release?limit={limit}");
    // All exports count for one key, which may run two at once.
    let export = format!("/release?format=ndjson&limit={limit}");
    let paces = tier.pick(QUICK, FULL);
    let pages = paces.iter().flat_map(|pace| BUFFERS.map(|buffer| (&page, *pace, buffer)));
    let exports = [paces.first(), paces.last()].into_iter().flatten();
    let exports = exports.map(|pace| (&export, *pace, None));
    let mut outcome = Outcome::default();
    let readers = thread::scope(|scope| {
        let begun = pages.chain(exports).map(|(target, pace, buffer)| {
            let address = service.address;
            let reads = scope.spawn(move || read_slowly(address, target, pace, buffer));
            (format!("`{target}`, {pace:?}, {buffer:?}"), target, reads)
        });
        let begun: Vec<_> = begun.collect();
        let read = begun.into_iter().map(|(name, target, reads)| (name, target, reads.join()));
        read.collect::<Vec<_>>()
    });
    for (name, target, read) in readers {
        let read = read.map_err(|_| LabError::Setup("a client panicked".into()))?;
        let whole = read_at_once(service.address, target);
        let whole = whole.map_err(LabError::io("read an answer"))?;
        let seen = read.map_err(|error| error.to_string()).and_then(|(read, taken)| {
            outcome.figure(format!("{} bytes in {:.0} s", read, taken.as_secs_f64()));
            ensure(read == whole, || format!("{read} of {whole} bytes after {taken:.0?}"))
        });
        outcome.note(name, seen);
    }
    outcome.note("the service", service.check_alive());
    Ok(outcome)
}

/// Reads an answer slowly; returns its bytes until the connection ended, and how long that took.
fn read_slowly(
    address: SocketAddr,
    target: &str,
    pace: Pace,
    buffer: Option<usize>,
) -> io::Result<(usize, Duration)> {
    let socket = Socket::new(Domain::for_address(address), Type::STREAM, None)?;
    socket.set_tcp_mss(SEGMENT)?;
    if let Some(bytes) = buffer {
        socket.set_recv_buffer_size(bytes)?;
    }
    socket.set_read_timeout(Some(PATIENCE))?;
    socket.connect_timeout(&address.into(), PATIENCE)?;
    let mut stream = TcpStream::from(socket);
    stream.write_all(head(target, "connection: close\r\n").as_bytes())?;
    let started = Instant::now();
    let mut read = 0;
    for step in 1_u32.. {
        thread::sleep((pace.every * step).saturating_sub(started.elapsed()));
        // A step may take several reads, because the kernel holds less than a step.
        let taken = io::copy(&mut (&mut stream).take(pace.bytes as u64), &mut io::sink());
        match taken {
            Ok(0) => break,
            Ok(bytes) => read += bytes as usize,
            Err(error) => {
                let after = format!("{error} after {read} bytes and {:.0?}", started.elapsed());
                return Err(io::Error::new(error.kind(), after));
            }
        }
    }
    Ok((read, started.elapsed()))
}

/// The bytes that the same answer has for a client that does not wait.
fn read_at_once(address: SocketAddr, target: &str) -> io::Result<usize> {
    read_slowly(address, target, Pace { bytes: usize::MAX, every: Duration::ZERO }, None)
        .map(|(read, _)| read)
}
