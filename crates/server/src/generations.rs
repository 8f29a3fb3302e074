//! What is served now, and taking over what is published next.

use std::path::Path;
use std::sync::{Arc, OnceLock, Weak};
use std::thread::{self, Thread};
use std::time::Duration;

use arc_swap::ArcSwapOption;
use outfall_layout::{Current, LayoutError};
use outfall_query::SearchBackend;
use outfall_query::embedded::EmbeddedBackend;
use prometheus_client::metrics::counter::Counter;

/// How often `CURRENT` is looked at.
const POLL: Duration = Duration::from_secs(1);

/// The backend of all requests; a request keeps the one that it began with.
#[derive(Clone)]
pub struct SharedBackend {
    shared: Arc<Shared>,
}

struct Shared {
    current: ArcSwapOption<Held>,
    loads: Loads,
    /// Why the index that is published is not the one that is served.
    trouble: ArcSwapOption<String>,
    /// Looks at `CURRENT`, once a second and whenever it is woken.
    watcher: OnceLock<Thread>,
}

/// How often an index was taken over, and how often one was refused.
#[derive(Debug, Default)]
pub(crate) struct Loads {
    pub(crate) done: Counter,
    pub(crate) failed: Counter,
}

/// A backend of any kind, behind a pointer of one word.
struct Held(Arc<dyn SearchBackend>);

impl SharedBackend {
    /// Serves `backend`, or nothing, for ever.
    #[must_use]
    pub fn holding(backend: Option<Arc<dyn SearchBackend>>) -> Self {
        let current = ArcSwapOption::new(backend.map(|backend| Arc::new(Held(backend))));
        Self {
            shared: Arc::new(Shared {
                current,
                loads: Loads::default(),
                trouble: ArcSwapOption::empty(),
                watcher: OnceLock::new(),
            }),
        }
    }

    /// Serves what is published in a data directory, now and whenever that changes.
    ///
    /// An index that cannot be opened leaves the one before it served.
    #[must_use]
    pub fn watching(data: &Path) -> Self {
        let backend = Self::holding(None);
        let mut seen = None;
        take_over(&backend.shared, data, &mut seen);
        if backend.current().is_none() {
            fall_back(&backend.shared, data);
        }
        let (shared, data) = (Arc::downgrade(&backend.shared), data.to_owned());
        // Opening an index takes a while, so it is kept away from the threads that answer.
        let watcher = thread::spawn(move || watch(&shared, &data, seen));
        // Nobody else has the backend as yet, so that nobody else has set it.
        let _ = backend.shared.watcher.set(watcher.thread().clone());
        backend
    }

    /// What is served now.
    #[must_use]
    pub fn current(&self) -> Option<Arc<dyn SearchBackend>> {
        self.shared.current.load().as_ref().map(|held| Arc::clone(&held.0))
    }

    /// Looks at what is published at once instead of within a second.
    pub fn look_now(&self) {
        if let Some(watcher) = self.shared.watcher.get() {
            watcher.unpark();
        }
    }

    pub(crate) fn loads(&self) -> &Loads {
        &self.shared.loads
    }

    /// Why the index that is published is not the one that is served, if it is not.
    #[must_use]
    pub fn trouble(&self) -> Option<Arc<String>> {
        self.shared.trouble.load_full()
    }
}

/// Looks at `CURRENT` until nobody serves from it any more.
fn watch(shared: &Weak<Shared>, data: &Path, mut seen: Option<Current>) {
    loop {
        thread::park_timeout(POLL);
        let Some(shared) = shared.upgrade() else { return };
        take_over(&shared, data, &mut seen);
    }
}

/// Opens what is published if it is not what was `seen` before.
fn take_over(shared: &Shared, data: &Path, seen: &mut Option<Current>) {
    let published = match Current::read(data) {
        Ok(current) if Some(&current) == seen.as_ref() => return,
        Ok(current) => current,
        Err(error) => return report(shared, &error),
    };
    match EmbeddedBackend::open(data) {
        Ok(backend) => {
            tracing::info!(generation = backend.generation(), "a new index is served");
            shared.current.store(Some(Arc::new(Held(Arc::new(backend)))));
            shared.trouble.store(None);
            shared.loads.done.inc();
        }
        Err(error) => report(shared, &error),
    }
    // A damaged index stays damaged: it is not opened again until another one is published.
    *seen = Some(published);
}

/// Serves the newest whole index where the published one cannot be, which stays reported.
fn fall_back(shared: &Shared, data: &Path) {
    if let Ok(backend) = EmbeddedBackend::open_newest(data) {
        tracing::warn!(generation = backend.generation(), "the newest whole index is served");
        shared.current.store(Some(Arc::new(Held(Arc::new(backend)))));
    }
}

fn report(shared: &Shared, error: &LayoutError) {
    let trouble = error.to_string();
    if shared.trouble.load().as_deref() != Some(&trouble) {
        tracing::error!(%error, "the published index cannot be served");
        shared.trouble.store(Some(Arc::new(trouble)));
        shared.loads.failed.inc();
    }
}
