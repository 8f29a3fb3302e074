//! Measures a cluster beside the embedded engine, in one run on the same records: how they load,
//! what they store, and how long each class of requests takes.

use anyhow::{Context, ensure};
use outfall_indexer::{BuildReport, Silent};
use outfall_opensearch::{
    Client, Connection, Layout, LoadOptions, Loader, Names, OpenSearchBackend, remove_all,
};
use outfall_query::EmbeddedBackend;
use outfall_request::SearchBackend;
use serde_json::Value;

use super::latency;
use crate::agreement::check;
use crate::corpus::Corpus;
use crate::report::ClassFigures;
use crate::workload::questions;

/// The parts and copies of the measured indexes. There are no further copies, so the bytes are
/// those of one copy.
pub const LAYOUT: Layout = Layout { shards: 3, replicas: 0 };

/// How many requests both engines get.
#[derive(Clone, Copy, Debug)]
pub struct Asked {
    /// Requests of each class.
    pub each: usize,
    /// How often the engines take turns.
    pub alternations: usize,
}

/// A build, from the files to the served index.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The engine.
    pub name: &'static str,
    /// How long each stage took, in seconds.
    pub stages: Vec<(String, f64)>,
    /// Bytes stored.
    pub bytes: u64,
}

/// The measurements of the embedded engine and of a cluster, the embedded engine first.
#[derive(Clone, Debug)]
pub struct ClusterFigures {
    /// The version of the cluster.
    pub version: String,
    /// Its nodes.
    pub nodes: usize,
    /// Records, of both kinds.
    pub records: u64,
    /// The build of each engine.
    pub loaded: [Loaded; 2],
    /// Latencies by class.
    pub classes: Vec<ClassFigures>,
}

/// The indexes of a measurement, which are removed with it.
struct Indexes {
    client: Client,
    names: Names,
}

impl Drop for Indexes {
    fn drop(&mut self) {
        // The cluster was started for the measurement, and ends with it.
        let _ = remove_all(&self.client, &self.names);
    }
}

/// Measures the cluster at `urls` on a corpus.
///
/// # Errors
/// When a build or a search fails, or when the engines differ in any answer.
pub fn measure(
    urls: &[String],
    corpus: &Corpus,
    asked: Asked,
    say: impl Fn(&str) -> anyhow::Result<()>,
) -> anyhow::Result<ClusterFigures> {
    let version = version(urls)?;
    say("the embedded engine's build")?;
    let embedded_build = Loaded::of("embedded", corpus.build()?);
    let embedded = EmbeddedBackend::open(&corpus.data())?;

    say(&format!("loading OpenSearch {version}"))?;
    let client = Client::new(&Connection { urls: urls.to_vec(), ..Connection::default() })?;
    let prefix = format!("bench-{}", std::process::id());
    let names = Names::with_prefix(&prefix).context("a bad prefix")?;
    let indexes = Indexes { client, names };
    let (names, rejects_in) = (indexes.names.clone(), corpus.dir().to_owned());
    let options = LoadOptions { names, layout: LAYOUT, rejects_in };
    let loader = Loader::begin(&indexes.client, options)?;
    let report = outfall_indexer::build(&corpus.options(), loader, &Silent)?;
    let records = report.kinds.values().map(|kind| kind.records).sum();
    let loaded = [embedded_build, Loaded::of("cluster", report)];
    let cluster = OpenSearchBackend::open(&indexes.client, &indexes.names)?;

    let questions = questions(&corpus.read()?, &embedded, asked.each, 1)?;
    let backends: [(&'static str, &dyn SearchBackend); 2] =
        [("embedded", &embedded), ("cluster", &cluster)];
    say(&format!("{} requests, each answered alike", questions.len()))?;
    questions.iter().try_for_each(|question| check(&backends, question))?;
    say("searches")?;
    let latencies = latency::alternate(&backends, &questions, asked.alternations)?;
    let classes = ClassFigures::all(&latencies, &questions);
    Ok(ClusterFigures { version, nodes: urls.len(), records, loaded, classes })
}

impl Loaded {
    fn of(name: &'static str, report: BuildReport) -> Self {
        Self { name, stages: report.stages, bytes: report.index_bytes }
    }

    /// The seconds from the first byte read until the index is served.
    #[must_use]
    pub fn seconds(&self) -> f64 {
        self.stages.iter().map(|(_, seconds)| seconds).sum()
    }
}

/// The version that a cluster reports.
fn version(urls: &[String]) -> anyhow::Result<String> {
    let first = urls.first().context("no node is named")?;
    let text = ureq::get(first).call()?.body_mut().read_to_string()?;
    let told: Value = serde_json::from_str(&text)?;
    let version = told.pointer("/version/number").and_then(Value::as_str).unwrap_or_default();
    ensure!(!version.is_empty(), "`{first}` does not say its version");
    Ok(version.to_owned())
}
