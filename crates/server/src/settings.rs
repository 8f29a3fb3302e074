//! Every limit and setting of the service, with its default.

use std::fmt;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::Duration;

use clap::ValueEnum;
use tracing_appender::non_blocking::ErrorCounter;

use crate::EngineCalls;
use crate::embed::Origin;
use crate::generations::IndexLoads;
use crate::updater::UpdateCounts;

/// The settings of the service, fixed at start-up.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The address to listen on; port 0 takes a free one.
    pub listen: SocketAddr,
    /// A second address, for metrics and health; metrics are then answered only there.
    pub metrics_listen: Option<SocketAddr>,
    /// The host names that `x-gateway-host` may carry, those of the base URLs.
    pub host_names: Vec<HostName>,
    /// Whether requests must carry the gateway's headers.
    pub auth: Auth,
    /// The value that `x-gateway-secret` must have; `None` if it is not checked.
    pub gateway_secret: Option<GatewaySecret>,
    /// How many requests a key may make.
    pub rate_limit: RateLimit,
    /// How many requests an hour an address may make with `DEMO_KEY`; 0 disables that key.
    pub demo_key: u32,
    /// How many requests an hour the explorer may make from an address; 0 means that there is no
    /// explorer.
    pub explorer: u32,
    /// The sites that may show a chart of the explorer in a frame.
    pub embed_origins: Vec<Origin>,
    /// How many requests without a valid key an address may make.
    pub failed_attempts: RateLimit,
    /// The longest path with query, in bytes; a longer one is answered 414.
    pub max_target_bytes: usize,
    /// The most bytes in names and values of a request's headers; more are answered 431.
    pub max_header_bytes: usize,
    /// The most headers of a request; more are answered 431.
    pub max_headers: usize,
    /// How long a search may take before it is answered 503.
    pub search_deadline: Duration,
    /// How long a search may keep the thread that read its request before it starts again on a
    /// separate thread; less while one such search follows another.
    pub search_slice: Duration,
    /// How many searches run at once on separate threads.
    pub max_searches: usize,
    /// How many searches of a remote engine run at once; they wait there and use no core here.
    pub max_remote_searches: usize,
    /// How many requests may wait for a thread, and how many of a worker may wait for its next turn
    /// however long turns take; more are answered 503.
    pub max_waiting: usize,
    /// How many requests of a worker may wait for its next turn while turns are short; more are
    /// answered 503.
    pub max_waiting_for_turn: usize,
    /// How long a request may wait for its search before it is answered 503.
    pub max_wait: Duration,
    /// How many searches a key, or an address with `DEMO_KEY`, may have running and waiting; more
    /// are answered 429.
    pub max_requests_of_key: usize,
    /// How many exports a key, or an address with `DEMO_KEY`, may have running; more are answered
    /// 429.
    pub max_exports_of_key: usize,
    /// How many exports of keys run at once; more wait for a while, and then one gives way or the
    /// newcomer is answered 503.
    pub max_exports: usize,
    /// The same limit for exports with `DEMO_KEY`, and separately for exports of the explorer, of
    /// which an address may run one at a time.
    pub max_exports_of_visitors: usize,
    /// How long an export waits for a place before another one gives way.
    pub export_patience: Duration,
    /// How fast a client must take the only export of its key, in bytes a second, to keep its
    /// place.
    pub least_export_pace: u32,
    /// Searches that take at least this long are logged with their `q`; by default none are.
    pub slow_query: Option<Duration>,
    /// The counter of log lines dropped.
    pub dropped_log_lines: Option<ErrorCounter>,
    /// The counters of indexes taken over and refused.
    pub index_loads: IndexLoads,
    /// The counters of calls to a remote engine, if there is one.
    pub engine_calls: Option<EngineCalls>,
    /// The counters of updates.
    pub updates: UpdateCounts,
    /// How many threads answer requests.
    pub workers: usize,
    /// The most open connections of each worker; when there are more, one of the address that has
    /// the most gives way.
    pub max_connections: usize,
    /// The most open connections of an address; 0 means unlimited.
    pub max_connections_of_address: usize,
    /// How long a connection is kept without a request in flight, once the last answer was taken.
    pub keep_alive: Duration,
    /// How long the first request of a connection may take to arrive.
    pub client_request_timeout: Duration,
    /// How long a client may take for 32 KiB of an answer.
    pub stall_timeout: Duration,
    /// How long a connection may take to close.
    pub client_disconnect_timeout: Duration,
    /// How long requests in flight may take to end after a graceful stop began, in whole seconds.
    pub shutdown_timeout: Duration,
}

