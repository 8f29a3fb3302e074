//! The engines that answer requests. No other file of the service names one.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use outfall_opensearch::{Client, OpenSearchBackend};
use outfall_query::{EmbeddedBackend, Generation, Staging};
use outfall_records::DatasetInfo;
use outfall_request::{RecordSink, SearchBackend, SearchError, SearchPage, SearchRequest};
use outfall_store::Current;

pub(crate) use outfall_opensearch::{ClusterError, ConnectionFiles, Names, Observer, Outcome};
pub(crate) use outfall_query::IndexError;

use crate::EngineCalls;

/// An opened index, and the name of its generation.
pub(crate) struct Opened {
    pub(crate) backend: Arc<dyn SearchBackend>,
    pub(crate) generation: String,
}

impl From<Generation> for Opened {
    fn from(opened: Generation) -> Self {
        let generation = opened.name.clone();
        Self { backend: Arc::new(EmbeddedBackend::from(opened)), generation }
    }
}

/// Opens the index that is published in a data directory.
///
/// # Errors
/// See [`IndexError`].
pub(crate) fn open(data: &Path) -> Result<Opened, IndexError> {
    Generation::open(data).map(Opened::from)
}

/// Opens the index that `current` names.
///
/// # Errors
/// See [`IndexError`].
pub(crate) fn open_named(data: &Path, current: &Current) -> Result<Opened, IndexError> {
    Generation::open_named(data, current).map(Opened::from)
}

/// Opens the newest whole index, whether or not it is published.
///
/// # Errors
/// See [`IndexError`].
pub(crate) fn open_newest(data: &Path) -> Result<Opened, IndexError> {
    Generation::open_newest(data).map(Opened::from)
}

/// Begins an index in a data directory, for the records of a build.
///
/// # Errors
/// See [`IndexError`].
pub(crate) fn begin(data: &Path) -> Result<impl RecordSink<Error = IndexError> + Send, IndexError> {
    Staging::begin(data)
}

/// The name of the cluster engine in metrics.
const OPENSEARCH: &str = "opensearch";

/// The time limit for asking a cluster what it publishes. A silent cluster is reported after this
/// time, and noticed soon after it has come back.
const LOOK: Duration = Duration::from_secs(5);

/// A cluster, which need not be reachable yet.
#[derive(Clone, Debug)]
pub struct Cluster {
    client: Client,
    names: Names,
    calls: EngineCalls,
}

impl Cluster {
    /// Reads what a connection needs, and sends no request.
    ///
    /// # Errors
    /// [`ClusterError::Connection`], [`ClusterError::Certificates`].
    pub(crate) fn of(files: &ConnectionFiles, names: &Names) -> Result<Self, ClusterError> {
        let calls = EngineCalls::of(OPENSEARCH);
        let client = Client::new(&files.read()?)?.observed_by(Arc::new(calls.clone()));
        Ok(Self { client, names: names.clone(), calls })
    }

    /// The counters of calls to the cluster.
    pub(crate) const fn calls(&self) -> &EngineCalls {
        &self.calls
    }

    /// The name of the published generation, if there is one.
    ///
    /// # Errors
    /// See [`ClusterError`].
    pub(crate) fn published(&self) -> Result<Option<String>, ClusterError> {
        OpenSearchBackend::published(&self.client, &self.names, Instant::now() + LOOK)
    }

    /// Opens the published generation.
    ///
    /// # Errors
    /// See [`ClusterError`].
    pub(crate) fn open(&self) -> Result<Opened, ClusterError> {
        let backend = OpenSearchBackend::open(&self.client, &self.names)?;
        let generation = backend.generation().to_owned();
        let calls = self.calls.clone();
        Ok(Opened { backend: Arc::new(Counted { backend, calls }), generation })
    }
}

/// A generation in a cluster, with a count of the searches that fail.
struct Counted {
    backend: OpenSearchBackend,
    calls: EngineCalls,
}

impl SearchBackend for Counted {
    fn search(&self, request: &SearchRequest) -> Result<SearchPage, SearchError> {
        self.backend.search(request).inspect_err(|error| self.calls.failed(error))
    }

    fn dataset(&self) -> &DatasetInfo {
        self.backend.dataset()
    }

    fn is_remote(&self) -> bool {
        self.backend.is_remote()
    }

    fn engine(&self) -> &'static str {
        OPENSEARCH
    }
}
