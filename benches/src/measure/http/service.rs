//! The programs under load, each in its own process.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;

use anyhow::{Context, ensure};

use crate::corpus::Corpus;

/// The header that every search needs besides the host.
const KEY_HEADER: &str = "x-gateway-key";
/// The clients that share the load, because one key alone may not have so many requests at once.
const CLIENTS: usize = 8;
/// The key file, next to the files of the corpus.
const KEYS: &str = "keys.json";

/// A running program, which is killed on drop.
#[derive(Debug)]
pub(super) struct Service {
    child: Child,
    base: String,
    keys: Vec<String>,
}

impl Service {
    /// Starts the service as an operator would, but without a rate limit.
    pub(super) fn search(outfall: &Path, corpus: &Corpus) -> anyhow::Result<Self> {
        let keys = corpus.dir().join(KEYS);
        let clients: anyhow::Result<Vec<_>> =
            (0..CLIENTS).map(|_| new_key(outfall, &keys)).collect();
        let mut serve = Command::new(outfall);
        serve.args(["serve", "--listen", "127.0.0.1:0", "--rate-limit", "0", "--keys"]);
        serve.arg(&keys).arg("--data").arg(corpus.data());
        Self::start(serve, clients?)
    }

    /// Starts the handler that copies bodies.
    pub(super) fn static_handler(dir: &Path) -> anyhow::Result<Self> {
        let mut command = Command::new(std::env::current_exe()?);
        command.arg("static-handler").arg("--dir").arg(dir);
        Self::start(command, Vec::new())
    }

    /// Starts a program and waits until it prints its address.
    fn start(mut command: Command, keys: Vec<String>) -> anyhow::Result<Self> {
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
        let stdout = child.stdout.take().context("no standard output")?;
        let mut lines = BufReader::new(stdout).lines();
        let base = loop {
            let line = lines.next().context("it ended before it listened")??;
            if let Some((_, rest)) = line.split_once("http://") {
                let address = rest.split([' ', '\'']).next().unwrap_or_default();
                break format!("http://{}", address.trim_end_matches('.'));
            }
        };
        // The rest of its output must not fill the pipe.
        thread::spawn(move || lines.map_while(Result::ok).for_each(drop));
        Ok(Self { child, base, keys })
    }

    pub(super) fn id(&self) -> u32 {
        self.child.id()
    }

    pub(super) fn base(&self) -> &str {
        &self.base
    }

    pub(super) fn keys(&self) -> &[String] {
        &self.keys
    }

    /// Requests `target`; returns the body of the answer, which must be 200.
    pub(super) fn get(&self, target: &str) -> anyhow::Result<String> {
        self.get_by(&ureq::agent(), target)
    }

    /// The same through `agent`, which keeps its connections.
    pub(super) fn get_by(&self, agent: &ureq::Agent, target: &str) -> anyhow::Result<String> {
        let request = agent.get(format!("{}{target}", self.base));
        let key = self.keys.first().map_or("", String::as_str);
        let request = request.header(KEY_HEADER, key).header("x-gateway-host", "localhost");
        let mut response = request.call().with_context(|| target.to_owned())?;
        Ok(response.body_mut().read_to_string()?)
    }
}

/// Makes a key with the program's own `keys add`.
fn new_key(outfall: &Path, keys: &Path) -> anyhow::Result<String> {
    let mut add = Command::new(outfall);
    add.args(["keys", "add", "load", "--keys"]).arg(keys);
    let output = add.output().with_context(|| format!("`{}`", outfall.display()))?;
    ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let printed = String::from_utf8(output.stdout)?;
    Ok(printed.lines().last().context("no key was printed")?.to_owned())
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
