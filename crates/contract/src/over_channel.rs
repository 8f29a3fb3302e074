//! The smallest remote engine: a backend that answers from another thread.

use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use outfall_records::DatasetInfo;
use outfall_request::{SearchBackend, SearchError, SearchPage, SearchRequest};

/// Passes requests to a thread that answers them from a backend, one after the other.
#[derive(Debug)]
pub struct OverChannel {
    requests: mpsc::Sender<Asked>,
    dataset: DatasetInfo,
}

/// A request, and the channel for its answer.
type Asked = (SearchRequest, mpsc::Sender<Result<SearchPage, SearchError>>);

/// How long to wait for the answer to a request without a deadline.
const PATIENCE: Duration = Duration::from_secs(60);

impl OverChannel {
    /// Answers from `backend`, on a thread that ends with the last sender of requests.
    #[must_use]
    pub fn new(backend: Arc<dyn SearchBackend>) -> Self {
        let dataset = backend.dataset().clone();
        let (requests, asked) = mpsc::channel::<Asked>();
        thread::spawn(move || {
            for (request, answer) in asked {
                // The caller may have given up.
                let _ = answer.send(backend.search(&request));
            }
        });
        Self { requests, dataset }
    }
}

impl SearchBackend for OverChannel {
    fn search(&self, request: &SearchRequest) -> Result<SearchPage, SearchError> {
        let unavailable = || SearchError::Unavailable {
            retry_after: Duration::from_secs(1),
            reason: "the thread that answers has ended".to_owned(),
        };
        let (sender, answer) = mpsc::channel();
        self.requests.send((request.clone(), sender)).map_err(|_| unavailable())?;
        let left = request.deadline.map(|deadline| deadline - Instant::now());
        match answer.recv_timeout(left.unwrap_or(PATIENCE)) {
            Ok(answered) => answered,
            Err(RecvTimeoutError::Timeout) => Err(SearchError::TimedOut),
            Err(RecvTimeoutError::Disconnected) => Err(unavailable()),
        }
    }

    fn dataset(&self) -> &DatasetInfo {
        &self.dataset
    }

    fn is_remote(&self) -> bool {
        true
    }
}
