//! The running service, the same for tests and for the binary.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

use actix_web::dev::Server;
use actix_web::{App, HttpServer, middleware, web};
use tokio::sync::watch;

use crate::admission::Turns;
use crate::connections::Connections;
use crate::generations::SharedBackend;
use crate::keys::KeyStore;
use crate::state::AppState;
use crate::{Settings, http, routes};

/// A service that listens and as yet answers nobody.
pub struct Application {
    address: SocketAddr,
    start: Box<dyn FnOnce() -> Server>,
    stop: watch::Sender<Option<Stop>>,
}

/// Why a service does not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The address cannot be listened on.
    #[error("cannot listen on `{address}`: {source}")]
    Bind {
        /// The address.
        address: SocketAddr,
        /// Why not.
        source: io::Error,
    },
    /// The operating system gives no thread.
    #[error("cannot start a thread: {0}")]
    Thread(io::Error),
    /// Keys are required, and no host name is configured that a request could name.
    #[error("no base URL is configured, so that no request could pass; name at least one")]
    NoHostName,
}

/// How a service stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// Requests in flight are answered first, within the shutdown timeout.
    Graceful,
    /// At once.
    Forced,
}

/// Stops a running service from anywhere.
#[derive(Clone, Debug)]
pub struct StopHandle(watch::Sender<Option<Stop>>);

impl StopHandle {
    /// Asks the service to stop; a forced stop may follow a graceful one.
    pub fn stop(&self, stop: Stop) {
        self.0.send_replace(Some(stop));
    }
}

impl Application {
    /// Binds the address of the settings.
    ///
    /// # Errors
    /// See [`StartError`].
    pub fn build(
        settings: Settings,
        backend: SharedBackend,
        keys: Arc<KeyStore>,
    ) -> Result<Self, StartError> {
        if settings.auth == crate::Auth::Required && settings.host_names.is_empty() {
            return Err(StartError::NoHostName);
        }
        let listen = settings.listen;
        let state = web::Data::new(AppState::new(settings, backend, keys));
        let settings = Arc::clone(&state.settings);
        let connections =
            Connections::watched(settings.stall_timeout).map_err(StartError::Thread)?;
        let bind_error = |source| StartError::Bind { address: listen, source };
        let server = HttpServer::new(move || {
            App::new()
                .app_data(web::Data::clone(&state))
                .app_data(Turns::of_worker(&state.settings))
                .wrap(middleware::from_fn(http::frame))
                .configure(routes::configure)
        })
        .workers(settings.workers.max(1))
        .max_connections(settings.max_connections)
        .keep_alive(settings.keep_alive)
        .client_request_timeout(settings.client_request_timeout)
        .client_disconnect_timeout(settings.client_disconnect_timeout)
        .shutdown_timeout(settings.shutdown_timeout.as_secs())
        .disable_signals()
        .on_connect(move |stream, data| connections.opened(stream, data))
        .bind(listen)
        .map_err(bind_error)?;
        let address = server.addrs().first().copied().unwrap_or(listen);
        Ok(Self { address, start: Box::new(move || server.run()), stop: watch::Sender::new(None) })
    }

    /// Where it listens, with the port that it was given.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// What stops it.
    #[must_use]
    pub fn stop_handle(&self) -> StopHandle {
        StopHandle(self.stop.clone())
    }

    /// Answers requests until it is stopped. It handles no signals.
    ///
    /// # Errors
    /// When the server fails as a whole.
    pub async fn run(self) -> io::Result<()> {
        let server = (self.start)();
        let handle = server.handle();
        let mut stop = self.stop.subscribe();
        // A stop that came before the start counts as well.
        stop.mark_changed();
        let forced = async {
            // The sender lives as long as `self`, so waiting never fails.
            while stop.changed().await.is_ok() {
                match *stop.borrow_and_update() {
                    // The command is sent at once; the future only tells when it was obeyed.
                    Some(Stop::Graceful) => drop(handle.stop(true)),
                    Some(Stop::Forced) => return drop(handle.stop(false)),
                    None => {}
                }
            }
        };
        tokio::select! {
            ended = server => ended,
            // A server that drains takes no second command; it is dropped with its requests.
            () = forced => Ok(()),
        }
    }
}
