//! The deadline of a request and its stop, looked at now and then inside long loops.

use std::cell::Cell;
use std::time::{Duration, Instant};

use outfall_request::{SearchError, SearchRequest, Stop};

/// Steps of a loop between two looks at the clock: some tens of microseconds of work.
const STEPS: usize = 1 << 14;
/// More steps than any machine does in a nanosecond.
const STEPS_IN_A_NANOSECOND: usize = 4;

/// When a search gives up.
#[derive(Debug)]
pub(crate) struct Deadline {
    at: Option<Instant>,
    stop: Option<Stop>,
    /// Steps left until the clock is looked at again.
    left: Cell<usize>,
}

impl Deadline {
    pub(crate) const fn new(at: Option<Instant>) -> Self {
        Self { at, stop: None, left: Cell::new(0) }
    }

    /// The deadline of a request, which also passes when the request is stopped.
    pub(crate) fn of(request: &SearchRequest) -> Self {
        Self { stop: request.stop.clone(), ..Self::new(request.deadline) }
    }

    /// The same deadline for another thread.
    pub(crate) fn again(&self) -> Self {
        Self { stop: self.stop.clone(), ..Self::new(self.at) }
    }

    /// Counts `steps` of work, and looks at the clock once enough of them are done.
    ///
    /// # Errors
    /// [`SearchError::TimedOut`] once the deadline has passed.
    #[inline]
    pub(crate) fn spend(&self, steps: usize) -> Result<(), SearchError> {
        match self.left.get().checked_sub(steps) {
            Some(left) => {
                self.left.set(left);
                Ok(())
            }
            None => self.look(),
        }
    }

    /// Gives up at once if `steps` of work cannot be done before the deadline.
    ///
    /// # Errors
    /// [`SearchError::TimedOut`] in that case.
    pub(crate) fn expect(&self, steps: usize) -> Result<(), SearchError> {
        let least = Duration::from_nanos((steps / STEPS_IN_A_NANOSECOND) as u64);
        match self.at {
            Some(at) if Instant::now() + least > at => Err(SearchError::TimedOut),
            _ => Ok(()),
        }
    }

    #[cold]
    fn look(&self) -> Result<(), SearchError> {
        self.left.set(STEPS);
        if self.stop.as_ref().is_some_and(Stop::is_set) {
            return Err(SearchError::TimedOut);
        }
        match self.at {
            Some(at) if Instant::now() > at => Err(SearchError::TimedOut),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use outfall_records::RecordKind;

    use super::*;

    #[test]
    fn the_clock_is_looked_at_first_and_after_enough_steps() {
        let passed = Deadline::new(Instant::now().checked_sub(Duration::from_millis(1)));
        assert!(matches!(passed.spend(1), Err(SearchError::TimedOut)));
        let coming = Deadline::new(Some(Instant::now() + Duration::from_secs(600)));
        for _ in 0..3 * STEPS {
            coming.spend(1).unwrap();
        }
        let mut looks = 0;
        for _ in 0..STEPS {
            looks += usize::from(passed.spend(4).is_err());
        }
        assert_eq!(looks, 3);
        assert!(Deadline::new(None).spend(usize::MAX).is_ok());
    }

    #[test]
    fn a_stop_is_seen_by_every_thread() {
        let stop = Stop::default();
        let all = SearchRequest::all(RecordKind::Release);
        let deadline = Deadline::of(&SearchRequest { stop: Some(stop.clone()), ..all });
        let again = deadline.again();
        deadline.spend(1).unwrap();
        again.spend(1).unwrap();
        stop.set();
        for deadline in [&deadline, &again] {
            assert!(matches!(deadline.spend(2 * STEPS), Err(SearchError::TimedOut)));
        }
    }

    #[test]
    fn what_cannot_be_done_in_time_is_not_begun() {
        let coming = Deadline::new(Some(Instant::now() + Duration::from_secs(600)));
        for (steps, is_begun) in [(0, true), (1 << 20, true), (1 << 50, false)] {
            assert_eq!(coming.expect(steps).is_ok(), is_begun, "{steps}");
        }
        let passed = Deadline::new(Instant::now().checked_sub(Duration::from_millis(1)));
        assert!(matches!(passed.expect(0), Err(SearchError::TimedOut)));
        assert!(Deadline::new(None).expect(usize::MAX).is_ok());
    }
}
