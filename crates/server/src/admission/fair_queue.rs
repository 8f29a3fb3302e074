//! Limits what runs at once, with a bounded queue in front that parties share fairly.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use tokio::sync::oneshot;
use tokio::time::timeout;

/// Admits a fixed number at once; the others wait, up to a limit. Parties are admitted in turn, and
/// each party's waiters in the order in which they came. When the queue is full, a newcomer whose
/// party would still have fewer waiters replaces the last waiter of the party that has the most.
pub(crate) struct FairQueue<P: Clone + Eq> {
    /// How many may wait regardless of the pace; beyond that, only those that are likely to be
    /// admitted in time may wait.
    surely_waiting: usize,
    max_waiting: usize,
    max_wait: Duration,
    state: Mutex<State<P>>,
}

/// Refused, because there is more work than can be done in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Overloaded;

/// A place that somebody was admitted to; when dropped, it passes to the next waiter.
pub(crate) struct Place<P: Clone + Eq>(Arc<FairQueue<P>>);

struct State<P: Clone + Eq> {
    /// Free places; none while somebody waits.
    free: usize,
    /// The waiters by party, the next party in front; no line is empty.
    lines: VecDeque<Line<P>>,
    last_ticket: u64,
    /// When a place was last passed to a waiter; `None` if nobody was waiting for the last one.
    handed_on: Option<Instant>,
    /// The smoothed time between places passed on; zero before it was first measured.
    pace: Duration,
}

/// The waiters of one party, the first in front.
struct Line<P: Clone + Eq> {
    party: P,
    waiters: VecDeque<Waiter<P>>,
}

struct Waiter<P: Clone + Eq> {
    ticket: u64,
    /// Whether this one waits as long as it takes, and is never replaced by another.
    is_patient: bool,
    place: oneshot::Sender<Place<P>>,
}

enum Asked<P: Clone + Eq> {
    Entered(Place<P>),
    Waits(Waiting<P>),
}

/// Keeps a waiter in the queue until dropped, which happens when its client goes away.
struct Waiting<P: Clone + Eq> {
    queue: Arc<FairQueue<P>>,
    ticket: u64,
    place: oneshot::Receiver<Place<P>>,
}

impl<P: Clone + Eq> FairQueue<P> {
    /// A queue that admits `places` at once, and lets `max_waiting` others wait for at most
    /// `max_wait` each. The first `surely_waiting` may wait regardless of the pace, so that a burst
    /// that clears quickly is not refused.
    pub(crate) fn new(
        places: usize,
        surely_waiting: usize,
        max_waiting: usize,
        max_wait: Duration,
    ) -> Arc<Self> {
        let state = State {
            free: places,
            lines: VecDeque::new(),
            last_ticket: 0,
            handed_on: None,
            pace: Duration::ZERO,
        };
        Arc::new(Self { surely_waiting, max_waiting, max_wait, state: Mutex::new(state) })
    }

    /// The number of waiters.
    pub(crate) fn waiting(&self) -> usize {
        self.state.lock().lines.iter().map(|line| line.waiters.len()).sum()
    }

    /// Waits for a place.
    ///
    /// # Errors
    /// [`Overloaded`] when too many wait already, when no place became free in time, or when none
    /// is likely to.
    pub(crate) async fn enter(self: &Arc<Self>, party: &P) -> Result<Place<P>, Overloaded> {
        match self.ask(party, false)? {
            Asked::Entered(place) => Ok(place),
            Asked::Waits(mut waiting) => {
                let place = timeout(self.max_wait, &mut waiting.place).await;
                // Another one may have replaced it in the queue.
                place.ok().and_then(Result::ok).ok_or(Overloaded)
            }
        }
    }

    /// Waits for a place as long as it takes. The caller must limit how many do.
    ///
    /// # Errors
    /// Never in practice: a patient waiter is not replaced.
    pub(crate) async fn enter_patiently(
        self: &Arc<Self>,
        party: &P,
    ) -> Result<Place<P>, Overloaded> {
        match self.ask(party, true)? {
            Asked::Entered(place) => Ok(place),
            Asked::Waits(mut waiting) => (&mut waiting.place).await.map_err(|_| Overloaded),
        }
    }

    fn ask(self: &Arc<Self>, party: &P, is_patient: bool) -> Result<Asked<P>, Overloaded> {
        let mut state = self.state.lock();
        if let Some(free) = state.free.checked_sub(1) {
            state.free = free;
            return Ok(Asked::Entered(Place(Arc::clone(self))));
        }
        if !is_patient && !self.has_room(&mut state, party) {
            return Err(Overloaded);
        }
        let (sender, place) = oneshot::channel();
        let ticket = state.join(party, is_patient, sender);
        Ok(Asked::Waits(Waiting { queue: Arc::clone(self), ticket, place }))
    }

