//! Connections that would keep others out are closed.
//!
//! The HTTP library has a deadline for the first request of a connection, and none for the head of
//! a later request or for a client that does not read. The one that it has for an idle connection
//! begins before the answer is sent, so it would break off what a slow client still reads. And it
//! takes whoever comes first until all places are taken. So every connection has a second handle
//! here: a thread looks at all of them and parts with those that are idle or do not read for too
//! long, and when there are too many, one of the address that has the most gives way.

mod acknowledged;
mod connection;
mod open_connections;
mod progress_body;
mod reading;

use std::any::Any;
use std::io;
use std::net::Shutdown;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::thread;
use std::time::Duration;

use actix_web::dev::Extensions;
use actix_web::rt::net::TcpStream;
use prometheus_client::metrics::counter::Counter;
use socket2::SockRef;

use self::acknowledged::{Kernel, UNKNOWN};
use self::open_connections::{OpenConnections, Room};
use self::reading::{Patience, Verdict};
use crate::Settings;
use crate::metrics::Metrics;

pub(crate) use connection::{Connection, Exchange};
pub(crate) use progress_body::ProgressBody;

/// How often connections are looked at.
const SWEEP: Duration = Duration::from_millis(500);

/// Every open connection of a listener.
#[derive(Debug)]
pub(crate) struct Connections {
    patience: Patience,
    open: Mutex<OpenConnections>,
    cut: Counter,
    displaced: Counter,
}

/// A connection for as long as the HTTP library has it.
#[derive(Debug)]
pub(crate) struct Open {
    connection: Arc<Connection>,
    name: u64,
    connections: Arc<Connections>,
}

impl Connections {
    /// How many connections a worker of the HTTP library may have: more than stay, for those that
    /// have to leave are not gone at once.
    pub(crate) const fn places_of_worker(max_connections: usize) -> usize {
        max_connections + max_connections / 4 + 16
    }

    /// No connection as yet, of as many workers.
    ///
    /// # Errors
    /// When there is no thread left.
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
        let watched = Arc::downgrade(&connections);
        let thread = thread::Builder::new().name("connections".to_owned());
        thread.spawn(move || watch(&watched, kernel.ok()))?;
        Ok(connections)
    }

    /// Takes note of a new connection, as the HTTP library announces it.
    pub(crate) fn opened(self: &Arc<Self>, stream: &dyn Any, data: &mut Extensions) {
        let Some(stream) = stream.downcast_ref::<TcpStream>() else { return };
        match Connection::of(stream) {
            Ok(connection) => {
                let connection = Arc::new(connection);
                let (name, leaves) = self.lock().admit(&connection);
                if let Some(leaves) = leaves {
                    self.displaced.inc();
                    if leaves.is_idle() { leaves.close() } else { leaves.cut() }
                }
                data.insert(Open { connection, name, connections: Arc::clone(self) });
            }
            // Without a second handle, for want of descriptors, nobody could cut it.
            Err(_) => drop(SockRef::from(stream).shutdown(Shutdown::Both)),
        }
    }

    fn sweep(&self, kernel: &mut Option<Kernel>) {
        let mut cut = 0;
        let all = self.lock().all();
        for (name, connection) in all {
            match connection.judge(self.patience, kernel.as_mut()) {
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
            self.lock().remove(name);
        }
        if cut > 0 {
            self.cut.inc_by(cut);
            tracing::info!(cut, "connections without progress were cut");
        }
    }

    fn lock(&self) -> MutexGuard<'_, OpenConnections> {
        // It is whole after every call, so a panic elsewhere left nothing half changed.
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Open {
    /// A request begins.
    pub(crate) fn begin(&self) -> Exchange {
        Exchange::begin(&self.connection)
    }

    /// The connection, for who may have to cut it.
    pub(crate) fn connection(&self) -> Arc<Connection> {
        Arc::clone(&self.connection)
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        self.connections.lock().remove(self.name);
    }
}

/// Looks at the connections until the service is gone.
fn watch(connections: &Weak<Connections>, mut kernel: Option<Kernel>) {
    loop {
        thread::sleep(SWEEP);
        let Some(connections) = connections.upgrade() else { return };
        connections.sweep(&mut kernel);
    }
}
