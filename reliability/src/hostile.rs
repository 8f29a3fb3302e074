//! Connections that want the service's attention and give nothing for it.

use std::io::{self, BufReader, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use socket2::{Domain, Socket, Type};

use crate::client::{Answer, PATIENCE, head};

/// A way to be a burden.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Hostility {
    /// Says nothing.
    Silent,
    /// Sends its first request at 1 byte a second.
    SlowFirstHead,
    /// Makes one good request, and the second at 1 byte a second.
    SlowSecondHead,
    /// Makes one good request, sends one byte and falls silent.
    OneByte,
    /// Asks for more than buffers hold and reads 64 bytes a second.
    SlowReader,
}

impl Hostility {
    pub(crate) const ALL: [Self; 5] =
        [Self::Silent, Self::SlowFirstHead, Self::SlowSecondHead, Self::OneByte, Self::SlowReader];
}

/// Large answers, so many that no buffer takes them all.
const LARGE: (&str, usize) = ("/release?limit=1000", 40);
/// As little as a client can let the kernel take for it, in bytes, so that one answer is too much.
const NARROW: usize = 4096;

/// One such connection.
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

    /// What it does each second, until the service closes it.
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
        // A reset is known before what came earlier is read.
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

/// A connection from an address of this machine that takes little.
pub(crate) fn connect_narrowly(address: SocketAddr, from: Ipv4Addr) -> io::Result<TcpStream> {
    let socket = Socket::new(Domain::for_address(address), Type::STREAM, None)?;
    socket.bind(&SocketAddr::from((from, 0)).into())?;
    socket.set_recv_buffer_size(NARROW)?;
    socket.set_read_timeout(Some(PATIENCE))?;
    socket.connect_timeout(&address.into(), PATIENCE)?;
    Ok(socket.into())
}
