//! What all workers share, and the one door to the backend.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Instant;

use outfall_query::{SearchBackend, SearchError, SearchPage, SearchRequest};

use crate::Settings;
use crate::export::ExportSlots;
use crate::generations::SharedBackend;
use crate::http::RequestId;
use crate::keys::KeyStore;
use crate::problem::Problem;
use crate::rate_limit::RateLimits;

/// What all workers share.
pub(crate) struct AppState {
    pub(crate) settings: Arc<Settings>,
    pub(crate) keys: Arc<KeyStore>,
    pub(crate) rate_limits: RateLimits,
    pub(crate) exports: ExportSlots,
    backend: SharedBackend,
}

impl AppState {
    pub(crate) fn new(settings: Settings, backend: SharedBackend, keys: Arc<KeyStore>) -> Self {
        Self {
            rate_limits: RateLimits::new(settings.rate_limit),
            exports: ExportSlots::default(),
            settings: Arc::new(settings),
            backend,
            keys,
        }
    }

    /// What is served now; a request keeps it from its start to its end.
    ///
    /// # Errors
    /// [`Problem::NoIndex`] when nothing is served as yet.
    pub(crate) fn backend(&self) -> Result<Arc<dyn SearchBackend>, Problem> {
        self.backend.current().ok_or(Problem::NoIndex)
    }

    /// Whether something newer is published than what is served, and cannot be served.
    pub(crate) fn is_degraded(&self) -> bool {
        self.backend.trouble().is_some()
    }

    /// Searches within the deadline. It runs on the worker itself, for it takes far less time than
    /// handing it over would.
    ///
    /// # Errors
    /// [`Problem::TimedOut`], or [`Problem::Internal`] when the backend fails or panics; the log
    /// then says why, under the id of the request.
    pub(crate) fn search(
        &self,
        backend: &dyn SearchBackend,
        mut request: SearchRequest,
        id: &RequestId,
    ) -> Result<SearchPage, Problem> {
        let limit = self.settings.search_deadline;
        request.deadline = Instant::now().checked_add(limit);
        // A backend changes nothing that outlives a search, so a panic leaves nothing half done.
        match catch_unwind(AssertUnwindSafe(|| backend.search(&request))) {
            Ok(Ok(page)) => Ok(page),
            Ok(Err(SearchError::TimedOut)) => Err(Problem::TimedOut { limit }),
            Ok(Err(error @ SearchError::Engine(_))) => {
                tracing::error!(request_id = %id, %error, "the search failed");
                Err(Problem::Internal)
            }
            Err(panic) => {
                let message = panic_message(panic.as_ref());
                tracing::error!(request_id = %id, message, "the search panicked");
                Err(Problem::Internal)
            }
        }
    }
}

fn panic_message(panic: &(dyn std::any::Any + Send)) -> &str {
    match (panic.downcast_ref::<&str>(), panic.downcast_ref::<String>()) {
        (Some(message), _) => message,
        (None, Some(message)) => message,
        (None, None) => "without a message",
    }
}
