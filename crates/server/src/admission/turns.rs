//! A worker's time between searching and everything else that it does.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use actix_web::rt;
use tokio::task::yield_now;

use super::{FairQueue, Party, Place};
use crate::Settings;
use crate::problem::Problem;

/// The turns of one worker. In a round of its event loop searches together take little more than a
/// slice of time, or as much as everything else takes; those that come after wait for the next
/// round. So a flood of requests that cost little is answered rather than refused, for to refuse
/// them costs nearly as much.
#[derive(Clone)]
pub(crate) struct Turns(Rc<Shared>);

struct Shared {
    slice: Duration,
    /// One turn at a time; the others wait for theirs.
    queue: Arc<FairQueue>,
    /// What the next search of a party gets of a slice, where that is less than all of it.
    shares: RefCell<HashMap<Party, Duration>>,
    /// When the first search of this round began; `None` before it ended.
    began: Cell<Option<Instant>>,
    /// How long searches have taken in this round.
    spent: Cell<Duration>,
    /// The turn that is next, in a round that has no time for it.
    next: RefCell<Option<Place>>,
}

/// Time for one search, which begins with it and ends when it is dropped.
pub(crate) struct Turn {
    turns: Rc<Shared>,
    party: Party,
    place: Option<Place>,
    began: Instant,
    share: Duration,
}

/// A search gets at least this part of a slice, which is as much as most of them need.
const LEAST_SHARE: u32 = 64;

impl Turns {
    /// The turns of one of the workers of the settings.
    pub(crate) fn of_worker(settings: &Settings) -> Self {
        Self(Rc::new(Shared {
            slice: settings.search_slice,
            queue: FairQueue::with_sure_waiters(
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

    /// Waits for time to search, mostly not at all.
    ///
    /// # Errors
    /// [`Problem::Overloaded`] when too many wait already, or there was no time in time.
    pub(crate) async fn begin(&self, party: &Party) -> Result<Turn, Problem> {
        let place = Some(self.0.queue.enter(party).await?);
        let turns = Rc::clone(&self.0);
        let share = turns.shares.borrow().get(party).copied().unwrap_or(turns.slice);
        Ok(Turn { turns, party: party.clone(), place, began: Instant::now(), share })
    }
}

impl Shared {
    /// Whether searches may take more of this round.
    fn has_time(&self) -> bool {
        let spent = self.spent.get();
        spent < self.slice || self.began.get().is_some_and(|began| spent < began.elapsed() / 2)
    }
}

impl Turn {
    /// When the worker should see to something else.
    pub(crate) fn ends(&self) -> Instant {
        self.began + self.share
    }

    /// Takes note whether that was enough. What a long search does in its turn is lost; when one
    /// follows another, and most are refused in the end, that must be little beside what the others
    /// need to be answered.
    pub(crate) fn end(self, was_enough: bool) {
        let Shared { slice, shares, .. } = self.turns.as_ref();
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

impl Drop for Turn {
    fn drop(&mut self) {
        let turns = &self.turns;
        turns.spent.set(turns.spent.get() + self.began.elapsed());
        if turns.began.get().is_none() {
            turns.began.set(Some(self.began));
            let turns = Rc::clone(turns);
            rt::spawn(async move {
                // Everything else that is ready runs before this goes on.
                yield_now().await;
                turns.spent.set(Duration::ZERO);
                turns.began.set(None);
                drop(turns.next.take());
            });
        }
        if !turns.has_time() {
            turns.next.replace(self.place.take());
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
        let turns = Turns::of_worker(&few);
        turns.0.spent.set(HOUR);
        drop(turns.begin(&None).await.unwrap());
        let first = turns.begin(&None);
        let second = async {
            let refused = turns.begin(&None).await.map(drop).unwrap_err();
            assert!(turns.0.spent.get() >= HOUR, "the round ended before");
            refused
        };
        let (first, refused) = tokio::join!(first, second);
        assert_eq!(refused, Problem::Overloaded);
        drop(first.unwrap());
        assert!(turns.begin(&None).await.is_ok());
    }

    #[actix_web::test]
    async fn searches_take_as_much_of_a_round_as_everything_else() {
        let turns = Turns::of_worker(&settings());
        for (spent, of_round, has_time) in [(63, 0, true), (3_600_000, 0, false), (100, 1000, true)]
        {
            turns.0.spent.set(Duration::from_millis(spent));
            turns.0.began.set(Instant::now().checked_sub(Duration::from_millis(of_round)));
            assert_eq!(turns.0.has_time(), has_time, "{spent} of {of_round} ms");
        }
    }

    #[actix_web::test]
    async fn long_searches_of_a_party_get_less_the_more_of_them_come() {
        let turns = Turns::of_worker(&settings());
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
            let turn = turns.begin(&None).await.unwrap();
            assert_eq!((turn.ends() - turn.began).as_millis(), expected);
            turn.end(was_enough);
            let other = turns.begin(&Some(KeyId::demo())).await.unwrap();
            assert_eq!((other.ends() - other.began).as_millis(), 64, "of another party");
            other.end(true);
        }
        for _ in 0..6 {
            turns.begin(&None).await.unwrap().end(true);
        }
        assert_eq!(turns.0.shares.borrow().len(), 0, "a party that has all of a slice is kept");
    }
}
