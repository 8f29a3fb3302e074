//! The served index, and the switch to the next one.

mod cluster;
mod follower;

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use arc_swap::ArcSwapOption;
use outfall_request::{BackendSource, SearchBackend};
use prometheus_client::metrics::counter::Counter;

use self::cluster::ClusterFollower;
use self::follower::Follower;
use crate::engines::Cluster;
use crate::watcher::Watcher;

/// How often the published index is checked.
const POLL: Duration = Duration::from_secs(1);

/// The backend of all requests; a request keeps the one that it began with.
#[derive(Clone)]
pub struct SharedBackend {
    shared: Arc<Shared>,
}

struct Shared {
    current: ArcSwapOption<Served>,
    loads: IndexLoads,
    /// Why the published index is not the one that is served.
    trouble: ArcSwapOption<Arc<str>>,
    /// The thread that checks the published index.
    watcher: Watcher,
}

/// Counts the indexes taken over and refused.
#[derive(Clone, Debug, Default)]
pub struct IndexLoads {
    pub(crate) done: Counter,
    pub(crate) failed: Counter,
}

/// A backend of any kind, wrapped so that a pointer to it is one word, as `ArcSwapOption` needs.
struct Served(Arc<dyn SearchBackend>);

impl SharedBackend {
    /// Serves `backend`, or nothing, and never changes.
    #[must_use]
    pub fn holding(backend: Option<Arc<dyn SearchBackend>>) -> Self {
        let current = ArcSwapOption::new(backend.map(|backend| Arc::new(Served(backend))));
        Self {
            shared: Arc::new(Shared {
                current,
                loads: IndexLoads::default(),
                trouble: ArcSwapOption::empty(),
                watcher: Watcher::default(),
            }),
        }
    }

    /// Serves the published index of a data directory, and follows changes.
    ///
    /// If an index cannot be opened, the one before it stays served.
    ///
    /// # Errors
    /// When no thread can be started to look for changes.
    pub fn watching(data: &Path) -> io::Result<Self> {
        let backend = Self::holding(None);
        let mut follower = Follower::new(data);
        follower.look(&backend.shared);
        // Opening an index takes a while, so it does not happen on the threads that answer
        // requests.
        let Self { shared } = &backend;
        shared.watcher.start("follow index", POLL, shared, move |shared| follower.look(shared))?;
        Ok(backend)
    }

    /// Serves the generation that is published in a cluster, and follows changes. The cluster need
    /// not be reachable; this does not wait for it.
    ///
    /// # Errors
    /// When no thread can be started to look for changes.
    pub fn following(cluster: Cluster) -> io::Result<Self> {
        let backend = Self::holding(None);
        let mut follower = ClusterFollower::new(cluster);
        let Self { shared } = &backend;
        shared
            .watcher
            .start("follow cluster", POLL, shared, move |shared| follower.look(shared))?;
        shared.watcher.look_now();
        Ok(backend)
    }

    /// Checks the published index at once instead of within a second.
    pub fn look_now(&self) {
        self.shared.watcher.look_now();
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

impl Shared {
    fn serve(&self, backend: Arc<dyn SearchBackend>) {
        self.current.store(Some(Arc::new(Served(backend))));
    }

    fn serves_nothing(&self) -> bool {
        self.current.load().is_none()
    }
}
