//! How many searches run and wait, so that overload is refused at once and nothing else waits.
//!
//! Nearly every search takes microseconds, less than handing it to another thread, so it begins on
//! the worker that read its request. [`Turns`] keeps such a worker from searching for longer than a
//! slice, or than everything else takes, before it sees to its other connections, of which a health
//! check may be one. The rare search that does not end within a slice begins anew on a thread of its
//! own: one such search for each core, exports included. When such searches of one key come one
//! after the other, each gets less of a slice, so that those that are refused in the end take little
//! from those that are answered.
//!
//! Whoever has to wait, for a turn or for a thread, does so in a [`FairQueue`], which keys share.

mod fair_queue;
mod slots;
mod turns;

use crate::keys::KeyId;

pub(crate) use slots::Slots;
pub(crate) use turns::Turns;

/// Who shares the waiting places and the time of searches with others: a key. Those without one of
/// their own are one party together.
pub(crate) type Party = Option<KeyId>;
/// Where requests wait.
pub(crate) type FairQueue = fair_queue::FairQueue<Party>;
type Place = fair_queue::Place<Party>;
