//! Threads that check something periodically.

use std::io;
use std::sync::{Arc, OnceLock};
use std::thread::{self, Thread};
use std::time::Duration;

/// The thread that checks something at regular intervals and whenever it is woken, for as long as
/// anybody uses what it checks.
#[derive(Debug, Default)]
pub(crate) struct Watcher(OnceLock<Thread>);

impl Watcher {
    /// Starts the thread, which checks for the first time after an interval.
    ///
    /// # Errors
    /// When no thread can be started.
    pub(crate) fn start<T: Send + Sync + 'static>(
        &self,
        name: &str,
        interval: Duration,
        watched: &Arc<T>,
        mut look: impl FnMut(&T) + Send + 'static,
    ) -> io::Result<()> {
        let watched = Arc::downgrade(watched);
        let thread = thread::Builder::new().name(name.to_owned()).spawn(move || {
            loop {
                thread::park_timeout(interval);
                let Some(watched) = watched.upgrade() else { return };
                look(&watched);
            }
        })?;
        // It is started once, before anybody else has the watcher.
        let _ = self.0.set(thread.thread().clone());
        Ok(())
    }

    /// Wakes the thread, so that it checks at once.
    pub(crate) fn look_now(&self) {
        if let Some(thread) = self.0.get() {
            thread.unpark();
        }
    }
}
