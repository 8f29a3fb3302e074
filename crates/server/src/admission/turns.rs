//! A worker's time between searching and everything else that it does.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::{Duration, Instant};

use actix_web::rt;
use tokio::sync::OwnedSemaphorePermit;
use tokio::task::yield_now;

use super::Gate;
use crate::Settings;
use crate::problem::Problem;

/// The turns of one worker. A turn is one round of its event loop, in which searches together take
/// little more than a slice of time; those that come after wait for the next round.
#[derive(Clone)]
pub(crate) struct Turns(Rc<Shared>);

struct Shared {
    gate: Gate,
    /// The most that searches together take in a round.
    slice: Duration,
    /// What the next search gets of it.
    share: Cell<Duration>,
    /// How long searches have taken in this round.
    spent: Cell<Duration>,
    /// Whether the end of this round is awaited.
    is_ending: Cell<bool>,
    /// What keeps searches from running until the next round.
    kept: RefCell<Option<OwnedSemaphorePermit>>,
}

/// Time for one search, which begins with it and ends when it is dropped.
pub(crate) struct Turn {
    turns: Rc<Shared>,
    permit: Option<OwnedSemaphorePermit>,
    began: Instant,
    share: Duration,
}

/// A search gets at least this part of a slice, which is as much as most of them need.
const LEAST_SHARE: u32 = 64;

impl Turns {
    /// The turns of one of the workers of the settings.
    pub(crate) fn of_worker(settings: &Settings) -> Self {
        // Those that wait for a turn wait for the next round and not for a long search, so a burst
        // as long as the whole queue is no overload.
        Self(Rc::new(Shared {
            gate: Gate::new(1, settings.max_waiting, settings.max_wait),
            slice: settings.search_slice,
            share: Cell::new(settings.search_slice),
            spent: Cell::default(),
            is_ending: Cell::default(),
            kept: RefCell::default(),
        }))
    }

    /// Waits for time to search, mostly not at all.
    ///
    /// # Errors
    /// [`Problem::Overloaded`], as [`Gate::enter`] says.
    pub(crate) async fn begin(&self) -> Result<Turn, Problem> {
        let permit = Some(self.0.gate.enter().await?);
        let turns = Rc::clone(&self.0);
        let share = turns.share.get();
        Ok(Turn { turns, permit, began: Instant::now(), share })
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
        let Shared { slice, share, .. } = self.turns.as_ref();
        let next = if was_enough { self.share * 2 } else { self.share / 2 };
        share.set(next.clamp(*slice / LEAST_SHARE, *slice));
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        let turns = &self.turns;
        turns.spent.set(turns.spent.get() + self.began.elapsed());
        if turns.spent.get() >= turns.slice {
            turns.kept.replace(self.permit.take());
        }
        if turns.is_ending.replace(true) {
            return;
        }
        let turns = Rc::clone(turns);
        rt::spawn(async move {
            // Everything else that is ready runs before this goes on.
            yield_now().await;
            turns.spent.set(Duration::ZERO);
            turns.is_ending.set(false);
            turns.kept.replace(None);
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[actix_web::test]
    async fn long_searches_get_less_the_more_of_them_come() {
        let settings = Settings { search_slice: Duration::from_millis(64), ..Settings::default() };
        let turns = Turns::of_worker(&settings);
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
            let turn = turns.begin().await.unwrap();
            assert_eq!((turn.ends() - turn.began).as_millis(), expected);
            turn.end(was_enough);
        }
    }
}
