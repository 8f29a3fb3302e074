//! How many searches run and wait, so that overload is refused at once and nothing else waits.
//!
//! Nearly every search takes microseconds, less than handing it to another thread, so it begins on
//! the worker that read its request. [`Turns`] keeps such a worker from searching for longer than a
//! slice, or than everything else takes, before it sees to its other connections, of which a health
//! check may be one. The rare search that does not end within a slice begins anew on a thread of its
//! own, past the [`Gate`] that it shares with the pages of exports: one such search for each core.
//! When such searches come one after the other, each gets less of a slice, so that those that are
//! refused in the end take little from those that are answered.

mod gate;
mod queue;
mod slots;
mod turns;

pub(crate) use gate::Gate;
pub(crate) use slots::{Full, Slot, Slots};
pub(crate) use turns::Turns;
