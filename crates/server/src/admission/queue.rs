//! Those that wait, bounded in number and in time.

use std::future::Future;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::time::timeout;

use crate::problem::Problem;

/// A bounded queue.
pub(super) struct Queue {
    waiting: AtomicUsize,
    max_waiting: usize,
    pub(super) max_wait: Duration,
}

/// One that waits, for as long as this is held: a client that goes away waits no more.
pub(super) struct Waiting<'a> {
    queue: &'a Queue,
    /// How many waited before.
    pub(super) place: usize,
}

impl Queue {
    /// A queue of at most `max_waiting`, each for at most `max_wait`.
    pub(super) const fn new(max_waiting: usize, max_wait: Duration) -> Self {
        Self { waiting: AtomicUsize::new(0), max_waiting, max_wait }
    }

    /// How many wait.
    pub(super) fn len(&self) -> usize {
        self.waiting.load(Ordering::Relaxed)
    }

    /// Takes the last place.
    ///
    /// # Errors
    /// [`Problem::Overloaded`] when too many wait already.
    pub(super) fn join(&self) -> Result<Waiting<'_>, Problem> {
        let place = self.waiting.fetch_add(1, Ordering::Relaxed);
        let waiting = Waiting { queue: self, place };
        if place < self.max_waiting { Ok(waiting) } else { Err(Problem::Overloaded) }
    }
}

impl Waiting<'_> {
    /// Waits for what is awaited.
    ///
    /// # Errors
    /// [`Problem::Overloaded`] when it does not come in time.
    pub(super) async fn wait_for<T>(&self, awaited: impl Future<Output = T>) -> Result<T, Problem> {
        timeout(self.queue.max_wait, awaited).await.map_err(|_| Problem::Overloaded)
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.queue.waiting.fetch_sub(1, Ordering::Relaxed);
    }
}
