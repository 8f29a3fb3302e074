//! The calls of an agent: several run at once, each is answered as soon as it is done, and a
//! cancelled one is stopped and not answered.

use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender};

use outfall_api::mcp::{Call, Id, Reply};
use outfall_api::{Problem, search};
use outfall_request::{BackendSource, SearchBackend, SearchError, SearchPage, Stop};
use parking_lot::Mutex;

use crate::search::panic_message;

/// The calls in progress, and the output for their answers.
pub(super) struct Calls<'a, W> {
    source: &'a dyn BackendSource,
    output: Mutex<W>,
    /// The calls that were read and are not answered yet.
    open: Mutex<Vec<Arc<Task>>>,
    /// The first error of the output; nothing is answered after it.
    failure: Mutex<Option<io::Error>>,
}

/// A call, and the flag that stops it.
pub(super) struct Task {
    call: Box<Call>,
    stop: Stop,
}

impl<'a, W: Write> Calls<'a, W> {
    pub(super) fn new(source: &'a dyn BackendSource, output: W) -> Self {
        Self {
            source,
            output: Mutex::new(output),
            open: Mutex::default(),
            failure: Mutex::default(),
        }
    }

    /// Queues a call for the threads; waits while the queue is full.
    pub(super) fn begin(&self, call: Box<Call>, queue: &SyncSender<Arc<Task>>) {
        let task = Arc::new(Task { call, stop: Stop::default() });
        self.open.lock().push(Arc::clone(&task));
        // The threads take tasks until the queue is dropped.
        let _ = queue.send(task);
    }

    /// Stops the call with this id, if it is still open.
    pub(super) fn cancel(&self, id: &Id) {
        self.open
            .lock()
            .iter()
            .filter(|task| task.call.id() == id)
            .for_each(|task| task.stop.set());
    }

    /// Answers calls until there are no more.
    pub(super) fn work(&self, queue: &Mutex<Receiver<Arc<Task>>>) {
        loop {
            let next = queue.lock().recv();
            let Ok(task) = next else { return };
            let reply = (!task.stop.is_set()).then(|| found(self.source, &task));
            let is_wanted = self.close(&task);
            if let Some(reply) = reply.filter(|_| is_wanted) {
                self.write(&reply);
            }
        }
    }

    /// Closes a task, which can then no longer be stopped. Returns whether nobody stopped it
    /// before.
    fn close(&self, task: &Arc<Task>) -> bool {
        let mut open = self.open.lock();
        open.retain(|other| !Arc::ptr_eq(other, task));
        !task.stop.is_set()
    }

    /// Writes an answer as a line. If that fails, stops all open calls.
    pub(super) fn write(&self, reply: &Reply) {
        let written = {
            let mut output = self.output.lock();
            let written = output.write_all(&reply.body).and_then(|()| output.write_all(b"\n"));
            written.and_then(|()| output.flush())
        };
        if let Err(error) = written {
            self.failure.lock().get_or_insert(error);
            self.open.lock().iter().for_each(|task| task.stop.set());
        }
    }

    /// Whether writing to the output has failed.
    pub(super) fn has_failed(&self) -> bool {
        self.failure.lock().is_some()
    }

    /// Ends, after all threads have ended.
    ///
    /// # Errors
    /// The first error of the output.
    pub(super) fn end(self) -> io::Result<()> {
        self.failure.into_inner().map_or(Ok(()), Err)
    }
}

/// Does the searches of a call, all in the same index.
fn found(source: &dyn BackendSource, Task { call, stop }: &Task) -> Reply {
    let Some(backend) = source.current() else { return call.refused(Problem::NoIndex) };
    // A backend changes nothing that outlives a search, so a panic leaves nothing half done.
    let pages = catch_unwind(AssertUnwindSafe(|| pages(backend.as_ref(), call, stop)));
    match pages {
        Ok(Ok(pages)) => return call.answer(&pages, backend.dataset()),
        Ok(Err(error)) if !stop.is_set() => tracing::error!(%error, "the search failed"),
        // The call was cancelled, so this reply is not sent.
        Ok(Err(_)) => {}
        Err(panic) => {
            tracing::error!(panic = panic_message(panic.as_ref()), "the search panicked");
        }
    }
    call.refused(Problem::Internal)
}

fn pages(
    backend: &dyn SearchBackend,
    call: &Call,
    stop: &Stop,
) -> Result<Vec<SearchPage>, SearchError> {
    let stoppable = call.searches().map(|checked| {
        let mut checked = checked.clone();
        checked.search.stop = Some(stop.clone());
        checked
    });
    stoppable.map(|checked| search(backend, &checked, None)).collect()
}