    /// Whether one more of this party may wait; makes room for it, if necessary, by removing a
    /// waiter of another party.
    fn has_room(&self, state: &mut State<P>, party: &P) -> bool {
        let lines = &mut state.lines;
        let all: usize = lines.iter().map(Line::impatient).sum();
        let own = lines.iter().find(|line| line.party == *party).map_or(0, Line::impatient);
        let others = lines.iter().filter(|line| line.party != *party);
        let before = own + others.map(|line| line.impatient().min(own + 1)).sum::<usize>();
        let is_sure = own == 0 || before < self.surely_waiting;
        if !is_sure && is_in_vain(before, state.pace, self.max_wait) {
            return false;
        }
        if all < self.max_waiting {
            return true;
        }
        let longest = lines.iter_mut().max_by_key(|line| line.impatient());
        longest.filter(|line| line.impatient() > own + 1).is_some_and(Line::dismiss_last)
    }

    fn hand_on(self: &Arc<Self>) {
        let next = self.state.lock().next();
        if let Some(next) = next {
            // If the waiter has gone, its place is dropped and so passed on in turn.
            drop(next.place.send(Place(Arc::clone(self))));
        }
    }
}

impl<P: Clone + Eq> State<P> {
    fn join(&mut self, party: &P, is_patient: bool, place: oneshot::Sender<Place<P>>) -> u64 {
        self.last_ticket += 1;
        let waiter = Waiter { ticket: self.last_ticket, is_patient, place };
        match self.lines.iter_mut().find(|line| line.party == *party) {
            Some(line) => line.waiters.push_back(waiter),
            None => {
                let (party, waiters) = (party.clone(), VecDeque::from([waiter]));
                self.lines.push_back(Line { party, waiters });
            }
        }
        self.last_ticket
    }

    /// The next waiter for a place that has become free; if nobody waits, it stays free.
    fn next(&mut self) -> Option<Waiter<P>> {
        let Some(mut line) = self.lines.pop_front() else {
            self.free += 1;
            self.handed_on = None;
            return None;
        };
        let next = line.waiters.pop_front();
        if !line.waiters.is_empty() {
            self.lines.push_back(line);
        }
        let now = Instant::now();
        if let Some(before) = self.handed_on.replace(now) {
            self.note_pace(now - before);
        }
        next
    }

    fn note_pace(&mut self, seen: Duration) {
        let known = self.pace;
        self.pace = if known.is_zero() { seen } else { known - known / 8 + seen / 8 };
    }

    fn remove(&mut self, ticket: u64) {
        for line in &mut self.lines {
            line.waiters.retain(|waiter| waiter.ticket != ticket);
        }
        self.lines.retain(|line| !line.waiters.is_empty());
    }
}

/// Whether a newcomer behind this many others is unlikely to be admitted in time, so that it is
/// better refused at once than after waiting. The first waiter of a party is never refused for
/// this, because otherwise an improved pace would go unnoticed.
fn is_in_vain(before: usize, pace: Duration, max_wait: Duration) -> bool {
    let before = u32::try_from(before).unwrap_or(u32::MAX);
    pace.saturating_mul(before.saturating_add(1)) > max_wait / 2
}

impl<P: Clone + Eq> Line<P> {
    fn impatient(&self) -> usize {
        self.waiters.iter().filter(|waiter| !waiter.is_patient).count()
    }

    /// Removes the last impatient waiter, which ends its wait.
    fn dismiss_last(&mut self) -> bool {
        let last = self.waiters.iter().rposition(|waiter| !waiter.is_patient);
        last.and_then(|last| self.waiters.remove(last)).is_some()
    }
}

impl<P: Clone + Eq> Drop for Place<P> {
    fn drop(&mut self) {
        self.0.hand_on();
    }
}

