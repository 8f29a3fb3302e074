//! Divides a worker's time between searches and everything else.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use actix_web::rt;
use tokio::task::yield_now;

use super::{FairQueue, Overloaded, Party, Place};
use crate::Settings;

/// The search time of one worker. In each round of its event loop, searches together take little
/// more than one slice, or as much time as everything else takes; later ones wait for the next
/// round. Even in a flood, cheap requests are answered rather than refused, because refusing them
/// costs almost as much.
#[derive(Clone)]
pub(crate) struct WorkerBudget(Rc<Shared>);

struct Shared {
    slice: Duration,
    /// Admits one search at a time.
    queue: Arc<FairQueue>,
    /// The share of a slice that a party's next search gets, if less than all of it.
    shares: RefCell<HashMap<Party, Duration>>,
    /// When the first search of this round began; set once that search has ended.
    began: Cell<Option<Instant>>,
    /// How long the searches of this round have taken.
    spent: Cell<Duration>,
    /// The place of the next search, held back until the next round.
    next: RefCell<Option<Place>>,
}

/// Permission for one search, which ends when this is dropped.
pub(crate) struct BudgetGuard {
    budget: Rc<Shared>,
    party: Party,
    place: Option<Place>,
    began: Instant,
    share: Duration,
}

/// The smallest share is this fraction of a slice, which is enough for most searches.
const LEAST_SHARE: u32 = 64;

impl WorkerBudget {
    pub(crate) fn of_worker(settings: &Settings) -> Self {
        Self(Rc::new(Shared {
            slice: settings.search_slice,
            queue: FairQueue::new(
                1,
                settings.max_waiting,
                settings.max_waiting_for_turn,
                settings.max_wait,
            ),
            shares: RefCell::default(),
            began: Cell::default(),
            spent: Cell::default(),
            next: RefCell::default(),
        }))
    }

    /// Waits until this worker may search, which is usually at once.
    ///
    /// # Errors
    /// [`Overloaded`] when too many wait already, or no turn came in time.
    pub(crate) async fn begin(&self, party: &Party) -> Result<BudgetGuard, Overloaded> {
        let place = Some(self.0.queue.enter(party).await?);
        let budget = Rc::clone(&self.0);
        let share = budget.shares.borrow().get(party).copied().unwrap_or(budget.slice);
        Ok(BudgetGuard { budget, party: party.clone(), place, began: Instant::now(), share })
    }
}

impl Shared {
    /// Whether searches may take more of this round.
    fn has_time(&self) -> bool {
        let spent = self.spent.get();
        spent < self.slice || self.began.get().is_some_and(|began| spent < began.elapsed() / 2)
    }
}

impl BudgetGuard {
    /// When the worker should turn to something else.
    pub(crate) fn ends(&self) -> Instant {
        self.began + self.share
    }

    /// Records whether the share was enough. The work of a search that exceeds its share is lost,
    /// so under a stream of such searches the share must stay small.
    pub(crate) fn end(self, was_enough: bool) {
        let Shared { slice, shares, .. } = self.budget.as_ref();
        if was_enough && self.share == *slice {
            return;
        }
        let share = if was_enough { self.share * 2 } else { self.share / 2 };
        let mut shares = shares.borrow_mut();
        if share >= *slice {
            shares.remove(&self.party);
        } else {
            shares.insert(self.party.clone(), share.max(*slice / LEAST_SHARE));
        }
    }
}

impl Drop for BudgetGuard {
    fn drop(&mut self) {
        let budget = &self.budget;
        budget.spent.set(budget.spent.get() + self.began.elapsed());
        if budget.began.get().is_none() {
            budget.began.set(Some(self.began));
            let budget = Rc::clone(budget);
            rt::spawn(async move {
                // Lets everything else that is ready run first.
                yield_now().await;
                budget.spent.set(Duration::ZERO);
                budget.began.set(None);
                drop(budget.next.take());
            });
        }
        if !budget.has_time() {
            budget.next.replace(self.place.take());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keys::KeyId;

    fn settings() -> Settings {
        Settings { search_slice: Duration::from_millis(64), ..Settings::default() }
    }

    const HOUR: Duration = Duration::from_secs(3600);

    #[actix_web::test]
    async fn a_round_without_time_lets_some_wait_for_the_next() {
        let few = Settings { max_waiting_for_turn: 1, max_wait: HOUR, ..settings() };
        let budget = WorkerBudget::of_worker(&few);
        budget.0.spent.set(HOUR);
        drop(budget.begin(&None).await.unwrap());
        let first = budget.begin(&None);
        let second = async {
            let refused = budget.begin(&None).await.map(drop).unwrap_err();
            assert!(budget.0.spent.get() >= HOUR, "the round ended before");
            refused
        };
        let (first, refused) = tokio::join!(first, second);
        assert_eq!(refused, Overloaded);
        drop(first.unwrap());
        assert!(budget.begin(&None).await.is_ok());
    }

    #[actix_web::test]
    async fn searches_take_as_much_of_a_round_as_everything_else() {
        let budget = WorkerBudget::of_worker(&settings());
        for (spent, of_round, has_time) in [(63, 0, true), (3_600_000, 0, false), (100, 1000, true)]
        {
            budget.0.spent.set(Duration::from_millis(spent));
            budget.0.began.set(Instant::now().checked_sub(Duration::from_millis(of_round)));
            assert_eq!(budget.0.has_time(), has_time, "{spent} of {of_round} ms");
        }
    }

    #[actix_web::test]
    async fn long_searches_of_a_party_get_less_the_more_of_them_come() {
        let budget = WorkerBudget::of_worker(&settings());
        let shares = [
            (false, 64),
            (false, 32),
            (true, 16),
            (false, 32),
            (false, 16),
            (false, 8),
            (false, 4),
            (false, 2),
            (false, 1),
            (false, 1),
            (true, 1),
            (true, 2),
        ];
        for (was_enough, expected) in shares {
            let guard = budget.begin(&None).await.unwrap();
            assert_eq!((guard.ends() - guard.began).as_millis(), expected);
            guard.end(was_enough);
            let other = budget.begin(&Some(KeyId::demo())).await.unwrap();
            assert_eq!((other.ends() - other.began).as_millis(), 64, "of another party");
            other.end(true);
        }
        for _ in 0..6 {
            budget.begin(&None).await.unwrap().end(true);
        }
        assert_eq!(budget.0.shares.borrow().len(), 0, "a party that has all of a slice is kept");
    }
}
