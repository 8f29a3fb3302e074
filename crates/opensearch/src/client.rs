//! The HTTP client: a call to one of the nodes, with a deadline for all of it.

use std::io::Read;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use flate2::read::GzDecoder;
use serde::de::DeserializeOwned;
use serde_json::Value;
use ureq::Agent;
use ureq::http::header::{ACCEPT_ENCODING, CONTENT_ENCODING};
use ureq::http::{Request, StatusCode};
use ureq::tls::{PemItem, RootCerts, TlsConfig, parse_pem};

use crate::{ClusterError, Connection, Observer, Outcome};

/// How long a call without a deadline may take.
const PATIENCE: Duration = Duration::from_secs(60);
/// The largest answer that is read; a page of a thousand records is a few megabytes.
const LARGEST_ANSWER: u64 = 1 << 28;
/// The most characters of a reason given by the cluster that are kept.
const REASON: usize = 500;
/// The encoding of answers. They are unpacked here and not by the feature of `ureq`, which would
/// hide from the tests of the whole workspace how an answer was encoded.
const GZIP: &str = "gzip";
/// Connections kept open to a node.
const KEPT: usize = 64;

/// Calls the nodes of a cluster.
#[derive(Clone, Debug)]
pub struct Client {
    agent: Agent,
    urls: Arc<[String]>,
    authorization: Option<Arc<str>>,
    /// The node that is asked first: the one that answered last, or the one after a silent one.
    preferred: Arc<AtomicUsize>,
    observer: Option<Arc<dyn Observer>>,
}

