//! Closes connections that would keep others out, and answers what the HTTP library refuses.
//!
//! The HTTP library has a deadline for the first request of a connection, but none for the head of
//! a later request or for a client that does not read. Its deadline for an idle connection starts
//! before the answer is sent, so it would cut off a client that reads slowly. And it accepts
//! connections until all places are taken, no matter who holds them. So this module keeps a second
//! handle for every connection: a thread checks all of them and closes those that are idle or do
//! not read for too long, and when there are too many, one of the address that has the most gives
//! way.

mod acknowledged;
mod connection;
mod heads;
mod open_connections;
mod progress_body;
mod reading;
mod refusal;
mod stream;

use std::io;
use std::net::Shutdown;
use std::sync::Arc;
use std::time::Duration;

use actix_web::dev::Extensions;
use parking_lot::Mutex;
use prometheus_client::metrics::counter::Counter;
use socket2::SockRef;

use self::acknowledged::{Kernel, UNKNOWN};
use self::open_connections::{OpenConnections, Room};
use self::reading::{Patience, Verdict};
use crate::Settings;
use crate::metrics::Metrics;
use crate::watcher::Watcher;

pub(crate) use connection::{Connection, Exchange};
pub(crate) use heads::Heads;
pub(crate) use progress_body::ProgressBody;
pub(crate) use stream::Stream;

/// How often connections are checked.
const SWEEP: Duration = Duration::from_millis(500);

/// Every open connection of a listener.
#[derive(Debug)]
pub(crate) struct Connections {
    patience: Patience,
    open: Mutex<OpenConnections>,
    cut: Counter,
    displaced: Counter,
}

/// A connection for as long as the HTTP library keeps it.
#[derive(Debug)]
pub(crate) struct Open {
    connection: Arc<Connection>,
    name: u64,
    connections: Arc<Connections>,
}

impl Connections {
    /// How many connections a worker of the HTTP library may have: more than the limit, because
    /// those that must close are not gone at once.
    pub(crate) const fn places_of_worker(max_connections: usize) -> usize {
        max_connections + max_connections / 4 + 16
    }

    /// Starts to watch the connections of a listener with this many workers.
    ///
    /// # Errors
    /// When no thread can be started.
    pub(crate) fn watched(
        settings: &Settings,
        workers: usize,
        metrics: &Metrics,
    ) -> io::Result<Arc<Self>> {
        let room = Room {
            all: settings.max_connections * workers,
            of_address: settings.max_connections_of_address,
        };
        let connections = Arc::new(Self {
            patience: Patience {
                keep_alive: settings.keep_alive,
                stall_timeout: settings.stall_timeout,
            },
            open: Mutex::new(OpenConnections::new(room)),
            cut: metrics.connections_cut.clone(),
            displaced: metrics.connections_displaced.clone(),
        });
        let kernel = Kernel::open();
        if let Err(error) = &kernel {
            tracing::warn!(%error, "{UNKNOWN}");
        }
        let mut kernel = kernel.ok();
        let sweep = move |connections: &Self| connections.sweep(kernel.as_mut());
        Watcher::default().start("connections", SWEEP, &connections, sweep)?;
        Ok(connections)
    }

    /// Registers a new connection; the HTTP library calls this for each.
    pub(crate) fn opened(self: &Arc<Self>, stream: &Stream, data: &mut Extensions) {
        data.insert(stream.heads());
        let stream = stream.tcp();
        match Connection::of(stream) {
            Ok(connection) => {
                let connection = Arc::new(connection);
                let (name, leaves) = self.open.lock().admit(&connection);
                if let Some(leaves) = leaves {
                    self.displaced.inc();
                    if leaves.is_idle() { leaves.close() } else { leaves.cut() }
                }
                data.insert(Open { connection, name, connections: Arc::clone(self) });
            }
            // Out of descriptors: a connection without a second handle could not be cut.
            Err(_) => drop(SockRef::from(stream).shutdown(Shutdown::Both)),
        }
    }

    fn sweep(&self, mut kernel: Option<&mut Kernel>) {
        let mut cut = 0;
        let all = self.open.lock().all();
        for (name, connection) in all {
            match connection.judge(self.patience, kernel.as_deref_mut()) {
                Verdict::Keep => continue,
                Verdict::Finished => {
                    connection.note_progress();
                    continue;
                }
                Verdict::Close => connection.close(),
                Verdict::Cut => {
                    connection.cut();
                    cut += 1;
                }
            }
            self.open.lock().remove(name);
        }
        if cut > 0 {
            self.cut.inc_by(cut);
            tracing::info!(cut, "connections without progress were cut");
        }
    }
}

impl Open {
    /// Marks the beginning of a request.
    pub(crate) fn begin(&self) -> Exchange {
        Exchange::begin(&self.connection)
    }

    /// The connection, for an export that may have to be cut.
    pub(crate) fn connection(&self) -> Arc<Connection> {
        Arc::clone(&self.connection)
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        self.connections.open.lock().remove(self.name);
    }
}
