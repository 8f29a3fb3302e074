//! Connections whose client makes no progress are cut.
//!
//! The HTTP library has a deadline for the first request of a connection and for an idle one, and
//! none for the head of a later request or for a client that does not read. So every connection
//! has a second handle here and the time of its last progress: a request that began, a piece of an
//! answer that was taken. A thread cuts those that made none for too long.

mod connection;
mod observed;

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

pub(crate) use connection::Connection;
pub(crate) use observed::Observed;

/// How often connections are looked at.
const SWEEP: Duration = Duration::from_millis(500);

/// Every open connection of the service.
#[derive(Debug)]
pub(crate) struct Connections {
    stall_timeout: Duration,
    /// A connection that closes is dropped by the HTTP library; its place is swept up later.
    open: Mutex<Vec<Weak<Connection>>>,
    cut: Counter,
}

impl Connections {
    /// No connection as yet; each is cut at the latest `stall_timeout` after its last progress.
    pub(crate) fn watched(stall_timeout: Duration, cut: Counter) -> io::Result<Arc<Self>> {
        let connections = Arc::new(Self { stall_timeout, open: Mutex::default(), cut });
        let watched = Arc::downgrade(&connections);
        let thread = thread::Builder::new().name("connections".to_owned());
        thread.spawn(move || watch(&watched))?;
        Ok(connections)
    }

    /// Takes note of a new connection, as the HTTP library announces it.
    pub(crate) fn opened(&self, stream: &dyn Any, data: &mut Extensions) {
        let Some(stream) = stream.downcast_ref::<TcpStream>() else { return };
        match Connection::of(stream) {
            Ok(connection) => {
                let connection = Arc::new(connection);
                self.lock().push(Arc::downgrade(&connection));
                data.insert(connection);
            }
            // Without a second handle, for want of descriptors, nobody could cut it.
            Err(_) => drop(SockRef::from(stream).shutdown(Shutdown::Both)),
        }
    }

    fn sweep(&self) {
        let mut cut = 0;
        self.lock().retain(|connection| {
            let Some(connection) = connection.upgrade() else { return false };
            // The next look would come too late.
            let is_stalled = connection.since_progress() + SWEEP >= self.stall_timeout;
            if is_stalled {
                connection.cut();
                cut += 1;
            }
            !is_stalled
        });
        if cut > 0 {
            self.cut.inc_by(cut);
            tracing::info!(cut, "connections without progress were cut");
        }
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Weak<Connection>>> {
        // The list is whole after every call, so a panic elsewhere left nothing half changed.
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Looks at the connections until the service is gone.
fn watch(connections: &Weak<Connections>) {
    loop {
        thread::sleep(SWEEP);
        let Some(connections) = connections.upgrade() else { return };
        connections.sweep();
    }
}