/// The body of a call.
#[derive(Clone, Copy)]
pub(crate) enum Body<'a> {
    None,
    Json(&'a Value),
    /// Lines of JSON, for `_bulk`.
    Lines(&'a [u8]),
}

impl Client {
    /// A client; nothing is asked yet.
    ///
    /// # Errors
    /// [`ClusterError::Certificates`].
    pub fn new(connection: &Connection) -> Result<Self, ClusterError> {
        let roots = match &connection.authorities {
            Some(pem) => RootCerts::Specific(Arc::new(certificates(pem)?)),
            None => RootCerts::WebPki,
        };
        let agent = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .max_idle_connections_per_host(KEPT)
            .max_idle_connections(KEPT * connection.urls.len().max(1))
            .tls_config(TlsConfig::builder().root_certs(roots).build())
            .build()
            .new_agent();
        let urls = connection.urls.iter().map(|url| url.trim_end_matches('/').to_owned());
        let authorization = connection.credentials.as_ref().map(|who| who.header().into());
        let preferred = Arc::default();
        Ok(Self { agent, urls: urls.collect(), authorization, preferred, observer: None })
    }

    /// The same client, which reports its calls to `observer`.
    #[must_use]
    pub fn observed_by(self, observer: Arc<dyn Observer>) -> Self {
        Self { observer: Some(observer), ..self }
    }

    /// Asks whether a node answers at all.
    ///
    /// # Errors
    /// Those of the connection; [`ClusterError::Refused`] if the cluster does not know the user.
    pub fn reach(&self, deadline: Option<Instant>) -> Result<(), ClusterError> {
        self.call::<Value>("GET", "/", Body::None, deadline).map(drop)
    }

    /// Calls a node and reads its answer; another node if the first one cannot be reached.
    pub(crate) fn call<T: DeserializeOwned>(
        &self,
        method: &str,
        path: &str,
        body: Body<'_>,
        deadline: Option<Instant>,
    ) -> Result<T, ClusterError> {
        let (status, answer) = self.exchange(method, path, body, deadline)?;
        if status.is_success() {
            let parsed = serde_json::from_slice(&answer);
            return parsed.map_err(|error| ClusterError::unexpected(error.to_string()));
        }
        let reason: String = String::from_utf8_lossy(&answer).chars().take(REASON).collect();
        let is_busy = status == StatusCode::TOO_MANY_REQUESTS || status.is_server_error();
        Err(match is_busy {
            true => ClusterError::Unavailable { reason: format!("status {status}: {reason}") },
            false => {
                let request = format!("{method} {path}");
                ClusterError::Refused { request, status: status.as_u16(), reason }
            }
        })
    }

    /// The status and the body of the first node that answers at all.
    fn exchange(
        &self,
        method: &str,
        path: &str,
        body: Body<'_>,
        deadline: Option<Instant>,
    ) -> Result<(StatusCode, Vec<u8>), ClusterError> {
        let mut failed = ClusterError::Unavailable { reason: "no node is named".to_owned() };
        let first = self.preferred.load(Ordering::Relaxed);
        for offset in 0..self.urls.len() {
            let place = (first + offset) % self.urls.len();
            let patience = match deadline {
                Some(deadline) => deadline.saturating_duration_since(Instant::now()),
                None => PATIENCE,
            };
            if patience.is_zero() {
                return Err(ClusterError::TimedOut);
            }
            if let Some(observer) = self.observer.as_ref().filter(|_| offset > 0) {
                observer.retried();
            }
            let began = Instant::now();
            let called = self.ask(&format!("{}{path}", self.urls[place]), method, body, patience);
            let called = called.map_err(ClusterError::of_transport);
            if let Some(observer) = &self.observer {
                observer.called(Outcome::of(&called), began.elapsed());
            }
            match called {
                Ok(answer) => {
                    self.preferred.store(place, Ordering::Relaxed);
                    return Ok(answer);
                }
                Err(error) => failed = error,
            }
            // A silent node uses up all the time that there is, so the next call must not start
            // with it too.
            let next = (place + 1) % self.urls.len();
            let _ =
                self.preferred.compare_exchange(place, next, Ordering::Relaxed, Ordering::Relaxed);
        }
        Err(failed)
    }

    fn ask(
        &self,
        url: &str,
        method: &str,
        body: Body<'_>,
        patience: Duration,
    ) -> Result<(StatusCode, Vec<u8>), ureq::Error> {
        let mut request = Request::builder().method(method).uri(url).header(ACCEPT_ENCODING, GZIP);
        if let Some(authorization) = &self.authorization {
            request = request.header("authorization", &**authorization);
        }
        let (kind, bytes) = match body {
            Body::None => (None, Vec::new()),
            Body::Json(value) => (Some("application/json"), value.to_string().into_bytes()),
            Body::Lines(lines) => (Some("application/x-ndjson"), lines.to_vec()),
        };
        if let Some(kind) = kind {
            request = request.header("content-type", kind);
        }
        // A search has a body even if it is a GET, so every request may have one.
        let request = self.agent.configure_request(request.body(bytes)?);
        let request = request.timeout_global(Some(patience)).allow_non_standard_methods(true);
        // If a node does not even accept the connection, there is time left to try another one.
        let request = request.timeout_connect(Some(patience / 2));
        let mut answer = self.agent.run(request.build())?;
        let is_packed = answer.headers().get(CONTENT_ENCODING).is_some_and(|name| name == GZIP);
        let body = answer.body_mut().with_config().limit(LARGEST_ANSWER).read_to_vec()?;
        if !is_packed {
            return Ok((answer.status(), body));
        }
        let mut unpacked = Vec::new();
        // A longer answer is cut off here. It is then not valid JSON, so it is rejected.
        GzDecoder::new(&*body).take(LARGEST_ANSWER).read_to_end(&mut unpacked)?;
        Ok((answer.status(), unpacked))
    }
}

fn certificates(pem: &[u8]) -> Result<Vec<ureq::tls::Certificate<'static>>, ClusterError> {
    let failed = |reason: String| ClusterError::Certificates { reason };
    let mut found = Vec::new();
    for item in parse_pem(pem) {
        if let PemItem::Certificate(certificate) =
            item.map_err(|error| failed(error.to_string()))?
        {
            found.push(certificate);
        }
    }
    if found.is_empty() {
        return Err(failed("there is no certificate in the file".to_owned()));
    }
    Ok(found)
}
