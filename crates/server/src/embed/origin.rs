//! The origin of a site, as a policy names it.

use std::fmt;
use std::str::FromStr;

/// The origin of a site that may show charts: its scheme, its host and its port, if that is not the
/// usual one. It is safe inside a `Content-Security-Policy`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin(String);

/// Why a text is not an origin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not an origin such as `https://news.example`: a scheme and a host, without a path")]
pub struct OriginError;

impl FromStr for Origin {
    type Err = OriginError;

    fn from_str(text: &str) -> Result<Self, OriginError> {
        let origin = text.strip_suffix('/').unwrap_or(text).to_ascii_lowercase();
        let (scheme, authority) = origin.split_once("://").ok_or(OriginError)?;
        let (host, port) = match authority.split_once(':') {
            Some((host, port)) => (host, Some(port)),
            None => (authority, None),
        };
        // Other things that a browser accepts as a host (wildcards, addresses in brackets) mean no
        // origin in a policy, or more than one.
        let is_label = |label: &str| {
            !label.is_empty()
                && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
        };
        // `parse` would accept a plus sign.
        let is_port = |port: &str| {
            port.bytes().all(|byte| byte.is_ascii_digit())
                && port.parse::<u16>().is_ok_and(|number| number > 0)
        };
        let is_origin = ["http", "https"].contains(&scheme)
            && host.split('.').all(is_label)
            && port.is_none_or(is_port);
        if is_origin { Ok(Self(origin)) } else { Err(OriginError) }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_origin_of_one_site_is_one() {
        for (text, expected) in [
            ("https://news.example", Some("https://news.example")),
            ("https://News.Example/", Some("https://news.example")),
            ("http://localhost:3000", Some("http://localhost:3000")),
            ("http://127.0.0.1:80", Some("http://127.0.0.1:80")),
            ("news.example", None),
            ("https://", None),
            ("https://news.example/page", None),
            ("https://news.example//", None),
            ("https://*.example", None),
            ("*", None),
            ("https://user@news.example", None),
            ("https://news.example:port", None),
            ("https://news.example:", None),
            ("https://news.example:+80", None),
            ("https://news.example;script-src", None),
            ("https://news.example *", None),
            ("https://[::1]", None),
            ("data://news.example", None),
            ("null", None),
            ("", None),
        ] {
            let origin = text.parse::<Origin>().ok().map(|origin| origin.to_string());
            assert_eq!(origin.as_deref(), expected, "{text:?}");
        }
    }
}
