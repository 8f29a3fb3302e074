//! An index in a cluster, and the checks that it must pass after any fault.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::cluster::{Cluster, Prefix};
use crate::corpus::Corpus;
use crate::data::said;
use crate::outcome::ensure;
use crate::proxy::{Fate, Proxy};
use crate::service::{Service, serve_command, wait_for};
use crate::{Lab, LabError};

/// The request by which a rebuild publishes.
pub(crate) const SWITCH: &str = "POST /_aliases";

/// How many generations a rebuild keeps.
const KEPT: usize = 3;
/// The indexes of a generation.
const INDEXES: usize = 3;

/// The parts and further copies of an index.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layout {
    pub(crate) shards: u16,
    pub(crate) replicas: u16,
}

impl Layout {
    /// The smallest layout, for experiments in which the copies do not matter.
    pub(crate) const SMALL: Self = Self { shards: 1, replicas: 0 };
}

/// An index in a cluster that is rebuilt in one case after another.
#[derive(Clone, Debug)]
pub(crate) struct ClusterData {
    index_build: PathBuf,
    /// For the lists of rejected rows, and logs.
    folder: PathBuf,
    prefix: Arc<Prefix>,
    urls: String,
    layout: Layout,
    corpus: Corpus,
}

impl ClusterData {
    /// An empty place, to be built from `corpus`.
    pub(crate) fn new(
        lab: &Lab,
        folder: &Path,
        cluster: &Cluster,
        layout: Layout,
        corpus: &Corpus,
    ) -> Self {
        Self {
            index_build: lab.index_build().to_owned(),
            folder: folder.to_owned(),
            prefix: Arc::new(Prefix::new(cluster)),
            urls: cluster.urls(),
            layout,
            corpus: corpus.clone(),
        }
    }

    /// A small index with as many generations as are kept, so that each further rebuild does
    /// everything that a rebuild can do.
    pub(crate) fn aged(
        lab: &Lab,
        folder: &Path,
        cluster: &Cluster,
        corpus: &Corpus,
    ) -> Result<Self, LabError> {
        let data = Self::new(lab, folder, cluster, Layout::SMALL, corpus);
        for _ in 0..KEPT {
            data.rebuild().map_err(LabError::Setup)?;
        }
        Ok(data)
    }

    /// The same index, to be built from another corpus.
    pub(crate) fn of(&self, corpus: &Corpus) -> Self {
        Self { corpus: corpus.clone(), ..self.clone() }
    }

    /// The same index, reached at other addresses.
    pub(crate) fn at(&self, urls: &str) -> Self {
        Self { urls: urls.to_owned(), ..self.clone() }
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.index_build);
        command.args(["--to", "opensearch", "--url", &self.urls, "--prefix", &self.prefix.name]);
        command
    }

    /// The rebuild command.
    pub(crate) fn rebuild_command(&self) -> Command {
        let mut command = self.command();
        let Layout { shards, replicas } = self.layout;
        // An earlier edition may follow a later one here.
        command.args(["--allow-shrink", "--threads", "1"]);
        command.args(["--shards", &shards.to_string(), "--replicas", &replicas.to_string()]);
        command.arg("--rejects-in").arg(&self.folder).args(self.corpus.files());
        command
    }

    /// Rebuilds undisturbed; returns the generation that is served from then on.
    pub(crate) fn rebuild(&self) -> Result<String, String> {
        let output = self.rebuild_command().output().map_err(|error| error.to_string())?;
        ensure(output.status.success(), || format!("a rebuild failed: {}", said(&output)))?;
        let served = self.check_whole()?;
        let published = published(&output);
        ensure(published.as_ref() == Some(&served), || {
            format!("{served} is served, not {published:?}")
        })?;
        Ok(served)
    }

    /// The generation that is served, if it is whole.
    pub(crate) fn check_whole(&self) -> Result<String, String> {
        let output = self.command().arg("--check").output().map_err(|error| error.to_string())?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let name = text.trim_end().strip_suffix(" is whole").filter(|_| output.status.success());
        let name = name.ok_or_else(|| format!("what is served is not whole: {}", said(&output)))?;
        Ok(name.to_owned())
    }

    /// Rebuilds after a fault: that must succeed, serve a new generation and leave nothing of the
    /// failed rebuild behind.
    pub(crate) fn check_recovery(&self) -> Result<(), String> {
        let before = self.check_whole()?;
        let after = self.rebuild()?;
        ensure(after > before, || format!("{after} was published after {before}"))?;
        self.check_clean()
    }

    /// Checks that there are whole generations, and no more of them than are kept.
    pub(crate) fn check_clean(&self) -> Result<(), String> {
        let indexes = self.prefix.indexes().map_err(|error| error.to_string())?;
        let is_clean = indexes.len().is_multiple_of(INDEXES) && indexes.len() <= KEPT * INDEXES;
        ensure(is_clean, || format!("the next rebuild left {indexes:?}"))
    }

    /// The first lines of the requests that a rebuild sends to a node.
    pub(crate) fn requests(&self, node: SocketAddr) -> Result<Vec<String>, LabError> {
        let proxy = Proxy::start(node, |_| Fate::Passes)?;
        let output = self.at(&proxy.url()).rebuild_command().output();
        let output = output.map_err(LabError::io("start a rebuild"))?;
        match output.status.success() {
            true => Ok(proxy.lines()),
            false => Err(LabError::Setup(format!("a rebuild failed: {}", said(&output)))),
        }
    }

    /// A service over it that is ready, without keys and without a limit of requests.
    pub(crate) fn serve(&self, lab: &Lab) -> Result<Service, LabError> {
        let service = self.start(lab)?;
        let ready = wait_for(|| (service.status()? == "ready").then_some(()));
        ready.ok_or_else(|| LabError::Setup(format!("not ready: {}", service.log())))?;
        Ok(service)
    }

    /// A service over it that need not be ready.
    pub(crate) fn start(&self, lab: &Lab) -> Result<Service, LabError> {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let next = NEXT.fetch_add(1, Ordering::Relaxed);
        let flags = ["--backend", "opensearch", "--url", &self.urls, "--prefix", &self.prefix.name];
        let mut command = serve_command(lab, &[], &flags);
        command.args(["--auth", "off", "--rate-limit", "0"]);
        Service::spawn_logging(&mut command, self.folder.join(format!("service-{next}.log")))
    }
}

/// The generation that a rebuild says it has published.
pub(crate) fn published(output: &Output) -> Option<String> {
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.lines().last()?.strip_prefix("published ").map(str::to_owned)
}
