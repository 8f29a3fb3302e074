//! The backend that answers requests, and the source that doors get it from.

use std::sync::Arc;
use std::time::Duration;

use outfall_records::DatasetInfo;

use crate::{SearchPage, SearchRequest};

/// Answers requests from one immutable set of records.
///
/// Every implementation agrees with [`crate::ReferenceBackend`] on counts, ids, order and bytes.
pub trait SearchBackend: Send + Sync {
    /// Answers `request`.
    ///
    /// # Errors
    /// See [`SearchError`]; a backend never answers with part of the matches.
    fn search(&self, request: &SearchRequest) -> Result<SearchPage, SearchError>;

    /// The dataset being served. An answer carries the build id of the data that gave it, which may
    /// be newer if the engine is remote.
    fn dataset(&self) -> &DatasetInfo;

    /// Whether a search waits for another machine or thread instead of using this one. Such a
    /// backend must not be called on an event loop.
    fn is_remote(&self) -> bool {
        false
    }

    /// The name of the engine in metrics.
    fn engine(&self) -> &'static str {
        "embedded"
    }
}

/// Provides the current backend to a door.
pub trait BackendSource: Send + Sync {
    /// The current backend; `None` if there is nothing to serve. A request keeps it from start to
    /// end.
    fn current(&self) -> Option<Arc<dyn SearchBackend>>;

    /// Why the index published last is not being served, if it is not.
    fn trouble(&self) -> Option<Arc<str>>;
}

/// Why a request was not answered. The text is for the log, not for the caller.
#[derive(Debug, thiserror::Error)]
pub enum SearchError {
    /// The deadline of the request passed, or the search was stopped, before the answer was complete.
    #[error("the search ran out of time")]
    TimedOut,
    /// The engine cannot be asked now: it is unreachable, overloaded or incomplete.
    #[error("the engine cannot be asked: {reason}")]
    Unavailable {
        /// When to ask again.
        retry_after: Duration,
        /// The reason, for the log.
        reason: String,
    },
    /// The engine below failed.
    #[error("the index could not be searched: {0}")]
    Engine(String),
}
