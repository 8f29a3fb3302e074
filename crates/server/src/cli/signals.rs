//! What signals do to a service.

use std::io::{self, IsTerminal, stdin};
use std::sync::Arc;

use actix_web::rt;
use tokio::signal::unix::{Signal, SignalKind, signal};

use crate::generations::SharedBackend;
use crate::keys::KeyStore;
use crate::{Stop, StopHandle};

/// Signals that would end the process at once if nobody took them.
pub(super) struct Taken {
    hangup: Signal,
    unused: [Signal; 4],
    had_terminal: bool,
}

/// Takes the signals that are not to stop the service. A service that still opens its index is not
/// ended by them either.
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
    /// A hangup makes the service look at the published index and at the key file at once; where
    /// the terminal that it was started from is gone, it stops. The others do nothing.
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

/// The first `SIGINT` or `SIGTERM` lets requests in flight end, the second does not.
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
