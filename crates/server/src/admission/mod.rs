//! Limits how many searches run and wait, so that overload is refused at once and nothing else is
//! delayed.
//!
//! Nearly every search takes microseconds, so it starts on the worker that read its request.
//! Handing every search to another thread would take some 10 µs, and 15 to 20 µs of a processor,
//! where a mean search takes 40 to 90 µs; and a search that has begun cannot move to another
//! thread. [`WorkerBudget`] limits how long a worker searches before it turns to its other
//! connections, such as a health check. The rare search that exceeds its share starts again on a
//! separate thread; one of these runs per core, exports included. While the searches of one key
//! keep exceeding their share, the share shrinks, so that requests that are refused in the end cost
//! little.
//!
//! Requests that must wait, for a worker or for a thread, do so in a [`FairQueue`] that keys share.

mod concurrency_limit;
mod fair_queue;
mod worker_budget;

use crate::keys::KeyId;

pub(crate) use concurrency_limit::{ConcurrencyLimit, Slot};
pub(crate) use fair_queue::Overloaded;
pub(crate) use worker_budget::WorkerBudget;

/// The key whose requests share waiting places and search time with those of other keys. All
/// requests without a key are one party.
pub(crate) type Party = Option<KeyId>;
/// The queue in which requests wait.
pub(crate) type FairQueue = fair_queue::FairQueue<Party>;
type Place = fair_queue::Place<Party>;
