//! Tries many cases on all cores.

use std::num::NonZero;
use std::sync::Mutex;
use std::thread;

use crate::{LabError, Outcome};

/// Tries every case; each core has its own place, and the outcomes of all cores are joined.
pub(crate) fn try_all<C: Sync, P>(
    cases: &[C],
    place: impl Fn(usize) -> Result<P, LabError> + Sync,
    attempt: impl Fn(&mut P, &C, &mut Outcome) -> Result<(), LabError> + Sync,
) -> Result<Outcome, LabError> {
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    let waiting = Mutex::new(cases.iter());
    let work = |core: usize| {
        let mut place = place(core)?;
        let mut outcome = Outcome::default();
        loop {
            let next = waiting.lock().map_or(None, |mut waiting| waiting.next());
            let Some(case) = next else { return Ok(outcome) };
            attempt(&mut place, case, &mut outcome)?;
        }
    };
    thread::scope(|scope| {
        let (work, mut joined) = (&work, Outcome::default());
        let started: Vec<_> = (0..cores).map(|core| scope.spawn(move || work(core))).collect();
        for core in started {
            let done = core.join().map_err(|_| LabError::Setup("an experiment panicked".into()))?;
            joined.join(done?);
        }
        Ok(joined)
    })
}
