//! Requests that come at their own pace, whether or not earlier ones were answered.

use std::collections::BTreeMap;
use std::io;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio::time;

use crate::LabError;
use crate::client::{Answer, head};

/// How often requests that have become due are sent.
const TICK: Duration = Duration::from_millis(5);
/// How long a client waits for an answer.
const PATIENCE: Duration = Duration::from_secs(10);
/// The most connections that one machine can hold open for this.
const MOST_OPEN: usize = 4_000;

/// The requests that were due, and their results.
#[derive(Debug, Default)]
pub(crate) struct Load {
    pub(crate) sent: u64,
    /// Due but not sent, because too many were waiting.
    pub(crate) held_back: u64,
    /// Not answered at all, by kind of error.
    pub(crate) unanswered: BTreeMap<String, u64>,
    /// The heads of answers with their times; bodies would take the memory of both sides.
    pub(crate) answers: Vec<(Answer, Duration)>,
}

/// Sends `rate` requests per second for `duration`, each on its own connection, and waits for the
/// last answer.
pub(crate) fn load(
    address: SocketAddr,
    target: &str,
    rate: f64,
    duration: Duration,
) -> Result<Load, LabError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(LabError::io("start a client"))?;
    runtime.block_on(async {
        let mut load = Load::default();
        let mut open = JoinSet::new();
        let request = head(target, "connection: close\r\n");
        let started = Instant::now();
        let mut ticks = time::interval(TICK);
        while started.elapsed() < duration {
            ticks.tick().await;
            let due = (started.elapsed().as_secs_f64() * rate) as u64;
            while load.sent + load.held_back < due {
                if open.len() >= MOST_OPEN {
                    load.held_back += 1;
                    continue;
                }
                load.sent += 1;
                open.spawn(ask(address, request.clone()));
            }
            while let Some(done) = open.try_join_next() {
                load.note(done.unwrap_or_else(|error| Err(io::Error::other(error))));
            }
        }
        while let Some(done) = open.join_next().await {
            load.note(done.unwrap_or_else(|error| Err(io::Error::other(error))));
        }
        Ok(load)
    })
}

async fn ask(address: SocketAddr, request: String) -> io::Result<(Answer, Duration)> {
    let started = Instant::now();
    let exchange = async {
        let mut stream = TcpStream::connect(address).await?;
        stream.write_all(request.as_bytes()).await?;
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).await?;
        Answer::read(&mut bytes.as_slice())
    };
    let answer = time::timeout(PATIENCE, exchange).await.map_err(io::Error::other)??;
    Ok((answer.without_body(), started.elapsed()))
}

impl Load {
    /// Adds the results of other requests.
    pub(crate) fn add(&mut self, other: Self) {
        self.sent += other.sent;
        self.held_back += other.held_back;
        for (error, count) in other.unanswered {
            *self.unanswered.entry(error).or_default() += count;
        }
        self.answers.extend(other.answers);
    }

    fn note(&mut self, done: io::Result<(Answer, Duration)>) {
        match done {
            Ok(answered) => self.answers.push(answered),
            Err(error) => *self.unanswered.entry(error.to_string()).or_default() += 1,
        }
    }

    /// The times of the answers with this status, shortest first.
    pub(crate) fn times(&self, status: u16) -> Vec<Duration> {
        let answers = self.answers.iter().filter(|(answer, _)| answer.status == status);
        let mut times: Vec<_> = answers.map(|(_, time)| *time).collect();
        times.sort_unstable();
        times
    }
}

/// The 99th percentile of times that are sorted, shortest first.
pub(crate) fn p99(times: &[Duration]) -> Duration {
    times.get(times.len() * 99 / 100).copied().unwrap_or_default()
}