impl<P: Clone + Eq> Drop for Waiting<P> {
    fn drop(&mut self) {
        self.queue.state.lock().remove(self.ticket);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use actix_web::rt::{spawn, task::yield_now};
    use std::cell::RefCell;
    use std::rc::Rc;

    const HOUR: Duration = Duration::from_secs(3600);

    /// The outcomes in order: the name, with `!` before it if it was refused.
    type Log = Rc<RefCell<Vec<String>>>;

    /// Queues the names one after the other while the only place is taken, with the first letter of
    /// each name as its party; then frees the place.
    async fn served(queue: &Arc<FairQueue<char>>, names: &[&'static str]) -> String {
        let log = Log::default();
        let first = queue.enter(&'-').await.unwrap();
        let mut tasks = Vec::new();
        for &name in names {
            let (queue, log) = (Arc::clone(queue), Rc::clone(&log));
            tasks.push(spawn(async move {
                let entered = queue.enter(&name.chars().next().unwrap()).await;
                log.borrow_mut().push(format!("{}{name}", if entered.is_ok() { "" } else { "!" }));
            }));
            yield_now().await;
        }
        drop(first);
        for task in tasks {
            task.await.unwrap();
        }
        log.take().join(" ")
    }

    #[actix_web::test]
    async fn parties_are_let_in_by_turns_and_the_longest_line_gives_way() {
        for (max_waiting, names, expected) in [
            (9, &["a1", "a2", "a3"][..], "a1 a2 a3"),
            (9, &["a1", "a2", "a3", "b1", "c1", "b2"], "a1 b1 c1 a2 b2 a3"),
            (2, &["a1", "a2", "a3"], "!a3 a1 a2"),
            (2, &["a1", "a2", "b1"], "!a2 a1 b1"),
            (3, &["a1", "a2", "a3", "b1", "b2"], "!a3 !b2 a1 b1 a2"),
            (3, &["a1", "b1", "b2", "c1", "d1"], "!b2 !d1 a1 b1 c1"),
            (4, &["a1", "a2", "a3", "a4", "b1", "b2", "b3"], "!a4 !a3 !b3 a1 b1 a2 b2"),
        ] {
            let queue = FairQueue::new(1, 0, max_waiting, HOUR);
            assert_eq!(served(&queue, names).await, expected, "{max_waiting}: {names:?}");
            assert_eq!((queue.waiting(), queue.state.lock().free), (0, 1), "{names:?}");
        }
    }

    #[actix_web::test]
    async fn who_is_patient_is_neither_refused_nor_sent_away() {
        let queue = FairQueue::new(1, 0, 1, Duration::from_millis(1));
        let first = queue.enter(&'a').await.unwrap();
        let patient: Vec<_> = (0..3).map(|_| queue.ask(&'a', true)).collect();
        assert_eq!(queue.enter(&'b').await.map(drop), Err(Overloaded), "it came in time");
        assert_eq!(queue.waiting(), 3);
        drop(first);
        for asked in patient {
            let Ok(Asked::Waits(mut waiting)) = asked else { panic!("it does not wait") };
            drop((&mut waiting.place).await.unwrap());
        }
        assert_eq!((queue.waiting(), queue.state.lock().free), (0, 1));
    }

    #[actix_web::test]
    async fn no_place_is_lost_to_one_that_goes_away() {
        let queue = FairQueue::new(1, 0, 9, HOUR);
        let first = queue.enter(&'a').await.unwrap();
        let gone: Vec<_> = (0..3).map(|_| queue.ask(&'a', false).ok().unwrap()).collect();
        let Ok(Asked::Waits(mut last)) = queue.ask(&'b', false) else { panic!("it has a place") };
        // The first of them already has the place when they all go.
        drop(first);
        drop(gone);
        drop((&mut last.place).await.unwrap());
        drop(last);
        assert_eq!((queue.waiting(), queue.state.lock().free), (0, 1));
    }

    #[actix_web::test]
    async fn who_would_wait_in_vain_is_refused_at_once() {
        for (pace, before, expected) in
            [(0, 99, false), (1, 99, false), (2, 99, true), (75, 1, false), (76, 1, true)]
        {
            let (pace, wait) = (Duration::from_millis(pace), Duration::from_millis(300));
            assert_eq!(is_in_vain(before, pace, wait), expected, "{pace:?}, {before} before");
        }
        let queue = FairQueue::new(1, 0, 9, Duration::from_millis(1));
        let _first = queue.enter(&'a').await.unwrap();
        queue.state.lock().pace = HOUR;
        let waits = ['a', 'a', 'b', 'b'].map(|party| queue.ask(&party, false).is_ok());
        assert_eq!(waits, [true; 4], "those that ask are gone before the next asks");
        let _waiting = queue.ask(&'a', false);
        let waits = ['a', 'b', 'a'].map(|party| queue.ask(&party, false).is_ok());
        assert_eq!(waits, [false, true, false], "the first of a party always waits");
    }

    #[actix_web::test]
    async fn the_pace_is_that_of_places_handed_on() {
        let queue = FairQueue::<char>::new(1, 0, 9, HOUR);
        for (seen, pace) in [(80, 80), (80, 80), (160, 90)] {
            queue.state.lock().note_pace(Duration::from_millis(seen));
            assert_eq!(queue.state.lock().pace.as_millis(), pace, "{seen} ms");
        }
    }
}
