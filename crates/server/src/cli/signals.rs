//! Handles signals to the service.

use std::io::{self, IsTerminal, stdin};
use std::sync::Arc;

use actix_web::rt;
use tokio::signal::unix::{Signal, SignalKind, signal};

use crate::generations::SharedBackend;
use crate::keys::KeyStore;
use crate::{Stop, StopHandle};

/// Signals that would end the process at once if it did not handle them.
pub(super) struct Taken {
    hangup: Signal,
    unused: [Signal; 4],
    had_terminal: bool,
}

/// Takes over the signals that must not end the service, not even while it opens its index.
pub(super) fn take() -> io::Result<Taken> {
    Ok(Taken {
        hangup: signal(SignalKind::hangup())?,
        unused: [
            signal(SignalKind::user_defined1())?,
            signal(SignalKind::user_defined2())?,
            signal(SignalKind::alarm())?,
            signal(SignalKind::io())?,
        ],
        had_terminal: stdin().is_terminal(),
    })
}

impl Taken {
    /// On a hangup, the service checks the published index and the key file at once, or stops if
    /// the terminal that it was started from is gone. The other signals do nothing.
    pub(super) fn handle(mut self, backend: SharedBackend, keys: Arc<KeyStore>, stop: StopHandle) {
        rt::spawn(async move {
            while self.hangup.recv().await.is_some() {
                if self.had_terminal && !stdin().is_terminal() {
                    tracing::info!("stopping, because the terminal is gone");
                    return stop.stop(Stop::Graceful);
                }
                tracing::info!("looking at the published index and the key file");
                backend.look_now();
                keys.look_now();
            }
        });
        for mut signal in self.unused {
            rt::spawn(async move {
                while signal.recv().await.is_some() {
                    tracing::info!("a signal without a meaning was ignored");
                }
            });
        }
    }
}

/// The first `SIGINT` or `SIGTERM` stops the service after the requests in flight, the second at
/// once.
pub(super) fn stop_when_told(stop: StopHandle) -> io::Result<()> {
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    rt::spawn(async move {
        for how in [Stop::Graceful, Stop::Forced] {
            tokio::select! {
                _ = interrupt.recv() => {}
                _ = terminate.recv() => {}
            }
            tracing::info!(?how, "stopping");
            stop.stop(how);
        }
    });
    Ok(())
}
