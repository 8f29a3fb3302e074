//! What all workers share.

use std::sync::Arc;

use outfall_query::SearchBackend;

use crate::Settings;
use crate::admission::{Gate, Slots};
use crate::failed_attempts::FailedAttempts;
use crate::generations::SharedBackend;
use crate::keys::KeyStore;
use crate::metrics::Metrics;
use crate::problem::Problem;
use crate::rate_limit::RateLimits;

/// What all workers share.
pub(crate) struct AppState {
    pub(crate) settings: Arc<Settings>,
    pub(crate) keys: Arc<KeyStore>,
    pub(crate) rate_limits: RateLimits,
    pub(crate) failed_attempts: FailedAttempts,
    pub(crate) metrics: Metrics,
    pub(crate) requests: Slots,
    pub(crate) exports: Slots,
    /// Searches on threads of their own, and the pages of exports.
    pub(crate) searches: Arc<Gate>,
    backend: SharedBackend,
}

impl AppState {
    pub(crate) fn new(settings: Settings, backend: SharedBackend, keys: Arc<KeyStore>) -> Self {
        let gate = Gate::new(settings.max_searches, settings.max_waiting, settings.max_wait);
        Self {
            rate_limits: RateLimits::new(settings.rate_limit),
            metrics: Metrics::new(backend.loads()),
            failed_attempts: FailedAttempts::new(settings.failed_attempts),
            requests: Slots::new(settings.max_requests_of_key, usize::MAX),
            exports: Slots::new(settings.max_exports_of_key, settings.max_exports),
            searches: Arc::new(gate),
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
}
