//! Measures the service under load, against a handler that only copies the same bytes.

mod kept;
mod service;
mod static_handler;

use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, ensure};
use outfall_request::SearchBackend;
use serde::Deserialize;

pub use self::kept::KeptFigures;
pub use self::static_handler::run as run_static_handler;

use self::service::Service;
use crate::corpus::Corpus;
use crate::process::{cpu_time_of, memory};
use crate::statistics::median;
use crate::workload::Question;

/// The numbers of simultaneous connections.
pub const CONNECTIONS: [u32; 3] = [1, 16, 64];
/// The file of the bodies that the static handler copies.
const BODIES: &str = "bodies.json";
/// The script that gives wrk its requests.
const SCRIPT: &str = "requests.lua";

/// Medians over all alternations, at one number of connections.
#[derive(Clone, Copy, Debug)]
pub struct HttpFigures {
    /// The number of simultaneous connections.
    pub connections: u32,
    /// Searches per second.
    pub search_rate: f64,
    /// Copies per second.
    pub static_rate: f64,
    /// The server's CPU time per search, in seconds.
    pub search_cpu: f64,
    /// The server's CPU time per copy, in seconds.
    pub static_cpu: f64,
}

/// The counts that wrk prints.
#[derive(Clone, Copy, Debug, Deserialize)]
struct Load {
    requests: u64,
    microseconds: u64,
    errors: u64,
}

/// Everything that is measured over HTTP.
#[derive(Clone, Debug)]
pub struct Http {
    /// Rates and CPU under load, by number of connections.
    pub load: Vec<HttpFigures>,
    /// Times of one client, on kept and on fresh connections.
    pub kept: Vec<KeptFigures>,
    /// The resident memory of the service afterwards, in bytes.
    pub memory: u64,
}

/// How long each load lasts, and how often they alternate.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// The seconds that each load lasts.
    pub seconds: u32,
    /// How often the service and the static handler take turns.
    pub alternations: usize,
}

/// Loads the service and the static handler in turn, and compares kept connections with fresh ones.
///
/// # Errors
/// When an answer is anything but 200, when the service's answer differs from the backend's, or
/// when wrk or the service does not start.
pub fn alternate(
    outfall: &Path,
    corpus: &Corpus,
    backend: &dyn SearchBackend,
    questions: &[Question],
    effort: Effort,
) -> anyhow::Result<Http> {
    let search = Service::search(outfall, corpus)?;
    let bodies = bodies(&search, backend, questions)?;
    fs::write(corpus.dir().join(BODIES), serde_json::to_vec(&bodies)?)?;
    let script = script(corpus.dir(), &search, questions)?;
    let copies = Service::static_handler(corpus.dir())?;
    let kept = kept::alternate(&search)?;
    let mut figures = Vec::new();
    for connections in CONNECTIONS {
        let mut runs: [[Vec<f64>; 2]; 2] = Default::default();
        for _ in 0..effort.alternations {
            for (service, [rates, cpus]) in [&search, &copies].into_iter().zip(&mut runs) {
                let (rate, cpu) = load(service, &script, connections, effort.seconds)?;
                rates.push(rate);
                cpus.push(cpu);
            }
        }
        let [[search_rate, search_cpu], [static_rate, static_cpu]] =
            runs.map(|service| service.map(|runs| median(&runs)));
        figures.push(HttpFigures { connections, search_rate, static_rate, search_cpu, static_cpu });
    }
    Ok(Http { load: figures, kept, memory: memory(search.id(), "VmRSS:")? })
}

/// The questions that make up the load.
fn claimed(questions: &[Question]) -> impl Iterator<Item = &Question> {
    questions.iter().filter(|question| question.is_claimed())
}

/// The service's answer to each request, checked against the backend's.
fn bodies(
    search: &Service,
    backend: &dyn SearchBackend,
    questions: &[Question],
) -> anyhow::Result<HashMap<String, String>> {
    let mut bodies = HashMap::new();
    for Question { target, request, .. } in claimed(questions) {
        let body = search.get(target)?;
        let page = backend.search(request)?;
        let count = format!("\"count\":{},\"offset\":{},", page.total, page.offset);
        let records = format!("[{}]", std::str::from_utf8(page.records.joined())?);
        ensure!(body.contains(&count), "the service counts otherwise: {target}");
        ensure!(body.contains(&records), "the service has other records: {target}");
        bodies.insert(target.clone(), body);
    }
    Ok(bodies)
}

/// Writes the script. It formats all requests in `init`, because there is no `Host` yet at its
/// global scope.
fn script(dir: &Path, search: &Service, questions: &[Question]) -> anyhow::Result<PathBuf> {
    let mut script =
        format!("local keys = {{ \"{}\" }}\nlocal targets = {{\n", search.keys().join("\", \""));
    for Question { target, .. } in claimed(questions) {
        // Targets are percent-encoded, so nothing in them needs an escape.
        writeln!(script, "  \"{target}\",")?;
    }
    script.push_str(
        "}
local requests, next = {}, 0
function init(arguments)
  for place, target in ipairs(targets) do
    local key = keys[place % #keys + 1]
    local headers = { [\"x-gateway-key\"] = key, [\"x-gateway-host\"] = \"localhost\" }
    requests[place] = wrk.format(\"GET\", target, headers)
  end
end
function request()
  next = next % #requests + 1
  return requests[next]
end
function done(summary, latency, requests)
  local errors = summary.errors
  local all = errors.status + errors.connect + errors.read + errors.write + errors.timeout
  io.write(string.format('{\"requests\":%d,\"microseconds\":%d,\"errors\":%d}\\n',
    summary.requests, summary.duration, all))
end
",
    );
    let path = dir.join(SCRIPT);
    fs::write(&path, script)?;
    Ok(path)
}

/// Runs wrk; returns the requests per second and the seconds of CPU per request.
fn load(
    service: &Service,
    script: &Path,
    connections: u32,
    seconds: u32,
) -> anyhow::Result<(f64, f64)> {
    let before = cpu_time_of(service.id())?;
    let mut wrk = Command::new("wrk");
    wrk.args(["--threads", "1", "--connections", &connections.to_string()]);
    wrk.args(["--duration", &format!("{seconds}s"), "--script"]).arg(script).arg(service.base());
    let output = wrk.output().context("`wrk` could not be started; is it installed?")?;
    ensure!(output.status.success(), "wrk: {}", String::from_utf8_lossy(&output.stderr));
    let cpu = (cpu_time_of(service.id())? - before).as_secs_f64();
    let printed = String::from_utf8(output.stdout)?;
    let last = printed.lines().last().context("wrk printed nothing")?;
    let load: Load = serde_json::from_str(last).with_context(|| printed.clone())?;
    ensure!(load.errors == 0, "{} of {} requests failed", load.errors, load.requests);
    ensure!(load.requests > 0, "nothing was answered");
    let requests = load.requests as f64;
    Ok((requests / (load.microseconds as f64 / 1e6), cpu / requests))
}
