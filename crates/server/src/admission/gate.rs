//! A bound on what runs at once, with a short bounded queue before it.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use crate::problem::Problem;

/// Lets so many pass at once; some more wait in the order in which they came, the rest is refused.
pub(crate) struct Gate {
    permits: Arc<Semaphore>,
    waiting: AtomicUsize,
    max_waiting: usize,
    max_wait: Duration,
}

impl Gate {
    /// A gate that lets `running` pass, and lets `max_waiting` wait for at most `max_wait` each.
    pub(crate) fn new(running: usize, max_waiting: usize, max_wait: Duration) -> Self {
        let permits = Arc::new(Semaphore::new(running));
        Self { permits, waiting: AtomicUsize::new(0), max_waiting, max_wait }
    }

    /// How many wait.
    pub(crate) fn waiting(&self) -> usize {
        self.waiting.load(Ordering::Relaxed)
    }

    /// Waits for a place; whoever passed has it until the permit is dropped.
    ///
    /// # Errors
    /// [`Problem::Overloaded`] when too many wait already, or none made room in time.
    pub(crate) async fn enter(&self) -> Result<OwnedSemaphorePermit, Problem> {
        if let Ok(permit) = Arc::clone(&self.permits).try_acquire_owned() {
            return Ok(permit);
        }
        let waiting = Waiting::begin(&self.waiting);
        if waiting.place >= self.max_waiting {
            return Err(Problem::Overloaded);
        }
        match timeout(self.max_wait, self.enter_patiently()).await {
            Ok(entered) => entered,
            Err(_) => Err(Problem::Overloaded),
        }
    }

    /// Waits for a place as long as it takes, for those whose number is bounded elsewhere.
    ///
    /// # Errors
    /// [`Problem::Overloaded`] when the gate is closed, which it never is.
    pub(crate) async fn enter_patiently(&self) -> Result<OwnedSemaphorePermit, Problem> {
        let permits = Arc::clone(&self.permits);
        permits.acquire_owned().await.map_err(|_| Problem::Overloaded)
    }
}

/// One that waits, for as long as this is held: a client that goes away waits no more.
struct Waiting<'a> {
    count: &'a AtomicUsize,
    /// How many waited before.
    place: usize,
}

impl<'a> Waiting<'a> {
    fn begin(count: &'a AtomicUsize) -> Self {
        Self { count, place: count.fetch_add(1, Ordering::Relaxed) }
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.count.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[actix_web::test]
    async fn one_runs_one_waits_and_the_rest_is_refused() {
        let gate = Gate::new(1, 1, Duration::from_secs(60));
        let first = gate.enter().await.unwrap();
        let second = gate.enter();
        let third = async {
            let refused = gate.enter().await.unwrap_err();
            drop(first);
            refused
        };
        let (second, refused) = tokio::join!(second, third);
        assert_eq!(refused, Problem::Overloaded);
        drop(second.unwrap());
        assert!(gate.enter().await.is_ok());
    }

    #[actix_web::test]
    async fn nobody_waits_for_ever_and_no_place_is_lost() {
        let gate = Gate::new(1, 1, Duration::from_millis(1));
        let first = gate.enter().await.unwrap();
        assert_eq!(gate.enter().await.unwrap_err(), Problem::Overloaded);
        drop(first);
        assert!(gate.enter().await.is_ok());
    }
}
