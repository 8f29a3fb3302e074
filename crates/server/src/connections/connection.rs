//! One connection: a handle to close it with, and the progress of its client.

use std::io;
use std::net::{IpAddr, Shutdown};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use actix_web::rt::net::TcpStream;
use parking_lot::Mutex;
use socket2::{SockRef, Socket};

use super::SWEEP;
use super::acknowledged::{Ends, Kernel};
use super::reading::{Look, Patience, Reading, Verdict};
use crate::caller::network;

/// How many bytes may wait in the kernel unsent. By default a client that reads nothing can take
/// megabytes of the kernel's memory.
#[cfg(any(target_os = "android", target_os = "linux"))]
const UNSENT: u32 = 64 * 1024;

/// An open connection. The socket only closes once this is dropped too.
#[derive(Debug)]
pub(crate) struct Connection {
    socket: Socket,
    ends: Ends,
    /// The client's address, or in IPv6 the first half of it.
    pub(super) network: IpAddr,
    opened: Instant,
    /// Milliseconds from `opened` to the last progress.
    progress: AtomicU64,
    in_flight: AtomicUsize,
    reading: Mutex<Reading>,
}

impl Connection {
    /// Makes a second handle for an accepted connection.
    ///
    /// # Errors
    /// When there is no descriptor left, or when the client has gone already.
    pub(super) fn of(stream: &TcpStream) -> io::Result<Self> {
        let socket = SockRef::from(stream).try_clone()?;
        #[cfg(any(target_os = "android", target_os = "linux"))]
        socket.set_tcp_notsent_lowat(UNSENT)?;
        let ends = Ends { local: stream.local_addr()?, peer: stream.peer_addr()? };
        Ok(Self {
            socket,
            ends,
            network: network(ends.peer.ip()),
            opened: Instant::now(),
            progress: AtomicU64::new(0),
            in_flight: AtomicUsize::new(0),
            reading: Mutex::default(),
        })
    }

    /// Notes that the client asked for something or took a piece of its answer.
    pub(crate) fn note_progress(&self) {
        let now = self.opened.elapsed().as_millis();
        self.progress.store(u64::try_from(now).unwrap_or(u64::MAX), Ordering::Relaxed);
    }

    /// When the last progress was, counted from `opened`.
    fn progress(&self) -> Duration {
        Duration::from_millis(self.progress.load(Ordering::Relaxed))
    }

    /// When the last progress was.
    pub(super) fn last_progress(&self) -> Instant {
        self.opened + self.progress()
    }

    fn is_in_flight(&self) -> bool {
        self.in_flight.load(Ordering::Relaxed) > 0
    }

    /// Whether no request is in flight and no answer is being read.
    pub(super) fn is_idle(&self) -> bool {
        !self.is_in_flight() && !self.reading.lock().is_under_way()
    }

    /// Decides what to do with the connection.
    pub(super) fn judge(&self, patience: Patience, kernel: Option<&mut Kernel>) -> Verdict {
        let (now, progress) = (self.opened.elapsed(), self.progress());
        if now.saturating_sub(progress) < SWEEP {
            // For most connections, there is no need to ask the kernel.
            return Verdict::Keep;
        }
        let sent = kernel.and_then(|kernel| {
            let sent = kernel.sent(self.ends);
            if sent.is_none() && self.socket.peer_addr().is_ok() {
                kernel.note_silence();
            }
            sent
        });
        let look = Look { now, progress, is_in_flight: self.is_in_flight(), sent };
        patience.judge(&look, &mut self.reading.lock())
    }

    /// Closes the connection; the client still receives what was sent.
    pub(super) fn close(&self) {
        // This fails if the client has closed the connection already, which is fine.
        drop(self.socket.shutdown(Shutdown::Both));
    }

    /// Closes the connection at once, and discards what is still to be sent.
    pub(crate) fn cut(&self) {
        // This fails if the client has closed the connection already, which is fine.
        drop(self.socket.set_linger(Some(Duration::ZERO)));
        self.close();
    }
}

/// A request in flight, from its head to the last piece of its answer.
#[derive(Debug)]
pub(crate) struct Exchange(Arc<Connection>);

impl Exchange {
    pub(super) fn begin(connection: &Arc<Connection>) -> Self {
        connection.in_flight.fetch_add(1, Ordering::Relaxed);
        connection.note_progress();
        Self(Arc::clone(connection))
    }

    pub(super) fn note_progress(&self) {
        self.0.note_progress();
    }
}

impl Drop for Exchange {
    fn drop(&mut self) {
        self.0.note_progress();
        self.0.in_flight.fetch_sub(1, Ordering::Relaxed);
    }
}
