//! What all workers share.

use std::net::IpAddr;
use std::sync::Arc;

use outfall_query::SearchBackend;

use crate::Settings;
use crate::admission::{Gate, Slots};
use crate::generations::SharedBackend;
use crate::keys::{KeyId, KeyStore};
use crate::metrics::Metrics;
use crate::problem::Problem;
use crate::rate_limit::{AddressLimits, Allowance, Buckets};

/// What all workers share.
pub(crate) struct AppState {
    pub(crate) settings: Arc<Settings>,
    pub(crate) keys: Arc<KeyStore>,
    /// There are never more than keys; none when nothing is limited.
    key_limits: Option<Buckets<KeyId>>,
    demo_limits: AddressLimits,
    /// Only requests without a good key are counted and refused: behind a gateway all clients have
    /// one address, and nobody may lock the others out.
    pub(crate) failed_attempts: AddressLimits,
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
            key_limits: settings.rate_limit.quota().map(Buckets::new),
            demo_limits: AddressLimits::per_hour(settings.demo_key),
            metrics: Metrics::new(backend.loads(), &settings.malformed_requests),
            failed_attempts: AddressLimits::new(settings.failed_attempts),
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

    /// Counts a request; `None` when nothing is limited. Whoever has the key that everybody has is
    /// counted by address.
    pub(crate) fn take_allowance(&self, key: &KeyId, peer: IpAddr) -> Option<Allowance> {
        match key.is_demo() {
            true => self.demo_limits.take(peer),
            false => self.key_limits.as_ref().map(|buckets| buckets.take(key)),
        }
    }

    /// Whether something newer is published than what is served, and cannot be served.
    pub(crate) fn is_index_degraded(&self) -> bool {
        self.backend.trouble().is_some()
    }

    /// Whether the key file cannot be read, so that changes of keys are not followed.
    pub(crate) fn is_key_file_unreadable(&self) -> bool {
        self.keys.trouble().is_some()
    }
}
