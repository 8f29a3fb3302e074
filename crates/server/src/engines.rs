//! The engines that answer requests. No other file of the service names one.

use std::path::Path;
use std::sync::Arc;

use outfall_query::{EmbeddedBackend, Generation, Staging};
use outfall_request::{RecordSink, SearchBackend};
use outfall_store::Current;

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
