//! A real cluster, which `cargo xtask` starts beside the experiments.

use std::env;
use std::io::{BufRead, BufReader, Write};
use std::net::SocketAddr;
use std::process;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::Value;

use crate::LabError;
use crate::client::{Answer, Client, connect};
use crate::service::wait_for;

/// The variable that names the nodes, separated by commas.
const URLS: &str = "OUTFALL_OPENSEARCH_URLS";
/// The variable with the address at which the cluster accepts commands.
const CONTROL: &str = "OUTFALL_OPENSEARCH_CONTROL";

/// Why there is no cluster, if there is none.
pub(crate) fn obstacle() -> Option<String> {
    let missing = [URLS, CONTROL].into_iter().find(|name| env::var_os(name).is_none())?;
    Some(format!("no cluster: {missing} is not set; see `cargo xtask opensearch`"))
}

/// The cluster. It serves other experiments too, so each leaves it as it was.
#[derive(Clone, Debug)]
pub(crate) struct Cluster {
    nodes: Vec<SocketAddr>,
    control: SocketAddr,
}

/// A node that is stopped, and started again at the end.
#[derive(Debug)]
pub(crate) struct Stopped<'a> {
    cluster: &'a Cluster,
    node: usize,
    is_over: bool,
}

/// Names that no other experiment has; their indexes are removed at the end.
#[derive(Debug)]
pub(crate) struct Prefix {
    cluster: Cluster,
    pub(crate) name: String,
}

impl Cluster {
    /// The cluster that the environment names.
    pub(crate) fn open() -> Result<Self, LabError> {
        let variable = |name| env::var(name).map_err(|error| setup(format!("{name}: {error}")));
        let address = |text: &str| {
            let text = text.trim_start_matches("http://");
            text.parse().map_err(|error| setup(format!("`{text}` is no address: {error}")))
        };
        let nodes = variable(URLS)?.split(',').map(address).collect::<Result<_, _>>()?;
        Ok(Self { nodes, control: address(&variable(CONTROL)?)? })
    }

    /// The addresses of the nodes.
    pub(crate) fn nodes(&self) -> &[SocketAddr] {
        &self.nodes
    }

    /// The addresses of the nodes, as flags take them.
    pub(crate) fn urls(&self) -> String {
        self.nodes.iter().map(|node| format!("http://{node}")).collect::<Vec<_>>().join(",")
    }

    /// Stops a node: it closes its connections and ports.
    pub(crate) fn stop(&self, node: usize) -> Result<Stopped<'_>, LabError> {
        self.command("stop", node)?;
        Ok(Stopped { cluster: self, node, is_over: false })
    }

    fn command(&self, verb: &str, node: usize) -> Result<(), LabError> {
        let ask = || {
            let mut connection = connect(self.control)?;
            writeln!(connection, "{verb} {}", node + 1)?;
            let mut answer = String::new();
            BufReader::new(connection).read_line(&mut answer)?;
            Ok(answer)
        };
        match ask().map_err(LabError::io("command the cluster"))?.trim_end() {
            "done" => Ok(()),
            other => Err(setup(format!("`{verb}` of node {node} gives `{other}`"))),
        }
    }

    /// Waits until every node has joined, and every part of every index is there.
    pub(crate) fn await_whole(&self) -> Result<(), LabError> {
        let target = format!(
            "/_cluster/health?wait_for_nodes={}&wait_for_status=green&timeout=20s",
            self.nodes.len()
        );
        let is_whole = || {
            let answers = self.nodes.iter().map(|node| Client::new(*node).get(&target).ok());
            answers.map(|answer| (answer?.status == 200).then_some(())).collect::<Option<()>>()
        };
        wait_for(is_whole).ok_or_else(|| setup("the cluster is not whole again".to_owned()))
    }

    /// The answer of the first node that gives one.
    fn ask(&self, method: &str, target: &str) -> Result<Answer, LabError> {
        let ask = |node: &SocketAddr| Client::new(*node).send(method, target).ok();
        let answer = self.nodes.iter().find_map(ask);
        answer.ok_or_else(|| setup(format!("no node answers `{method} {target}`")))
    }
}

impl Stopped<'_> {
    /// Starts the node again, and waits until the cluster is whole.
    pub(crate) fn end(mut self) -> Result<(), LabError> {
        self.is_over = true;
        self.cluster.command("start", self.node)?;
        self.cluster.await_whole()
    }
}

impl Drop for Stopped<'_> {
    fn drop(&mut self) {
        if !self.is_over {
            // A failed experiment has already reported that; the next ones need the node.
            let _ = self.cluster.command("start", self.node);
            let _ = self.cluster.await_whole();
        }
    }
}

impl Prefix {
    pub(crate) fn new(cluster: &Cluster) -> Self {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let next = NEXT.fetch_add(1, Ordering::Relaxed);
        Self { cluster: cluster.clone(), name: format!("fault-{}-{next}", process::id()) }
    }

    /// Every index of these names, in order.
    pub(crate) fn indexes(&self) -> Result<Vec<String>, LabError> {
        let answer = self.cluster.ask("GET", &format!("/{}-gen-*/_alias", self.name))?;
        let found: Value = serde_json::from_str(&answer.body).unwrap_or_default();
        let found = found.as_object().ok_or_else(|| setup(answer.body.clone()))?;
        let mut names: Vec<String> = found.keys().cloned().collect();
        names.sort_unstable();
        Ok(names)
    }
}

impl Drop for Prefix {
    fn drop(&mut self) {
        // Indexes that cannot be removed take a little memory until the cluster ends.
        let Ok(indexes) = self.indexes() else { return };
        if !indexes.is_empty() {
            let _ = self.cluster.ask("DELETE", &format!("/{}", indexes.join(",")));
        }
    }
}

fn setup(reason: String) -> LabError {
    LabError::Setup(reason)
}
