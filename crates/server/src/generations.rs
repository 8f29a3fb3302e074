//! The index that is served, and taking over the next one.

mod follower;

use std::io;
use std::path::Path;
use std::sync::{Arc, OnceLock, Weak};
use std::thread::{self, Thread};
use std::time::Duration;

use arc_swap::ArcSwapOption;
use outfall_request::{BackendSource, SearchBackend};
use prometheus_client::metrics::counter::Counter;

use self::follower::Follower;

/// How often `CURRENT` is looked at.
const POLL: Duration = Duration::from_secs(1);

/// The backend of all requests; a request keeps the one that it began with.
#[derive(Clone)]
pub struct SharedBackend {
    shared: Arc<Shared>,
}

struct Shared {
    current: ArcSwapOption<Served>,
    loads: IndexLoads,
    /// Why the index that is published is not the one that is served.
    trouble: ArcSwapOption<Arc<str>>,
    /// Looks at `CURRENT`, once a second and whenever it is woken.
    watcher: OnceLock<Thread>,
}

/// How often an index was taken over, and how often one was refused.
#[derive(Clone, Debug, Default)]
pub struct IndexLoads {
    pub(crate) done: Counter,
    pub(crate) failed: Counter,
}

/// A backend of any kind, behind a pointer of one word.
struct Served(Arc<dyn SearchBackend>);

impl SharedBackend {
    /// Serves `backend`, or nothing, for ever.
    #[must_use]
    pub fn holding(backend: Option<Arc<dyn SearchBackend>>) -> Self {
        let current = ArcSwapOption::new(backend.map(|backend| Arc::new(Served(backend))));
        Self {
            shared: Arc::new(Shared {
                current,
                loads: IndexLoads::default(),
                trouble: ArcSwapOption::empty(),
                watcher: OnceLock::new(),
            }),
        }
    }

    /// Serves what is published in a data directory, now and whenever that changes.
    ///
    /// An index that cannot be opened leaves the one before it served.
    ///
    /// # Errors
    /// When no thread can be started to look for changes.
    pub fn watching(data: &Path) -> io::Result<Self> {
        let backend = Self::holding(None);
        let mut follower = Follower::new(data);
        follower.look(&backend.shared);
        let shared = Arc::downgrade(&backend.shared);
        // Opening an index takes a while, so it is kept away from the threads that answer.
        let watcher = thread::Builder::new()
            .name("follow index".to_owned())
            .spawn(move || watch(&shared, &mut follower))?;
        // Nobody else has the backend as yet, so that nobody else has set it.
        let _ = backend.shared.watcher.set(watcher.thread().clone());
        Ok(backend)
    }

    /// Looks at what is published at once instead of within a second.
    pub fn look_now(&self) {
        if let Some(watcher) = self.shared.watcher.get() {
            watcher.unpark();
        }
    }

    /// The counters of indexes taken over and refused.
    #[must_use]
    pub fn loads(&self) -> &IndexLoads {
        &self.shared.loads
    }
}

impl BackendSource for SharedBackend {
    fn current(&self) -> Option<Arc<dyn SearchBackend>> {
        self.shared.current.load().as_ref().map(|served| Arc::clone(&served.0))
    }

    fn trouble(&self) -> Option<Arc<str>> {
        self.shared.trouble.load().as_deref().cloned()
    }
}

/// Looks at `CURRENT` until nobody serves from it any more.
fn watch(shared: &Weak<Shared>, follower: &mut Follower) {
    loop {
        thread::park_timeout(POLL);
        let Some(shared) = shared.upgrade() else { return };
        follower.look(&shared);
    }
}

impl Shared {
    fn serve(&self, backend: Arc<dyn SearchBackend>) {
        self.current.store(Some(Arc::new(Served(backend))));
    }

    fn serves_nothing(&self) -> bool {
        self.current.load().is_none()
    }
}
