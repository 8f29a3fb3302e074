//! A running `outfall`.

use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, ExitStatus, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::client::{Answer, Client};
use crate::data::said;
use crate::{Lab, LabError};

/// How long an experiment waits for something before it gives up; no claim is measured against it.
const PATIENCE: Duration = Duration::from_secs(60);

/// A service, which is killed on drop.
#[derive(Debug)]
pub(crate) struct Service {
    child: Child,
    /// Its output, kept open so that the service can go on printing.
    _printed: BufReader<ChildStdout>,
    pub(crate) address: SocketAddr,
    log: PathBuf,
}

impl Service {
    /// Serves the data directory `data`, without keys and without a limit of requests.
    pub(crate) fn open_to_all(lab: &Lab, data: &Path) -> Result<Self, LabError> {
        Self::start(lab, data, &["--auth", "off", "--rate-limit", "0"])
    }

    /// Serves the data directory `data` with these flags, logging next to it.
    pub(crate) fn start(lab: &Lab, data: &Path, flags: &[&str]) -> Result<Self, LabError> {
        Self::spawn_logging(&mut command(lab, &[], data, flags), data.with_extension("log"))
    }

    /// Starts a command of [`command`], logging to the file `log`.
    pub(crate) fn spawn_logging(command: &mut Command, log: PathBuf) -> Result<Self, LabError> {
        let file = File::create(&log).map_err(LabError::io("create a log"))?;
        Self::spawn(command, file.into(), log)
    }

    /// Starts a command of [`command`], logging to `errors`, which may lead to the file `log`.
    pub(crate) fn spawn(
        command: &mut Command,
        errors: Stdio,
        log: PathBuf,
    ) -> Result<Self, LabError> {
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(errors);
        let mut child = command.spawn().map_err(LabError::io("start the service"))?;
        let silent = || LabError::Setup("the service ended before it listened".to_owned());
        let mut printed = BufReader::new(child.stdout.take().ok_or_else(silent)?);
        let address = loop {
            let mut line = String::new();
            let read = printed.read_line(&mut line);
            if read.map_err(LabError::io("read what the service prints"))? == 0 {
                return Err(silent());
            }
            let Some((_, rest)) = line.split_once("http://") else { continue };
            let address = rest.split([' ', '\'', '\n']).next().unwrap_or_default();
            if let Ok(address) = address.trim_end_matches('.').parse() {
                break address;
            }
        };
        Ok(Self { child, _printed: printed, address, log })
    }

    /// A client without a key.
    pub(crate) const fn client(&self) -> Client {
        Client::new(self.address)
    }

    /// The answer to a request on a fresh connection.
    pub(crate) fn get(&self, target: &str) -> Result<Answer, String> {
        self.client().get(target).map_err(|error| format!("`{target}` failed: {error}"))
    }

    /// The status that the service reports.
    pub(crate) fn status(&self) -> Option<&'static str> {
        let body = self.get("/health/ready").ok()?.body;
        ["degraded", "ready"].into_iter().find(|status| body.contains(&format!("\"{status}\"")))
    }

    /// The log so far.
    pub(crate) fn log(&self) -> String {
        fs::read_to_string(&self.log).unwrap_or_default()
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Sends a signal by its name.
    pub(crate) fn signal(&self, name: &str) -> Result<(), LabError> {
        let mut kill = Command::new("kill");
        let sent = kill.args(["-s", name, &self.id().to_string()]).status();
        sent.map(drop).map_err(LabError::io("send a signal"))
    }

    /// Waits until the service has ended; `None` if it does not end.
    pub(crate) fn ended(&mut self) -> Option<ExitStatus> {
        wait_for(|| self.child.try_wait().ok().flatten())
    }

    /// Checks that the service is alive and has never panicked.
    pub(crate) fn check_alive(&mut self) -> Result<(), String> {
        if let Ok(Some(status)) = self.child.try_wait() {
            return Err(format!("the service ended: {status}"));
        }
        match self.log().lines().find(|line| line.contains("panicked")) {
            Some(line) => Err(format!("the service panicked: {line}")),
            None => Ok(()),
        }
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        // If the service has ended already, there is nothing left to kill.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// `outfall serve` over a data directory, as [`serve_command`] makes it.
pub(crate) fn command(lab: &Lab, wrapper: &[&str], data: &Path, flags: &[&str]) -> Command {
    let mut command = serve_command(lab, wrapper, &["--data"]);
    command.arg(data).args(flags);
    command
}

/// `outfall serve` on a free port, behind a wrapper, without the caller's `OUTFALL_` variables.
pub(crate) fn serve_command(lab: &Lab, wrapper: &[&str], flags: &[&str]) -> Command {
    let mut words = wrapper.iter().map(AsRef::as_ref).chain([lab.outfall().as_os_str()]);
    let mut command = Command::new(words.next().unwrap_or_default());
    command.args(words).args(["serve", "--listen", "127.0.0.1:0"]).args(flags);
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("OUTFALL_")) {
        command.env_remove(name);
    }
    command
}

/// Makes a key for a client in the file `keys`.
pub(crate) fn add_key(lab: &Lab, keys: &Path, name: &str) -> Result<String, LabError> {
    let output = keys_command(lab, keys, &["add", name])?;
    let printed = String::from_utf8_lossy(&output.stdout);
    let key = printed.lines().last().map(str::to_owned);
    key.ok_or_else(|| LabError::Setup(format!("no key was made: {}", said(&output))))
}

/// Runs `outfall keys` on the file `keys`.
pub(crate) fn keys_command(lab: &Lab, keys: &Path, words: &[&str]) -> Result<Output, LabError> {
    let mut command = Command::new(lab.outfall());
    command.arg("keys").args(words).arg("--keys").arg(keys);
    command.output().map_err(LabError::io("start `outfall keys`"))
}

/// Waits until `look` sees something, long enough even for a slow machine.
pub(crate) fn wait_for<T>(mut look: impl FnMut() -> Option<T>) -> Option<T> {
    let started = Instant::now();
    while started.elapsed() < PATIENCE {
        if let Some(seen) = look() {
            return Some(seen);
        }
        thread::sleep(Duration::from_millis(20));
    }
    None
}
