//! The running service, the same for tests and for the binary.

use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;

use actix_http::error::DispatchError;
use actix_http::{HttpService, KeepAlive};
use actix_service::{ServiceFactoryExt as _, fn_service, map_config};
use actix_web::dev::{AppConfig, Server};
use actix_web::middleware::from_fn;
use actix_web::rt::net::TcpStream;
use actix_web::{App, rt, web};
use outfall_request::BackendSource;
use socket2::{Domain, Socket, Type};
use tokio::sync::watch;

use crate::admission::WorkerBudget;
use crate::connections::{Connections, Stream};
use crate::keys::KeyStore;
use crate::middleware::frame;
use crate::state::AppState;
use crate::{Settings, routes};

/// A service that listens, but does not answer yet.
pub struct Application {
    address: SocketAddr,
    metrics_address: SocketAddr,
    start: Box<dyn FnOnce() -> Server>,
    start_metrics: Option<Box<dyn FnOnce() -> Server>>,
    stop: watch::Sender<Option<Stop>>,
}

/// Why a service does not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The service cannot listen on the address.
    #[error("cannot listen on `{address}`: {source}")]
    Bind {
        /// The address.
        address: SocketAddr,
        /// Why not.
        source: io::Error,
    },
    /// The operating system does not start a thread.
    #[error("cannot start a thread: {0}")]
    Thread(io::Error),
    /// The operating system provides no randomness, which secrets are made from.
    #[error("the system provides no randomness: {0}")]
    Randomness(getrandom::Error),
    /// Keys are required, but no host name is configured, so that every request would be refused.
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
        source: Arc<dyn BackendSource>,
        keys: Arc<KeyStore>,
    ) -> Result<Self, StartError> {
        if settings.auth == crate::Auth::Required && settings.host_names.is_empty() {
            return Err(StartError::NoHostName);
        }
        let state =
            web::Data::new(AppState::new(settings, source, keys).map_err(StartError::Randomness)?);
        let settings = &state.settings;
        let (listen, workers) = (settings.listen, settings.workers.max(1));
        let routes: Routes = match settings.metrics_listen {
            Some(_) => routes::configure,
            None => routes::configure_with_metrics,
        };
        let main = Listener::bind(&state, listen, workers, routes)?;
        let metrics = settings
            .metrics_listen
            .map(|listen| Listener::bind(&state, listen, 1, routes::configure_metrics));
        let metrics = metrics.transpose()?;
        let address = main.address;
        let metrics_address = metrics.as_ref().map_or(address, |metrics| metrics.address);
        let start = main.start;
        let start_metrics = metrics.map(|metrics| metrics.start);
        let stop = watch::Sender::new(None);
        Ok(Self { address, metrics_address, start, start_metrics, stop })
    }

    /// The address that the service listens on, with the actual port.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The address that answers `/metrics`.
    #[must_use]
    pub fn metrics_address(&self) -> SocketAddr {
        self.metrics_address
    }

    /// The handle that stops the service.
    #[must_use]
    pub fn stop_handle(&self) -> StopHandle {
        StopHandle(self.stop.clone())
    }

    /// Answers requests until the service is stopped. It handles no signals.
    ///
    /// # Errors
    /// When the server fails as a whole.
    pub async fn run(self) -> io::Result<()> {
        let metrics = self.start_metrics.map(|start| start());
        let metrics_handle = metrics.as_ref().map(Server::handle);
        metrics.map(rt::spawn);
        let server = (self.start)();
        let handle = server.handle();
        let mut stop = self.stop.subscribe();
        // A stop that came before the start counts as well.
        stop.mark_changed();
        let forced = async {
            // The sender lives as long as `self`, so waiting never fails.
            while stop.changed().await.is_ok() {
                match *stop.borrow_and_update() {
                    // The command is sent at once; the future only completes when the server has
                    // obeyed.
                    Some(Stop::Graceful) => drop(handle.stop(true)),
                    Some(Stop::Forced) => return drop(handle.stop(false)),
                    None => {}
                }
            }
        };
        let ended = tokio::select! {
            ended = server => ended,
            // A server that is draining takes no second command, so it is dropped with its
            // requests.
            () = forced => Ok(()),
        };
        // Metrics can be read until the last request was answered.
        if let Some(metrics) = metrics_handle {
            drop(metrics.stop(false));
        }
        ended
    }
}

/// How many connections may wait to be accepted.
const BACKLOG: i32 = 1024;

/// A socket that listens on an address, and the address with the actual port.
fn listening(address: SocketAddr) -> io::Result<(TcpListener, SocketAddr)> {
    let socket =
        Socket::new(Domain::for_address(address), Type::STREAM, Some(socket2::Protocol::TCP))?;
    // Not on Windows, where it means that another program may take the address away.
    #[cfg(unix)]
    socket.set_reuse_address(true)?;
    socket.bind(&address.into())?;
    socket.listen(BACKLOG)?;
    let listener = TcpListener::from(socket);
    let address = listener.local_addr()?;
    Ok((listener, address))
}

/// Registers the routes of a listener.
type Routes = fn(&mut web::ServiceConfig);

/// A bound address, and the function that starts to answer there.
struct Listener {
    address: SocketAddr,
    start: Box<dyn FnOnce() -> Server>,
}

impl Listener {
    /// Binds an address with the limits of the settings.
    fn bind(
        state: &web::Data<AppState>,
        address: SocketAddr,
        workers: usize,
        routes: Routes,
    ) -> Result<Self, StartError> {
        let app_state = web::Data::clone(state);
        let settings = &state.settings;
        let connections = Connections::watched(settings, workers, &state.metrics);
        let connections = connections.map_err(StartError::Thread)?;
        let at = |source| StartError::Bind { address, source };
        let (socket, address) = listening(address).map_err(at)?;
        let server = Server::build()
            .workers(workers)
            .max_concurrent_connections(Connections::places_of_worker(settings.max_connections))
            .shutdown_timeout(settings.shutdown_timeout.as_secs())
            .disable_signals();
        let stops = server.graceful_shutdown_signal();
        let server = server.listen(format!("{address}"), socket, move || {
            let stops = stops.clone();
            let connections = Arc::clone(&connections);
            let (of_streams, settings) = (web::Data::clone(&app_state), &app_state.settings);
            let app = App::new()
                .app_data(web::Data::clone(&app_state))
                .app_data(WorkerBudget::of_worker(settings))
                .wrap(from_fn(frame))
                .configure(routes);
            let service = HttpService::build()
                .graceful_shutdown_signal(move || {
                    let stops = stops.clone();
                    async move { stops.notified().await }
                })
                // The library's own timer starts before an answer is sent; `Connections` knows when
                // the client has taken it.
                .keep_alive(KeepAlive::Os)
                .client_request_timeout(settings.client_request_timeout)
                .client_disconnect_timeout(settings.client_disconnect_timeout)
                .local_addr(address)
                .on_connect_ext(move |stream, data| connections.opened(stream, data))
                .finish(map_config(app, |()| AppConfig::default()));
            fn_service(move |stream: TcpStream| {
                let state = web::Data::clone(&of_streams);
                async move {
                    // An answer in two writes must not wait until the client acknowledges the first
                    // one, which clients delay by 40 ms.
                    stream.set_nodelay(true)?;
                    let peer = stream.peer_addr().ok();
                    Ok::<_, DispatchError>((
                        Stream::new(stream, state),
                        actix_http::Protocol::Http1,
                        peer,
                    ))
                }
            })
            .and_then(service)
        });
        let server = server.map_err(at)?;
        Ok(Self { address, start: Box::new(move || server.run()) })
    }
}
