//! A bound on what runs at once, with a short bounded queue before it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::queue::Queue;
use crate::problem::Problem;

/// Lets so many pass at once; some more wait in the order in which they came, the rest is refused.
pub(crate) struct Gate {
    permits: Arc<Semaphore>,
    queue: Queue,
    /// Nanoseconds between one who waits and the next to enter, smoothed; 0 before any has.
    pace: AtomicU64,
}

impl Gate {
    /// A gate that lets `running` pass, and lets `max_waiting` wait for at most `max_wait` each.
    pub(crate) fn new(running: usize, max_waiting: usize, max_wait: Duration) -> Self {
        let permits = Arc::new(Semaphore::new(running));
        Self { permits, queue: Queue::new(max_waiting, max_wait), pace: AtomicU64::new(0) }
    }

    /// How many wait.
    pub(crate) fn waiting(&self) -> usize {
        self.queue.len()
    }

    /// Waits for a place; whoever passed has it until the permit is dropped.
    ///
    /// # Errors
    /// [`Problem::Overloaded`] when too many wait already, or none made room in time or would.
    pub(crate) async fn enter(&self) -> Result<OwnedSemaphorePermit, Problem> {
        if let Ok(permit) = Arc::clone(&self.permits).try_acquire_owned() {
            return Ok(permit);
        }
        let waiting = self.queue.join()?;
        if self.is_in_vain(waiting.place) {
            return Err(Problem::Overloaded);
        }
        let began = Instant::now();
        let entered = waiting.wait_for(self.enter_patiently()).await;
        self.note_pace(began.elapsed(), waiting.place);
        entered?
    }

    /// Whether so many are before it that it would hardly enter in time: better refused at once
    /// than after waiting. The first one always waits, or nobody would learn a better pace.
    fn is_in_vain(&self, place: usize) -> bool {
        let pace = Duration::from_nanos(self.pace.load(Ordering::Relaxed));
        let before = u32::try_from(place).unwrap_or(u32::MAX);
        before > 0 && pace.saturating_mul(before.saturating_add(1)) > self.queue.max_wait / 2
    }

    fn note_pace(&self, waited: Duration, place: usize) {
        let seen = waited.as_nanos() as u64 / (place as u64 + 1);
        let known = self.pace.load(Ordering::Relaxed);
        // What another thread notes at the same moment may be lost; the next makes up for it.
        let pace = if known == 0 { seen } else { known - known / 8 + seen / 8 };
        self.pace.store(pace, Ordering::Relaxed);
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
    async fn who_would_wait_in_vain_is_refused_at_once() {
        let gate = Gate::new(1, 100, Duration::from_millis(300));
        for (pace, place, is_in_vain) in [
            (0, 99, false),
            (1, 99, false),
            (2, 99, true),
            (75, 1, false),
            (76, 1, true),
            (100_000, 0, false),
        ] {
            gate.pace.store(pace * 1_000_000, Ordering::Relaxed);
            assert_eq!(gate.is_in_vain(place), is_in_vain, "{pace} ms, {place} before");
        }
        gate.pace.store(0, Ordering::Relaxed);
        for (waited, place, pace) in [(90, 2, 30), (30, 0, 30), (110, 0, 40)] {
            gate.note_pace(Duration::from_nanos(waited), place);
            assert_eq!(gate.pace.load(Ordering::Relaxed).next_multiple_of(10), pace, "{waited}");
        }
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
