//! An export whose client reads as little at a time as it likes.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};

use crate::LabError;
use crate::client::head;
use crate::hostile::connect_narrowly;

/// The end of a file that is whole.
const END: &[u8] = b"\r\n0\r\n\r\n";

/// An export on its own connection.
#[derive(Debug)]
pub(crate) struct SlowExport {
    stream: TcpStream,
    pub(crate) status: u16,
    /// The last bytes that arrived.
    tail: Vec<u8>,
    is_ended: bool,
}

impl SlowExport {
    /// Requests every release with a key, from an address, and waits until the answer begins.
    pub(crate) fn begin(address: SocketAddr, key: &str, from: Ipv4Addr) -> Result<Self, LabError> {
        let begin = || -> io::Result<Self> {
            let mut stream = connect_narrowly(address, from)?;
            let headers = format!(
                "x-gateway-host: localhost\r\nx-gateway-key: {key}\r\nconnection: close\r\n"
            );
            stream.write_all(head("/release?format=ndjson", &headers).as_bytes())?;
            let mut line = [0; "HTTP/1.1 200".len()];
            stream.read_exact(&mut line)?;
            let status = std::str::from_utf8(&line[9..]).unwrap_or_default();
            let status = status.parse().unwrap_or(0);
            Ok(Self { stream, status, tail: Vec::new(), is_ended: false })
        };
        begin().map_err(LabError::io("begin an export"))
    }

    /// Reads the bytes that are there, but no more than `most`.
    pub(crate) fn take(&mut self, most: usize) {
        if self.is_ended || self.stream.set_nonblocking(true).is_err() {
            return;
        }
        let mut left = most;
        while left > 0 && !self.is_ended {
            match self.read(left) {
                0 => return,
                read => left -= read,
            }
        }
    }

    /// Reads the rest; returns whether the file is whole.
    pub(crate) fn take_all(&mut self) -> bool {
        if self.stream.set_nonblocking(false).is_ok() {
            while !self.is_ended && self.read(usize::MAX) > 0 {}
        }
        self.is_ended && self.tail == END
    }

    /// Whether the connection ended before the file did.
    pub(crate) fn is_broken(&self) -> bool {
        self.is_ended && self.tail != END
    }

    fn read(&mut self, most: usize) -> usize {
        let mut buffer = [0; 16 * 1024];
        let room = most.min(buffer.len());
        match self.stream.read(&mut buffer[..room]) {
            Err(error) if error.kind() == ErrorKind::WouldBlock => 0,
            Ok(0) | Err(_) => {
                self.is_ended = true;
                0
            }
            Ok(read) => {
                self.tail.extend_from_slice(&buffer[..read]);
                let old = self.tail.len().saturating_sub(END.len());
                self.tail.drain(..old);
                read
            }
        }
    }
}
