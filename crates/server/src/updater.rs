//! Brings the index up to date now and then, while it is served.
//!
//! Each update runs in a separate process, `outfall update`: however much it uses and even if it
//! crashes, this process keeps answering requests. The service takes over the index that it
//! publishes like any other.

use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use outfall_portal::last_update;
use parking_lot::{Condvar, Mutex};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::gauge::Gauge;
use serde::Deserialize;

/// The exit code of an update that found another rebuild running.
const BUSY: i32 = 75;
/// After a failure, the next attempt comes after the interval divided by this.
const SOONER: u32 = 8;
/// Up to the interval divided by this is added to each wait, so that many servers do not ask at
/// the same time.
const JITTER: u32 = 10;

/// The data directory to bring up to date, the source, and the interval.
#[derive(Clone, Debug)]
pub(crate) struct UpdatePlan {
    pub(crate) every: Duration,
    pub(crate) data: PathBuf,
    pub(crate) downloads: PathBuf,
    /// The address of the portal.
    pub(crate) portal: String,
}

/// Counts the updates.
#[derive(Clone, Debug, Default)]
pub struct UpdateCounts {
    /// Updates after which the index was up to date, whether or not anything had changed.
    pub(crate) done: Counter,
    pub(crate) failed: Counter,
    /// 1 if the last update failed.
    pub(crate) is_failing: Gauge,
}

/// Keeps the index up to date until dropped, which also stops an update that is still running.
pub(crate) struct Updater {
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    /// Notified when the state changes.
    changed: Condvar,
}

#[derive(Default)]
struct State {
    is_over: bool,
    /// The running update.
    running: Option<Child>,
}

/// The parts of an update's report that are logged.
#[derive(Deserialize)]
struct Report {
    generation: String,
    is_new: bool,
}

/// Why an update failed.
struct Failure {
    /// `None` if the update did not run, was killed, or wrote no valid report.
    exit_code: Option<i32>,
    reason: String,
}

impl Updater {
    /// Starts the updates. The first one runs at once, unless an earlier one succeeded within the
    /// interval.
    ///
    /// # Errors
    /// When no thread can be started, or this program cannot be found.
    pub(crate) fn start(plan: UpdatePlan, counts: UpdateCounts) -> io::Result<Self> {
        // Looked up now, because another version may be installed in its place later.
        let program = std::env::current_exe()?;
        let shared = Arc::new(Shared::default());
        let followed = Arc::clone(&shared);
        let run = move || {
            let mut wait = first_wait(&plan);
            while !followed.is_over_within(wait) {
                wait = match followed.update(&program, &plan) {
                    Ok(report) => {
                        succeeded(&report, &counts);
                        plan.every
                    }
                    Err(_) if followed.is_over_within(Duration::ZERO) => return,
                    Err(failure) => {
                        failed(&failure, &counts);
                        plan.every / SOONER
                    }
                } + jitter(plan.every);
            }
        };
        thread::Builder::new().name("update index".to_owned()).spawn(run)?;
        Ok(Self { shared })
    }
}

impl Drop for Updater {
    fn drop(&mut self) {
        let mut state = self.shared.state.lock();
        state.is_over = true;
        if let Some(running) = &mut state.running {
            // This fails if it has ended, which is fine. A killed build publishes nothing, or a
            // whole index.
            let _ = running.kill();
        }
        self.shared.changed.notify_all();
    }
}

impl Shared {
    /// Waits, and returns whether the updates have been stopped.
    fn is_over_within(&self, wait: Duration) -> bool {
        let mut state = self.state.lock();
        self.changed.wait_while_for(&mut state, |state| !state.is_over, wait);
        state.is_over
    }

    /// Runs an update to its end.
    fn update(&self, program: &Path, plan: &UpdatePlan) -> Result<Report, Failure> {
        let broken = |error: io::Error| Failure { exit_code: None, reason: error.to_string() };
        let mut command = Command::new(program);
        command.args(["update", "--report", "json", "--portal", &plan.portal, "--data"]);
        command.arg(&plan.data).arg("--download-dir").arg(&plan.downloads);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let (out, err) = {
            let mut state = self.state.lock();
            if state.is_over {
                return Err(Failure { exit_code: None, reason: "the service stops".to_owned() });
            }
            let mut child = command.spawn().map_err(broken)?;
            let pipes = (child.stdout.take(), child.stderr.take());
            state.running = Some(child);
            pipes
        };
        let (report, said) = thread::scope(|scope| {
            let said = scope.spawn(|| text_of(err));
            (text_of(out), said.join().unwrap_or_default())
        });
        // Both pipes are closed, so it has ended or is about to.
        let mut running = self.state.lock().running.take();
        let status = match &mut running {
            Some(child) => child.wait().map_err(broken)?,
            None => return Err(broken(io::Error::other("it was not started"))),
        };
        let last_line = || said.lines().last().unwrap_or("it does not say why").to_owned();
        match (status.success(), serde_json::from_str(&report)) {
            (true, Ok(report)) => Ok(report),
            (true, Err(error)) => Err(broken(error.into())),
            (false, _) => Err(Failure { exit_code: status.code(), reason: last_line() }),
        }
    }
}

/// Everything that a pipe delivers until it is closed.
fn text_of(pipe: Option<impl Read>) -> String {
    let mut bytes = Vec::new();
    if let Some(mut pipe) = pipe {
        // Whatever came before an error is kept; the exit code shows whether the update succeeded.
        let _ = pipe.read_to_end(&mut bytes);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn succeeded(report: &Report, counts: &UpdateCounts) {
    counts.done.inc();
    counts.is_failing.set(0);
    let Report { generation, is_new } = report;
    tracing::info!(generation, is_new, "the index is up to date");
}

fn failed(failure: &Failure, counts: &UpdateCounts) {
    let Failure { exit_code, reason } = failure;
    if *exit_code == Some(BUSY) {
        tracing::info!(reason, "the index is not updated now");
        return;
    }
    counts.failed.inc();
    counts.is_failing.set(1);
    tracing::error!(exit_code, reason, "the index was not updated; what is served stays served");
}

/// How long to wait before the first update: until the interval since the last one is over.
fn first_wait(plan: &UpdatePlan) -> Duration {
    let Some(last) = last_update(&plan.downloads) else { return Duration::ZERO };
    // A clock that was set back makes the wait longer, but never longer than the interval.
    let since = last.elapsed().unwrap_or_default();
    plan.every.saturating_sub(since) + jitter(plan.every)
}

/// A random part of the interval.
fn jitter(every: Duration) -> Duration {
    // Without randomness, all servers merely ask at the same time.
    let part = getrandom::u32().map_or(0.0, |random| f64::from(random) / f64::from(u32::MAX));
    (every / JITTER).mul_f64(part)
}
