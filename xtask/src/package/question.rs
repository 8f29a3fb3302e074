//! A question to a running service, whose answer must hold records.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use anyhow::{Context, ensure};

/// A search for a substance that facilities of the sample released.
const TARGET: &str = "/release?substance=mercury&limit=1";

/// Asks the service at this address, with a key.
pub(super) fn ask(address: &str, key: &str) -> anyhow::Result<()> {
    let mut stream = TcpStream::connect(address).with_context(|| address.to_owned())?;
    stream.set_read_timeout(Some(Duration::from_secs(10)))?;
    write!(
        stream,
        "GET {TARGET} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\
         x-gateway-host: localhost\r\nx-gateway-key: {key}\r\n\r\n"
    )?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    let is_found = answer.starts_with("HTTP/1.1 200 ") && answer.contains("\"results\":[{");
    ensure!(is_found, "{TARGET}: {answer}");
    Ok(())
}
