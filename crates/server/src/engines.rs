//! The engines that answer requests. No other file of the service names one.

use std::path::Path;
use std::sync::Arc;

use outfall_opensearch::{Client, OpenSearchBackend};
use outfall_query::{EmbeddedBackend, Generation, Staging};
use outfall_request::{RecordSink, SearchBackend};
use outfall_store::Current;

pub(crate) use outfall_opensearch::{ClusterError, ConnectionFiles, Names};
pub(crate) use outfall_query::IndexError;

/// An opened index, and the folder of its generation.
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

/// A cluster, which need not be there yet.
#[derive(Clone, Debug)]
pub struct Cluster {
    client: Client,
    names: Names,
}

impl Cluster {
    /// Reads what a connection needs, and asks for nothing.
    ///
    /// # Errors
    /// [`ClusterError::Connection`], [`ClusterError::Certificates`].
    pub(crate) fn of(files: &ConnectionFiles, names: &Names) -> Result<Self, ClusterError> {
        Ok(Self { client: Client::new(&files.read()?)?, names: names.clone() })
    }

    /// The name of the published generation, if there is one.
    ///
    /// # Errors
    /// See [`ClusterError`].
    pub(crate) fn published(&self) -> Result<Option<String>, ClusterError> {
        OpenSearchBackend::published(&self.client, &self.names)
    }

    /// Opens the published generation.
    ///
    /// # Errors
    /// See [`ClusterError`].
    pub(crate) fn open(&self) -> Result<Opened, ClusterError> {
        let backend = OpenSearchBackend::open(&self.client, &self.names)?;
        let generation = backend.generation().to_owned();
        Ok(Opened { backend: Arc::new(backend), generation })
    }
}
