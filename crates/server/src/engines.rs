//! The engines that answer requests. No other file of the service names one.

use std::path::Path;
use std::sync::Arc;

use outfall_query::{EmbeddedBackend, Staging};
use outfall_request::{RecordSink, SearchBackend};
use outfall_store::Current;

pub(crate) use outfall_query::IndexError;

/// An opened index, and the folder of its generation.
pub(crate) struct Opened {
    pub(crate) backend: Arc<dyn SearchBackend>,
    pub(crate) generation: String,
}

impl From<EmbeddedBackend> for Opened {
    fn from(backend: EmbeddedBackend) -> Self {
        let generation = backend.generation().to_owned();
        Self { backend: Arc::new(backend), generation }
    }
}

/// Opens the index that is published in a data directory.
///
/// # Errors
/// See [`IndexError`].
pub(crate) fn open(data: &Path) -> Result<Opened, IndexError> {
    EmbeddedBackend::open(data).map(Opened::from)
}

/// Opens the index that `current` names.
///
/// # Errors
/// See [`IndexError`].
pub(crate) fn open_named(data: &Path, current: &Current) -> Result<Opened, IndexError> {
    EmbeddedBackend::open_named(data, current).map(Opened::from)
}

/// Opens the newest whole index, whether or not it is published.
///
/// # Errors
/// See [`IndexError`].
pub(crate) fn open_newest(data: &Path) -> Result<Opened, IndexError> {
    EmbeddedBackend::open_newest(data).map(Opened::from)
}

/// Begins an index in a data directory, for the records of a build.
///
/// # Errors
/// See [`IndexError`].
pub(crate) fn begin(data: &Path) -> Result<impl RecordSink<Error = IndexError> + Send, IndexError> {
    Staging::begin(data)
}
