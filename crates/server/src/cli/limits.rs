//! Checks at start-up that the system allows enough open files and threads. Libraries would notice
//! too late: they panic, or refuse every connection.

use std::io;
use std::sync::{Arc, RwLock};
use std::thread;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use super::CommandError;
use crate::Settings;

/// Descriptors of a service with a handful of connections that opens an index, without those of its
/// workers.
const IDLE_DESCRIPTORS: usize = 32;
/// Descriptors of each worker.
const WORKER_DESCRIPTORS: usize = 4;
/// Descriptors of each connection.
const CONNECTION_DESCRIPTORS: usize = 2;
/// Threads besides the workers and those that open an index: they log, listen and watch for
/// changes.
const OTHER_THREADS: usize = 8;

/// Raises the limit of open files as far as the system allows. Fails if nobody could connect, and
/// warns if fewer connections could be open than the settings allow.
pub(super) fn require_descriptors(settings: &Settings) -> Result<(), CommandError> {
    let Some(allowed) = raise_descriptor_limit() else { return Ok(()) };
    let needed = IDLE_DESCRIPTORS + settings.workers * WORKER_DESCRIPTORS;
    let connections = settings.workers * settings.max_connections;
    let all = (needed + connections * CONNECTION_DESCRIPTORS) as u64;
    let needed = needed as u64;
    if allowed < needed {
        return Err(CommandError::TooFewDescriptors { allowed, needed });
    }
    if allowed < all {
        let few = (allowed - needed) / CONNECTION_DESCRIPTORS as u64;
        tracing::warn!(
            "{allowed} open files are allowed, which is enough for {few} of {connections} \
             connections; {all} would be enough for all"
        );
    }
    Ok(())
}

/// Raises the soft limit of open files to the hard limit, because the usual soft limit is too low
/// for the connections that the settings allow. Returns the resulting limit, if there is one.
fn raise_descriptor_limit() -> Option<u64> {
    let limit = getrlimit(Resource::Nofile);
    match setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, ..limit }) {
        Ok(()) => limit.maximum,
        Err(error) => {
            tracing::warn!(%error, "the limit of open files stays as it is");
            limit.current
        }
    }
}

/// Starts as many threads as the service will have, all at once, and ends them again.
pub(super) fn require_threads(settings: &Settings) -> Result<(), CommandError> {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let needed = OTHER_THREADS + settings.workers + cores;
    // Each waits until the gate opens, so that all of them exist at the same time.
    let gate = Arc::new(RwLock::new(()));
    let closed = gate.write();
    let start = |_| {
        let gate = Arc::clone(&gate);
        thread::Builder::new().spawn(move || drop(gate.read()))
    };
    let started: io::Result<Vec<_>> = (0..needed).map(start).collect();
    drop(closed);
    let started = started.map_err(|source| CommandError::TooFewThreads { needed, source })?;
    started.into_iter().for_each(|thread| drop(thread.join()));
    Ok(())
}
