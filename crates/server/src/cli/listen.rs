//! The address to listen on, as people write it: an address, a name, or a port alone.

use std::fmt;
use std::io;
use std::net::{Ipv4Addr, SocketAddr, ToSocketAddrs};
use std::str::FromStr;

/// The value of `--listen`; a name is looked up when the service starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ListenAddress {
    /// `127.0.0.1:8080` or `[::1]:8080`; a port alone means `127.0.0.1`.
    Socket(SocketAddr),
    /// `localhost:8080`.
    Named(String),
}

/// Why a text is not an address to listen on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("write an address and a port, such as `127.0.0.1:8080`, `localhost:8080` or `8080`")]
pub struct ListenAddressError;

impl FromStr for ListenAddress {
    type Err = ListenAddressError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if let Ok(address) = text.parse() {
            return Ok(Self::Socket(address));
        }
        let (name, port) = text.rsplit_once(':').unwrap_or(("", text));
        // `parse` would accept a sign.
        let is_number = port.bytes().all(|byte| byte.is_ascii_digit());
        let port: u16 = port.parse().ok().filter(|_| is_number).ok_or(ListenAddressError)?;
        match name {
            "" => Ok(Self::Socket((Ipv4Addr::LOCALHOST, port).into())),
            _ if name
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b"-._".contains(&byte)) =>
            {
                Ok(Self::Named(text.to_owned()))
            }
            _ => Err(ListenAddressError),
        }
    }
}

impl ListenAddress {
    /// Resolves the address. If a name has several, prefers one of IPv4, which every machine has.
    ///
    /// # Errors
    /// When the name has no address.
    pub(super) fn resolve(&self) -> io::Result<SocketAddr> {
        let name = match self {
            Self::Socket(address) => return Ok(*address),
            Self::Named(name) => name,
        };
        let addresses: Vec<SocketAddr> = name.to_socket_addrs()?.collect();
        let first = addresses.iter().find(|address| address.is_ipv4()).or(addresses.first());
        first.copied().ok_or_else(|| io::ErrorKind::NotFound.into())
    }
}

impl fmt::Display for ListenAddress {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Socket(address) => address.fmt(formatter),
            Self::Named(name) => name.fmt(formatter),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_names_and_ports_are_understood() {
        for (text, expected) in [
            ("127.0.0.1:8081", "127.0.0.1:8081"),
            ("[::1]:8081", "[::1]:8081"),
            ("0.0.0.0:0", "0.0.0.0:0"),
            ("8081", "127.0.0.1:8081"),
            (":8081", "127.0.0.1:8081"),
            ("localhost:8081", "127.0.0.1:8081"),
        ] {
            let address = text.parse::<ListenAddress>().unwrap().resolve().unwrap();
            assert_eq!(address.to_string(), expected, "{text}");
        }
        for text in [
            "",
            "localhost",
            "127.0.0.1",
            "::1:x",
            "::1",
            "8081 ",
            "+80",
            "65536",
            "a b:80",
            "http://a:80",
        ] {
            assert_eq!(text.parse::<ListenAddress>(), Err(ListenAddressError), "{text:?}");
        }
    }
}
