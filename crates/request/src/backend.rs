//! What answers a request.

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

    /// What is being served.
    fn dataset(&self) -> &DatasetInfo;
}

/// Why a request was not answered. The text is for the log, not for the caller.
#[derive(Debug, thiserror::Error)]
pub enum SearchError {
    /// The deadline of the request passed before the answer was whole.
    #[error("the search ran out of time")]
    TimedOut,
    /// The engine below failed.
    #[error("the index could not be searched: {0}")]
    Engine(String),
}