impl Default for Settings {
    fn default() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Self {
            listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 8080)),
            metrics_listen: None,
            host_names: ["localhost", "127.0.0.1"].map(|name| HostName(name.to_owned())).to_vec(),
            auth: Auth::Required,
            gateway_secret: None,
            rate_limit: RateLimit::default(),
            demo_key: 0,
            explorer: 0,
            embed_origins: Vec::new(),
            failed_attempts: RateLimit { per_minute: 60, burst: 60 },
            max_target_bytes: 8 * 1024,
            max_header_bytes: 16 * 1024,
            max_headers: 64,
            search_deadline: Duration::from_secs(2),
            slow_query: None,
            dropped_log_lines: None,
            index_loads: IndexLoads::default(),
            engine_calls: None,
            updates: UpdateCounts::default(),
            search_slice: Duration::from_millis(5),
            max_searches: cores,
            max_remote_searches: 64,
            max_waiting: 32,
            max_waiting_for_turn: 256,
            max_wait: Duration::from_millis(250),
            max_requests_of_key: 32,
            max_exports_of_key: 2,
            max_exports: 16,
            max_exports_of_visitors: 8,
            export_patience: Duration::from_secs(5),
            least_export_pace: 64 * 1024,
            workers: cores,
            max_connections: 1024,
            max_connections_of_address: 0,
            keep_alive: Duration::from_secs(15),
            client_request_timeout: Duration::from_secs(5),
            stall_timeout: Duration::from_secs(20),
            client_disconnect_timeout: Duration::from_secs(1),
            shutdown_timeout: Duration::from_secs(10),
        }
    }
}

/// Whether requests need a key and the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Auth {
    /// Both operations do.
    Required,
    /// Neither is checked. For local use only.
    Off,
}

/// A token bucket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RateLimit {
    /// Requests a minute in the long run; 0 means unlimited.
    pub per_minute: u32,
    /// Requests at once; 0 counts as 1.
    pub burst: u32,
}

impl Default for RateLimit {
    fn default() -> Self {
        Self { per_minute: 240, burst: 60 }
    }
}

/// A host name in the form that is compared: lower case, without a trailing dot or a port.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostName(String);

/// Why a text is not a base URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a base URL such as `https://api.example.org`")]
pub struct BaseUrlError;

impl HostName {
    /// The host name of a base URL, `https://api.example.org/npri` or the bare host of one.
    ///
    /// # Errors
    /// [`BaseUrlError`] when there is no host name in it, or user information before it.
    pub fn of_base_url(url: &str) -> Result<Self, BaseUrlError> {
        let rest = match url.split_once("://") {
            Some(("http" | "https", rest)) => rest,
            Some(_) => return Err(BaseUrlError),
            None => url,
        };
        let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
        Self::parse(authority).ok_or(BaseUrlError)
    }

    /// The host name of `api.example.org:443`; `None` if there is none.
    #[must_use]
    pub fn parse(host: &str) -> Option<Self> {
        let host = host.trim();
        // IPv6 addresses must be in brackets, and nothing else may be.
        if let Some(address) = host.strip_prefix('[') {
            let (address, port) = address.split_once(']')?;
            let address: Ipv6Addr = address.parse().ok()?;
            return is_port(port).then(|| Self(address.to_string()));
        }
        let (name, port) = host.split_at(host.find(':').unwrap_or(host.len()));
        let name = name.strip_suffix('.').unwrap_or(name);
        let is_host = !name.is_empty()
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._".contains(&byte));
        (is_host && is_port(port)).then(|| Self(name.to_ascii_lowercase()))
    }
}

impl fmt::Display for HostName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// Nothing, or a colon and digits.
fn is_port(text: &str) -> bool {
    match text.strip_prefix(':') {
        Some(port) => port.bytes().all(|byte| byte.is_ascii_digit()),
        None => text.is_empty(),
    }
}

/// The secret that the gateway proves itself with; never shown, not even by `{:?}`.
#[derive(Clone)]
pub struct GatewaySecret(Vec<u8>);

impl GatewaySecret {
    /// Makes a secret of its bytes.
    #[must_use]
    pub fn new(secret: impl Into<Vec<u8>>) -> Self {
        Self(secret.into())
    }

    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Debug for GatewaySecret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("GatewaySecret(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base_urls_have_a_host_name() {
        for (url, expected) in [
            ("https://api.example.org", Some("api.example.org")),
            ("http://API.Example.org.:8080/npri", Some("api.example.org")),
            ("localhost:8080", Some("localhost")),
            ("http://[::1]:8080/", Some("::1")),
            ("http://[0:0:0:0:0:0:0:1]", Some("::1")),
            ("[2001:DB8::1]", Some("2001:db8::1")),
            ("[localhost]", None),
            ("[127.0.0.1]:80", None),
            ("[::1", None),
            ("[::1].", None),
            ("::1", None),
            ("https://", None),
            ("ftp://example.org", None),
            ("https://user@example.org", None),
            ("http://host:port", None),
            ("", None),
        ] {
            let name = HostName::of_base_url(url).ok().map(|name| name.to_string());
            assert_eq!(name.as_deref(), expected, "{url:?}");
        }
    }

    #[test]
    fn a_secret_is_not_shown() {
        let shown = format!("{:?}", GatewaySecret::new("canary"));
        assert!(!shown.contains("canary"));
    }
}
