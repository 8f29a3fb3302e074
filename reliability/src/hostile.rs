//! Connections that hold on to the service and do not let it finish.

use std::io::{self, BufReader, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use socket2::{Domain, Socket, Type};

use crate::client::{Answer, PATIENCE, head};

/// A way to hold on to the service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Hostility {
    /// Sends nothing.
    Silent,
    /// Sends its first request at 1 byte per second.
    SlowFirstHead,
    /// Sends one good request, and the second at 1 byte per second.
    SlowSecondHead,
    /// Sends one good request, then one byte, and falls silent.
    OneByte,
    /// Requests more than buffers hold, and reads 64 bytes per second.
    SlowReader,
}

impl Hostility {
    pub(crate) const ALL: [Self; 5] =
        [Self::Silent, Self::SlowFirstHead, Self::SlowSecondHead, Self::OneByte, Self::SlowReader];
}

/// A request with a large answer, and how often it is sent, so that no buffer holds all answers.
const LARGE: (&str, usize) = ("/release?limit=1000", 40);
/// A receive buffer so small that one answer does not fit, in bytes.
const NARROW: usize = 4096;

/// A hostile connection.
#[derive(Debug)]
pub(crate) struct Hostile {
    pub(crate) kind: Hostility,
    stream: TcpStream,
    opened: Instant,
    sent: usize,
    /// How long it lasted, once the service has closed it.
    pub(crate) lasted: Option<Duration>,
}

impl Hostile {
    /// Connects, and does what comes before the hostile part.
    pub(crate) fn open(address: SocketAddr, kind: Hostility) -> io::Result<Self> {
        let opened = Instant::now();
        let mut stream = connect_narrowly(address, Ipv4Addr::LOCALHOST)?;
        match kind {
            Hostility::Silent | Hostility::SlowFirstHead => {}
            Hostility::SlowSecondHead | Hostility::OneByte => {
                stream.write_all(head("/health/live", "").as_bytes())?;
                Answer::read(&mut BufReader::new(&stream))?;
            }
            Hostility::SlowReader => {
                let (target, times) = LARGE;
                stream.write_all(head(target, "").repeat(times).as_bytes())?;
            }
        }
        stream.set_nonblocking(true)?;
        Ok(Self { kind, stream, opened, sent: 0, lasted: None })
    }

    /// Does what is due each second, until the service closes the connection.
    pub(crate) fn go_on(&mut self) {
        if self.lasted.is_some() {
            return;
        }
        let head = head("/health/live", "");
        let byte = &head.as_bytes()[self.sent % head.len()..][..1];
        let is_due = match self.kind {
            Hostility::SlowFirstHead | Hostility::SlowSecondHead => self.sent + 4 < head.len(),
            Hostility::OneByte => self.sent == 0,
            Hostility::Silent | Hostility::SlowReader => false,
        };
        let sent = if is_due { self.stream.write(byte) } else { Ok(0) };
        self.sent += usize::from(is_due);
        // A reset is known before earlier bytes are read.
        let is_reset = sent.is_err() || !matches!(self.stream.take_error(), Ok(None));
        let is_ended = match self.stream.read(&mut [0; 64]) {
            Ok(read) => read == 0,
            Err(error) => error.kind() != io::ErrorKind::WouldBlock,
        };
        if is_reset || is_ended {
            self.lasted = Some(self.opened.elapsed());
        }
    }
}

/// Opens a connection with a small receive buffer, from an address of this machine.
pub(crate) fn connect_narrowly(address: SocketAddr, from: Ipv4Addr) -> io::Result<TcpStream> {
    let socket = Socket::new(Domain::for_address(address), Type::STREAM, None)?;
    socket.bind(&SocketAddr::from((from, 0)).into())?;
    socket.set_recv_buffer_size(NARROW)?;
    socket.set_read_timeout(Some(PATIENCE))?;
    socket.connect_timeout(&address.into(), PATIENCE)?;
    Ok(socket.into())
}
