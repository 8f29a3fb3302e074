//! The pass of the explorer: a cookie that the explorer's own requests carry instead of a key.
//!
//! A page cannot keep a key secret, and a link to a file cannot carry a header. So `GET /` sets a
//! cookie that only this service can make. It names a day but no person, and anybody gets one, so
//! requests that carry it are limited by address. No other site can use it: browsers send it only
//! with requests of this site (`SameSite=Strict`), a request of another origin is refused, and the
//! `Host` that the browser asked must be a known one, which defends against names that are rebound
//! to this service's address.

use actix_web::http::header::{COOKIE, HOST, HeaderMap, ORIGIN};

use crate::day_pass::{DayPasses, SECONDS_OF_DAY};
use crate::http::lines;
use crate::settings::HostName;

/// The name of the cookie.
const NAME: &str = "outfall_page";

/// Makes and checks the passes of the explorer.
pub(crate) struct PagePasses(DayPasses);

impl PagePasses {
    /// Passes with a new secret.
    ///
    /// # Errors
    /// When the operating system provides no randomness.
    pub(crate) fn new() -> Result<Self, getrandom::Error> {
        DayPasses::new().map(Self)
    }

    /// The value of `Set-Cookie` for today (RFC 6265, section 4.1); a cookie that is given over TLS
    /// is sent back over TLS alone.
    pub(crate) fn cookie(&self, is_secure: bool) -> String {
        let (pass, age) = (self.0.today(&[]), 2 * SECONDS_OF_DAY);
        let secure = if is_secure { "; Secure" } else { "" };
        format!("{NAME}={pass}; Path=/; Max-Age={age}; HttpOnly; SameSite=Strict{secure}")
    }

    /// Whether a request of the explorer carries a pass of today or yesterday.
    pub(crate) fn admits(&self, headers: &HeaderMap, hosts: &[HostName]) -> bool {
        let cookies = lines(headers, COOKIE).flat_map(|line| line.split(';'));
        let mut values = cookies.filter_map(|cookie| cookie.trim().split_once('='));
        is_known_host(headers, hosts)
            && is_same_origin(headers)
            && values.any(|(name, value)| name == NAME && self.0.is_good(value, &[]))
    }
}

/// Whether `Host` is given once and names this service.
pub(crate) fn is_known_host(headers: &HeaderMap, hosts: &[HostName]) -> bool {
    host(headers).and_then(HostName::parse).is_some_and(|host| hosts.contains(&host))
}

/// Whether the request names no origin, as a page's requests to its own service do, or the origin
/// of `Host`.
pub(crate) fn is_same_origin(headers: &HeaderMap) -> bool {
    let Some(origin) = headers.get(ORIGIN) else { return true };
    let authority = origin.to_str().ok().and_then(|origin| origin.split_once("://"));
    authority.is_some_and(|(_, authority)| host(headers) == Some(authority))
}

fn host(headers: &HeaderMap) -> Option<&str> {
    let mut hosts = headers.get_all(HOST);
    let host = hosts.next()?.to_str().ok()?;
    hosts.next().is_none().then_some(host)
}
