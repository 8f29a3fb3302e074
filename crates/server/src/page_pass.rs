//! The pass of the explorer: a cookie that stands for a key where the explorer itself asks.
//!
//! A page cannot keep a key secret, and a link to a file cannot carry a header. So `GET /` sets a
//! cookie that this service alone can make. It names a day and nobody, and anybody gets one, so
//! requests that carry it are limited by address. No other site can use it: browsers send it only
//! with requests of this site (`SameSite=Strict`), a request of another origin is refused, and the
//! `Host` that the browser asked must be a known one, against names that are rebound to this
//! service's address.

use std::time::{SystemTime, UNIX_EPOCH};

use actix_web::http::header::{COOKIE, HOST, HeaderMap, ORIGIN};

use crate::http::lines;
use crate::settings::HostName;

/// The name of the cookie.
const NAME: &str = "outfall_page";
const SECONDS_OF_DAY: u64 = 24 * 60 * 60;

/// Makes and checks passes by a secret of this start; passes of an earlier start are void, and the
/// page fetches another one.
pub(crate) struct PagePasses([u8; 32]);

impl PagePasses {
    /// Passes by a new secret.
    ///
    /// # Errors
    /// When the operating system provides no randomness.
    pub(crate) fn new() -> Result<Self, getrandom::Error> {
        let mut secret = [0; 32];
        getrandom::fill(&mut secret)?;
        Ok(Self(secret))
    }

    /// The value of `Set-Cookie` for today (RFC 6265, section 4.1); a cookie that is given over TLS
    /// is sent back over TLS alone.
    pub(crate) fn cookie(&self, is_secure: bool) -> String {
        let (pass, age) = (self.of_day(today()), 2 * SECONDS_OF_DAY);
        let secure = if is_secure { "; Secure" } else { "" };
        format!("{NAME}={pass}; Path=/; Max-Age={age}; HttpOnly; SameSite=Strict{secure}")
    }

    /// Whether a request of the explorer carries a pass of today or yesterday.
    pub(crate) fn admits(&self, headers: &HeaderMap, hosts: &[HostName]) -> bool {
        let cookies = lines(headers, COOKIE).flat_map(|line| line.split(';'));
        let mut values = cookies.filter_map(|cookie| cookie.trim().split_once('='));
        is_known_host(headers, hosts)
            && is_same_origin(headers)
            && values.any(|(name, value)| name == NAME && self.is_good(value))
    }

    fn is_good(&self, pass: &str) -> bool {
        let Some((day, _)) = pass.split_once('.') else { return false };
        let Ok(day) = day.parse::<u64>() else { return false };
        let age = today().checked_sub(day);
        // Hashes are compared in constant time.
        let seal = |text: &str| blake3::keyed_hash(&self.0, text.as_bytes());
        age.is_some_and(|age| age <= 1) && seal(pass) == seal(&self.of_day(day))
    }

    fn of_day(&self, day: u64) -> String {
        let seal = blake3::keyed_hash(&self.0, &day.to_le_bytes());
        format!("{day}.{}", seal.to_hex())
    }
}

/// Whether `Host` is given once and names this service.
pub(crate) fn is_known_host(headers: &HeaderMap, hosts: &[HostName]) -> bool {
    host(headers).and_then(HostName::parse).is_some_and(|host| hosts.contains(&host))
}

/// Whether the request names no origin, as those of a page to its own service, or that of `Host`.
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

/// Days since 1970, in UTC.
pub(crate) fn today() -> u64 {
    // A clock before 1970 gives passes that are good until it is set.
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs() / SECONDS_OF_DAY)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passes_are_good_for_two_days_at_the_service_that_made_them() {
        let (own, other) = (PagePasses([1; 32]), PagePasses([2; 32]));
        let today = today();
        for (pass, expected) in [
            (own.of_day(today), true),
            (own.of_day(today - 1), true),
            (own.of_day(today - 2), false),
            (own.of_day(today + 1), false),
            (other.of_day(today), false),
            (own.of_day(today).replace('.', ".0"), false),
            (own.of_day(today - 2).replace(&(today - 2).to_string(), &today.to_string()), false),
            (today.to_string(), false),
            (String::new(), false),
        ] {
            assert_eq!(own.is_good(&pass), expected, "{pass}");
        }
    }
}
