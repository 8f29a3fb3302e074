//! The state that all workers share.

use std::sync::Arc;

use outfall_api::Problem;
use outfall_request::{BackendSource, SearchBackend};

use crate::Settings;
use crate::admission::{ConcurrencyLimit, FairQueue, Slot};
use crate::caller::Caller;
use crate::embed::EmbedPasses;
use crate::export::Places;
use crate::keys::{KeyId, KeyStore};
use crate::metrics::Metrics;
use crate::page_pass::PagePasses;
use crate::rate_limit::{AddressLimits, Allowance, Buckets};

/// The state that all workers share.
pub(crate) struct AppState {
    pub(crate) settings: Arc<Settings>,
    pub(crate) keys: Arc<KeyStore>,
    /// At most one bucket for each key; `None` when nothing is limited.
    key_limits: Option<Buckets<KeyId>>,
    demo_limits: AddressLimits,
    page_limits: AddressLimits,
    pub(crate) page_passes: PagePasses,
    pub(crate) embed_passes: EmbedPasses,
    /// Only requests without a valid key are counted and refused: behind a gateway all clients have
    /// one address, and nobody may lock the others out.
    pub(crate) failed_attempts: AddressLimits,
    pub(crate) metrics: Metrics,
    pub(crate) requests: ConcurrencyLimit<Caller>,
    exports: Arc<Places>,
    /// Visitors have separate places, so that they cannot take those of the holders of keys.
    exports_of_visitors: Arc<Places>,
    exports_of_pages: Arc<Places>,
    /// Searches on separate threads, and the pages of exports.
    pub(crate) searches: Arc<FairQueue>,
    /// Searches that wait for a remote engine, and the pages of exports from one.
    pub(crate) remote_searches: Arc<FairQueue>,
    source: Arc<dyn BackendSource>,
}

impl AppState {
    /// The state at start.
    ///
    /// # Errors
    /// When the operating system provides no randomness.
    pub(crate) fn new(
        settings: Settings,
        source: Arc<dyn BackendSource>,
        keys: Arc<KeyStore>,
    ) -> Result<Self, getrandom::Error> {
        let Settings { max_searches, max_remote_searches, max_waiting, max_wait, .. } = settings;
        let metrics = Metrics::new(&settings);
        let places = |of_caller, of_all| {
            Places::new(&settings, of_caller, of_all, metrics.exports_gave_way.clone())
        };
        let of_key = settings.max_exports_of_key;
        Ok(Self {
            key_limits: settings.rate_limit.quota().map(|quota| Buckets::new(quota, usize::MAX)),
            demo_limits: AddressLimits::per_hour(settings.demo_key),
            page_limits: AddressLimits::per_hour(settings.explorer),
            page_passes: PagePasses::new()?,
            embed_passes: EmbedPasses::new()?,
            failed_attempts: AddressLimits::new(settings.failed_attempts),
            requests: ConcurrencyLimit::new(settings.max_requests_of_key),
            exports: places(of_key, settings.max_exports),
            exports_of_visitors: places(of_key, settings.max_exports_of_visitors),
            exports_of_pages: places(1, settings.max_exports_of_visitors),
            searches: FairQueue::new(max_searches, 0, max_waiting, max_wait),
            remote_searches: FairQueue::new(max_remote_searches, 0, max_waiting, max_wait),
            metrics,
            settings: Arc::new(settings),
            source,
            keys,
        })
    }

    /// The current backend; a request keeps it from start to end.
    ///
    /// # Errors
    /// [`Problem::NoIndex`] when nothing is served yet.
    pub(crate) fn backend(&self) -> Result<Arc<dyn SearchBackend>, Problem> {
        self.source.current().ok_or(Problem::NoIndex)
    }

    /// The queue in which searches of a backend wait for a separate thread.
    pub(crate) fn queue_of(&self, backend: &dyn SearchBackend) -> &Arc<FairQueue> {
        if backend.is_remote() { &self.remote_searches } else { &self.searches }
    }

    /// Counts a request; `None` when nothing is limited.
    pub(crate) fn take_allowance(&self, caller: &Caller) -> Option<Allowance> {
        match caller {
            Caller::Anybody => None,
            Caller::Key(key) => self.key_limits.as_ref().map(|buckets| buckets.take(key)),
            Caller::Visitor(address) => self.demo_limits.take(*address),
            Caller::Page(address) => self.page_limits.take(*address),
        }
    }

    /// Counts a request among those that its caller has running, until the slot is dropped.
    ///
    /// # Errors
    /// [`Problem::TooManyAtOnce`] when the caller has as many running as it may.
    pub(crate) fn take_slot(&self, caller: &Caller) -> Result<Option<Slot<Caller>>, Problem> {
        match caller {
            Caller::Anybody => Ok(None),
            caller => self.requests.take(caller).map(Some).ok_or(Problem::TooManyAtOnce),
        }
    }

    /// The places that the exports of a caller share with others.
    pub(crate) fn exports_of(&self, caller: &Caller) -> &Arc<Places> {
        match caller {
            Caller::Anybody | Caller::Key(_) => &self.exports,
            Caller::Visitor(_) => &self.exports_of_visitors,
            Caller::Page(_) => &self.exports_of_pages,
        }
    }

    /// Whether the published index cannot be served.
    pub(crate) fn is_index_degraded(&self) -> bool {
        self.source.trouble().is_some()
    }

    /// Whether the key file cannot be read, so that changes of keys are not followed.
    pub(crate) fn is_key_file_unreadable(&self) -> bool {
        self.keys.trouble().is_some()
    }
}
