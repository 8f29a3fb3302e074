//! One connection: a handle to cut it with, and the time of its last progress.

use std::io;
use std::net::Shutdown;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use actix_web::rt::net::TcpStream;
use socket2::{SockRef, Socket};

/// How much may wait in the kernel unsent, in bytes. By default it takes megabytes before a slow
/// reader can be told from one that reads nothing.
#[cfg(any(target_os = "android", target_os = "linux"))]
const UNSENT: u32 = 64 * 1024;

/// An open connection. The socket is closed when this is dropped as well.
#[derive(Debug)]
pub(crate) struct Connection {
    socket: Socket,
    opened: Instant,
    /// Milliseconds from `opened` to the last progress.
    progress: AtomicU64,
}

impl Connection {
    /// A second handle of an accepted connection.
    ///
    /// # Errors
    /// When there is no descriptor left.
    pub(super) fn of(stream: &TcpStream) -> io::Result<Self> {
        let socket = SockRef::from(stream).try_clone()?;
        #[cfg(any(target_os = "android", target_os = "linux"))]
        socket.set_tcp_notsent_lowat(UNSENT)?;
        Ok(Self { socket, opened: Instant::now(), progress: AtomicU64::new(0) })
    }

    /// Notes that the client asked for something or took a piece of its answer.
    pub(crate) fn note_progress(&self) {
        let now = self.opened.elapsed().as_millis();
        self.progress.store(u64::try_from(now).unwrap_or(u64::MAX), Ordering::Relaxed);
    }

    /// How long ago the last progress was.
    pub(super) fn since_progress(&self) -> Duration {
        let progress = Duration::from_millis(self.progress.load(Ordering::Relaxed));
        self.opened.elapsed().saturating_sub(progress)
    }

    /// Closes the connection at once, whatever is still to be sent.
    pub(crate) fn cut(&self) {
        // A connection that the client closed in the meantime refuses both, and needs neither.
        drop(self.socket.set_linger(Some(Duration::ZERO)));
        drop(self.socket.shutdown(Shutdown::Both));
    }
}
