//! The client of a portal.

use std::fmt;
use std::str::FromStr;
use std::thread;
use std::time::Duration;

use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use ureq::http::header::ACCEPT_ENCODING;
use ureq::http::uri::Scheme;
use ureq::http::{Response, StatusCode, Uri};
use ureq::tls::{RootCerts, TlsConfig};
use ureq::{Agent, Body};

use crate::{PortalError, PortalUrlError};

/// How the client is named to servers.
const USER_AGENT: &str = concat!("outfall/", env!("CARGO_PKG_VERSION"));
/// How many redirects are followed, one after the other.
const MOST_REDIRECTS: u32 = 5;
/// How often a request is sent in all, even if each attempt gets a little further.
const MOST_ATTEMPTS: u32 = 100;

/// How long to wait, how often to try, and how much to accept.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The wait for a connection, for the head of an answer, and for its next bytes.
    pub silence: Duration,
    /// The time that one answer may take as a whole. The part of a file received by then is kept,
    /// and the rest is requested.
    pub answer: Duration,
    /// How often a request without any progress is sent.
    pub tries: u32,
    /// The pause before the first repetition; twice as long before each next one.
    pub pause: Duration,
    /// The longest description of a dataset, in bytes.
    pub longest_description: u64,
    /// The longest file, in bytes.
    pub longest_file: u64,
}

/// The largest official file had 376 MB in 2024, and the largest dataset some hundred resources.
impl Default for Limits {
    fn default() -> Self {
        Self {
            silence: Duration::from_secs(60),
            answer: Duration::from_secs(3600),
            tries: 5,
            pause: Duration::from_secs(2),
            longest_description: 16 << 20,
            longest_file: 12 << 30,
        }
    }
}

/// An open-data portal that speaks CKAN's API.
#[derive(Clone, Debug)]
pub struct Portal {
    url: String,
    pub(crate) limits: Limits,
    agent: Agent,
}

/// Why a call failed.
pub(crate) enum CallError {
    /// Trying again may help.
    Passing(String),
    /// Trying again will not help.
    Lasting(PortalError),
}

impl From<PortalError> for CallError {
    fn from(error: PortalError) -> Self {
        Self::Lasting(error)
    }
}

impl Portal {
    /// The address of the Government of Canada's portal.
    pub const CANADA: &str = "https://open.canada.ca/data";

    /// The portal below `url`; nothing is requested yet. If `url` is an address with TLS, nothing
    /// is ever requested without it.
    ///
    /// # Errors
    /// When that is not an address of HTTP.
    pub fn new(url: &str, limits: Limits) -> Result<Self, PortalUrlError> {
        Self::trusting(RootCerts::WebPki, url, limits)
    }

    /// The same, with certificates of these authorities.
    fn trusting(roots: RootCerts, url: &str, limits: Limits) -> Result<Self, PortalUrlError> {
        let uri: Uri = url.parse().map_err(|_| PortalUrlError)?;
        let is_http = matches!(uri.scheme_str(), Some("http" | "https"));
        if !is_http || uri.host().is_none_or(str::is_empty) || uri.query().is_some() {
            return Err(PortalUrlError);
        }
        let agent = Agent::config_builder()
            .tls_config(TlsConfig::builder().root_certs(roots).build())
            .https_only(uri.scheme() == Some(&Scheme::HTTPS))
            .http_status_as_error(false)
            .max_redirects(MOST_REDIRECTS)
            .user_agent(USER_AGENT)
            .timeout_resolve(Some(limits.silence))
            .timeout_connect(Some(limits.silence))
            .timeout_recv_response(Some(limits.silence))
            .timeout_recv_body(Some(limits.answer))
            .timeout_per_read(Some(limits.silence))
            .build()
            .new_agent();
        Ok(Self { url: url.trim_end_matches('/').to_owned(), limits, agent })
    }

    /// Its address, without a slash at the end.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Asks for `url` with more headers. Redirects are followed.
    pub(crate) fn get(
        &self,
        url: &str,
        headers: &[(&str, &str)],
    ) -> Result<Response<Body>, CallError> {
        // A packed answer that broke off could not be resumed.
        let request = self.agent.get(encoded(url)).header(ACCEPT_ENCODING, "identity");
        let request =
            headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
        let answer = request.call().map_err(|error| failure(url, error))?;
        let status = answer.status();
        let is_busy = matches!(status, StatusCode::TOO_MANY_REQUESTS | StatusCode::REQUEST_TIMEOUT);
        if status.is_server_error() || is_busy {
            return Err(CallError::Passing(format!("it answers with status {}", status.as_u16())));
        }
        Ok(answer)
    }

    /// Repeats `attempt` while its failures may be temporary. An attempt that increases `progress`
    /// resets the count of failures.
    pub(crate) fn persist<T>(
        &self,
        url: &str,
        progress: impl Fn() -> u64,
        mut attempt: impl FnMut() -> Result<T, CallError>,
    ) -> Result<T, PortalError> {
        let (mut attempts, mut failures, mut pause) = (0, 0, self.limits.pause);
        loop {
            attempts += 1;
            let before = progress();
            let reason = match attempt() {
                Ok(done) => return Ok(done),
                Err(CallError::Lasting(error)) => return Err(error),
                Err(CallError::Passing(reason)) => reason,
            };
            if progress() > before {
                (failures, pause) = (0, self.limits.pause);
            }
            failures += 1;
            if failures >= self.limits.tries || attempts >= MOST_ATTEMPTS {
                return Err(PortalError::Unavailable { url: url.to_owned(), reason });
            }
            thread::sleep(pause);
            pause *= 2;
        }
    }
}

