//! The real binary as an operator runs it.

#![allow(dead_code, reason = "each test file uses its own part")]
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on fails")]

pub(crate) mod key_file;

use outfall_query::Staging;
use outfall_request::RecordSink;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// How long a test waits for something before it fails; no test measures it.
const PATIENCE: Duration = Duration::from_secs(60);

/// A running `outfall`, which is killed on drop.
pub(crate) struct Service {
    child: Child,
    /// Everything that it printed, up to the last line of its welcome.
    pub(crate) printed: String,
    pub(crate) base: String,
}

/// `outfall` with these arguments, in the folder `dir`, without the caller's `OUTFALL_` variables.
pub(crate) fn outfall(dir: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_outfall"));
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("OUTFALL_")) {
        command.env_remove(name);
    }
    command.current_dir(dir).args(arguments);
    command
}

/// Runs `outfall` to its end.
pub(crate) fn run(dir: &Path, arguments: &[&str]) -> Output {
    outfall(dir, arguments).output().unwrap()
}

/// Adds a client's key, and returns it.
pub(crate) fn add_key(dir: &Path, name: &str) -> String {
    let output = run(dir, &["keys", "add", name, "--keys", "keys.json"]);
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap().lines().last().unwrap().to_owned()
}

/// Publishes a small corpus drawn from `seed` in `data` below `dir`.
pub(crate) fn publish(dir: &Path, seed: u64) -> outfall_indexer::BuildReport {
    publish_to(Staging::begin(&dir.join("data")).unwrap(), seed)
}

/// Publishes that corpus to any engine.
pub(crate) fn publish_to<S>(sink: S, seed: u64) -> outfall_indexer::BuildReport
where
    S: RecordSink<Error: std::fmt::Debug + Send> + Send,
{
    let corpus = tempfile::tempdir().unwrap();
    let shape = outfall_fixtures::Shape::sized(400, seed);
    outfall_fixtures::write_corpus(corpus.path(), &shape).unwrap();
    let files =
        [outfall_fixtures::RELEASES, outfall_fixtures::GHGRP].map(|file| corpus.path().join(file));
    publish_files(sink, files)
}

/// Publishes files to any engine.
pub(crate) fn publish_files<S>(
    sink: S,
    files: impl IntoIterator<Item = PathBuf>,
) -> outfall_indexer::BuildReport
where
    S: RecordSink<Error: std::fmt::Debug + Send> + Send,
{
    // The corpora are so small that one may lack a year that another has.
    let options = outfall_indexer::BuildOptions {
        allow_shrink: true,
        ..outfall_indexer::BuildOptions::of_files(files)
    };
    outfall_indexer::build(&options, sink, &outfall_indexer::Silent).unwrap()
}

impl Service {
    /// Starts `outfall` and waits until it says where it listens.
    pub(crate) fn start(dir: &Path, arguments: &[&str]) -> Self {
        let mut command = outfall(dir, arguments);
        command.stderr(Stdio::null());
        Self::spawn(command)
    }

    /// Starts a command as it is, and waits until it says where it listens.
    pub(crate) fn spawn(mut command: Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut printed = String::new();
        let base = loop {
            let line = lines.next().expect("it ended before it listened").unwrap();
            printed += &line;
            printed.push('\n');
            let Some((_, rest)) = line.split_once("http://") else { continue };
            let address = rest.split([' ', '\'']).next().unwrap().trim_end_matches(['.', '/']);
            break format!("http://{address}");
        };
        // A start without `--data` prints more.
        let mut is_whole = printed.trim_end().ends_with(&base);
        while !is_whole {
            let line = lines.next().expect("it ended while it spoke").unwrap();
            is_whole = line.contains("Ctrl-C");
            printed += &line;
            printed.push('\n');
        }
        Self { child, printed, base }
    }

    /// The status and the body of an answer.
    pub(crate) fn get(&self, target: &str, key: &str) -> (u16, String) {
        self.send(target, key, &[])
    }

    /// The same, with more headers.
    pub(crate) fn send(&self, target: &str, key: &str, headers: &[(&str, &str)]) -> (u16, String) {
        let agent = ureq::Agent::config_builder().http_status_as_error(false).build().new_agent();
        let request = agent.get(format!("{}{target}", self.base));
        let request = request.header("x-gateway-key", key).header("x-gateway-host", "localhost");
        let add = |request: ureq::RequestBuilder<_>, (name, value): &(&str, &str)| {
            request.header(*name, *value)
        };
        let mut response = headers.iter().fold(request, add).call().unwrap();
        let body = response.body_mut().read_to_string().unwrap();
        (response.status().as_u16(), body)
    }

    /// Sends bytes that need not be a request, on a fresh connection; returns all that comes back.
    pub(crate) fn send_raw(&self, bytes: &[u8]) -> String {
        let mut stream = TcpStream::connect(self.base.strip_prefix("http://").unwrap()).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.write_all(bytes).unwrap();
        let mut answer = Vec::new();
        // Bytes that arrived before the connection was reset count.
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }

    /// A header of an answer to a request without a key.
    pub(crate) fn header(&self, target: &str, name: &str) -> Option<String> {
        let response = ureq::get(format!("{}{target}", self.base)).call().unwrap();
        response.headers().get(name).map(|value| value.to_str().unwrap().to_owned())
    }

    /// The body of an answer, as it arrives.
    pub(crate) fn stream(&self, target: &str) -> impl Read + use<> {
        let response = ureq::get(format!("{}{target}", self.base)).call().unwrap();
        response.into_body().into_reader()
    }

    /// Its memory in bytes, as the kernel reports it: now (`VmRSS`) or at its peak (`VmHWM`).
    pub(crate) fn memory(&self, field: &str) -> u64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix(field)).unwrap();
        let kibibytes = line.trim_matches(|character: char| !character.is_ascii_digit());
        kibibytes.parse::<u64>().unwrap() * 1024
    }

    /// Resets `VmHWM` to the memory in use now (proc(5), `clear_refs`).
    pub(crate) fn forget_peak(&self) {
        fs::write(format!("/proc/{}/clear_refs", self.child.id()), "5").unwrap();
    }

    /// The build id of the served index.
    pub(crate) fn build_id(&self) -> String {
        let (status, body) = self.get("/meta", "");
        assert_eq!(status, 200, "{body}");
        let meta: serde_json::Value = serde_json::from_str(&body).unwrap();
        meta["build_id"].as_str().unwrap().to_owned()
    }

    /// Repeats a request until the answer has this status.
    pub(crate) fn wait_for(&self, target: &str, key: &str, status: u16) {
        wait_until(|| self.get(target, key).0 == status);
    }

    /// Sends a signal by its name.
    pub(crate) fn signal(&self, name: &str) {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args(["-s", name, &id]).status().unwrap().success());
    }

    pub(crate) fn has_ended(&mut self) -> bool {
        self.child.try_wait().unwrap().is_some()
    }

    /// Waits until it has ended.
    pub(crate) fn ended(&mut self) -> ExitStatus {
        let mut status = None;
        wait_until(|| {
            status = self.child.try_wait().unwrap();
            status.is_some()
        });
        status.unwrap()
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Waits until a condition holds, long enough even for a slow machine.
pub(crate) fn wait_until(mut is_so: impl FnMut() -> bool) {
    let started = Instant::now();
    while !is_so() {
        assert!(started.elapsed() < PATIENCE, "it did not happen");
        thread::sleep(Duration::from_millis(100));
    }
}