/// An address as it may be sent: people type spaces and accents into catalogues.
fn encoded(url: &str) -> String {
    const DELIMITERS: AsciiSet = CONTROLS.add(b' ').add(b'"').add(b'<').add(b'>').add(b'`');
    static FORBIDDEN: AsciiSet = DELIMITERS.add(b'\\').add(b'^').add(b'{').add(b'|').add(b'}');
    utf8_percent_encode(url, &FORBIDDEN).to_string()
}

/// Classifies the error of a call that got no answer.
fn failure(url: &str, error: ureq::Error) -> CallError {
    let reason = match error {
        ureq::Error::TooManyRedirects => {
            format!("it leads on more than {MOST_REDIRECTS} times")
        }
        ureq::Error::RequireHttpsOnly(to) => format!("it leads to `{to}`, which is not secure"),
        ureq::Error::BadUri(to) => format!("it leads to no address of HTTP ({to})"),
        ureq::Error::RedirectFailed
        | ureq::Error::Http(_)
        | ureq::Error::LargeResponseHeader(..) => error.to_string(),
        _ => return CallError::Passing(error.to_string()),
    };
    PortalError::unexpected(url, reason).into()
}

impl FromStr for Portal {
    type Err = PortalUrlError;

    /// The portal below an address, with the usual limits.
    fn from_str(url: &str) -> Result<Self, PortalUrlError> {
        Self::new(url, Limits::default())
    }
}

impl fmt::Display for Portal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.url)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

    use std::sync::Arc;

    use outfall_fixtures::{Fault, ServedFile, TestAuthority, TestPortal};
    use ureq::tls::Certificate;

    use super::*;

    #[test]
    fn what_is_reached_by_tls_leads_nowhere_without() {
        let authority = TestAuthority::new().unwrap();
        let (portal, other) = (TestPortal::start().unwrap(), TestPortal::start().unwrap());
        let secure = |portal: &TestPortal| {
            let address = portal.url().trim_start_matches("http://").parse().unwrap();
            format!("https://{}", authority.front(address, "127.0.0.1", (2000, 2100)).unwrap())
        };
        let certificate = Certificate::from_pem(authority.pem().as_bytes()).unwrap();
        let roots = RootCerts::Specific(Arc::new(vec![certificate]));
        let url = secure(&portal);
        let client = Portal::trusting(roots, &url, Limits::default()).unwrap();
        let path = other.publish(0, ServedFile::csv(b"a,b\n".to_vec()));
        let (plain, there) = (other.at(&path), format!("{}{path}", secure(&other)));
        let from = format!("{url}{path}");
        for (to, is_followed) in [(&there, true), (&plain, false)] {
            let faults = [Fault::Redirect(to.clone())];
            portal.publish(0, ServedFile::default().with_faults(faults));
            match client.get(&from, &[]) {
                Ok(mut answer) => {
                    assert!(is_followed);
                    assert_eq!(answer.body_mut().read_to_string().unwrap(), "a,b\n");
                }
                Err(CallError::Passing(reason)) => panic!("{to}: {reason}"),
                Err(CallError::Lasting(error)) => {
                    assert!(!is_followed, "{error}");
                    let expected = format!("it leads to `{plain}`, which is not secure");
                    let told = error.to_string();
                    assert!(told.contains(&from) && told.contains(&expected), "{told}");
                }
            }
        }
        // An address from a catalogue is refused in the same way.
        let listed = client.get(&plain, &[]);
        assert!(matches!(listed, Err(CallError::Lasting(_))));
        assert_eq!(other.asked("host").len(), 1, "nothing was asked without TLS");
    }

    #[test]
    fn addresses_are_sent_as_they_may_be() {
        for (url, expected) in [
            ("https://x.example/a%20b?c=%2Fd&e", "https://x.example/a%20b?c=%2Fd&e"),
            ("https://x.example/a b/é.csv", "https://x.example/a%20b/%C3%A9.csv"),
        ] {
            assert_eq!(encoded(url), expected);
        }
    }

    #[test]
    fn a_portal_has_an_address_of_http() {
        for (url, expected) in [
            (Portal::CANADA, Some("https://open.canada.ca/data")),
            ("http://127.0.0.1:5000/", Some("http://127.0.0.1:5000")),
            ("open.canada.ca", None),
            ("file:///etc/passwd", None),
            ("ftp://open.canada.ca", None),
            ("https://", None),
            ("https://open.canada.ca?x=1", None),
            ("", None),
        ] {
            let portal = url.parse::<Portal>().ok();
            assert_eq!(portal.map(|portal| portal.to_string()).as_deref(), expected, "{url}");
        }
    }
}
