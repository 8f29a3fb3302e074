//! How many sent bytes a client has acknowledged, according to the kernel (`sock_diag(7)`).

use std::io::{self, Read};
use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use socket2::{Domain, Protocol, Socket, Type};

const AF_NETLINK: i32 = 16;
const NETLINK_SOCK_DIAG: i32 = 4;
const SOCK_DIAG_BY_FAMILY: u16 = 20;
const NLM_F_REQUEST: u16 = 1;
const AF_INET: u8 = 2;
const AF_INET6: u8 = 10;
const IPPROTO_TCP: u8 = 6;
const INET_DIAG_INFO: u16 = 2;
/// The bit that asks for that attribute in a request.
const ASK_FOR_INFO: u8 = 1 << (INET_DIAG_INFO - 1);

/// The size of `struct nlmsghdr`, which precedes every message.
const HEADER: usize = 16;
/// The offset of `idiag_wqueue` in `struct inet_diag_msg`: the bytes that are not acknowledged.
const WAITING: usize = 60;
/// The size of `struct inet_diag_msg`, which precedes the attributes.
const MESSAGE: usize = 72;
/// The offset of `tcpi_bytes_acked` in `struct tcp_info`.
const BYTES_ACKED: usize = 120;

/// The warning when the kernel does not report acknowledged bytes.
pub(super) const UNKNOWN: &str =
    "the system does not report what clients have acknowledged, so slow readers may be cut off";

/// The kernel answers at once; the timeout only keeps the asking thread from blocking for ever.
const PATIENCE: Duration = Duration::from_secs(1);

/// Asks the kernel about connections.
#[derive(Debug)]
pub(super) struct Kernel {
    socket: Socket,
    sequence: u32,
    is_mute: bool,
}

/// The two ends of a connection.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ends {
    pub(super) local: SocketAddr,
    pub(super) peer: SocketAddr,
}

/// How many of the bytes sent on a connection were acknowledged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sent {
    /// Bytes that the peer has acknowledged since the connection began.
    pub(super) acknowledged: u64,
    /// Bytes that it has not acknowledged yet.
    pub(super) waiting: u32,
}

impl Kernel {
    /// Opens a socket to the kernel.
    ///
    /// # Errors
    /// When the system is not Linux, or forbids it.
    pub(super) fn open() -> io::Result<Self> {
        if !cfg!(any(target_os = "android", target_os = "linux")) {
            return Err(io::ErrorKind::Unsupported.into());
        }
        let protocol = Protocol::from(NETLINK_SOCK_DIAG);
        let socket = Socket::new(Domain::from(AF_NETLINK), Type::DGRAM, Some(protocol))?;
        socket.set_read_timeout(Some(PATIENCE))?;
        Ok(Self { socket, sequence: 0, is_mute: false })
    }

    /// Warns, once, that the kernel did not report a connection that is open.
    pub(super) fn note_silence(&mut self) {
        if !self.is_mute {
            self.is_mute = true;
            tracing::warn!("{UNKNOWN}");
        }
    }

    /// Looks a connection up; `None` when it is closed, or when the kernel does not report it.
    pub(super) fn sent(&mut self, ends: Ends) -> Option<Sent> {
        self.sequence = self.sequence.wrapping_add(1);
        self.socket.send(&request(ends, self.sequence)).ok()?;
        loop {
            let mut answer = [0; 4096];
            let size = (&self.socket).read(&mut answer).ok()?;
            let answer = answer.get(..size)?;
            // An earlier request that timed out may be answered late.
            if number::<4>(answer, 8).map(u32::from_ne_bytes)? == self.sequence {
                return sent(answer);
            }
        }
    }
}

/// Builds `struct nlmsghdr` and `struct inet_diag_req_v2`.
fn request(Ends { local, peer }: Ends, sequence: u32) -> Vec<u8> {
    let mut body =
        vec![if local.is_ipv4() { AF_INET } else { AF_INET6 }, IPPROTO_TCP, ASK_FOR_INFO, 0];
    // In any state.
    body.extend_from_slice(&u32::MAX.to_ne_bytes());
    body.extend_from_slice(&local.port().to_be_bytes());
    body.extend_from_slice(&peer.port().to_be_bytes());
    for end in [local, peer] {
        let mut address = [0; 16];
        match end.ip() {
            IpAddr::V4(ip) => address[..4].copy_from_slice(&ip.octets()),
            IpAddr::V6(ip) => address = ip.octets(),
        }
        body.extend_from_slice(&address);
    }
    let interface = match peer {
        SocketAddr::V4(_) => 0,
        SocketAddr::V6(peer) => peer.scope_id(),
    };
    body.extend_from_slice(&interface.to_ne_bytes());
    // With any cookie.
    body.extend_from_slice(&u64::MAX.to_ne_bytes());

    #[expect(clippy::cast_possible_truncation, reason = "a message has some dozen bytes")]
    let length = (HEADER + body.len()) as u32;
    let mut message = length.to_ne_bytes().to_vec();
    message.extend_from_slice(&SOCK_DIAG_BY_FAMILY.to_ne_bytes());
    message.extend_from_slice(&NLM_F_REQUEST.to_ne_bytes());
    message.extend_from_slice(&sequence.to_ne_bytes());
    message.extend_from_slice(&0_u32.to_ne_bytes());
    message.extend_from_slice(&body);
    message
}

/// Reads `struct inet_diag_msg` and the attribute that holds `struct tcp_info`.
fn sent(answer: &[u8]) -> Option<Sent> {
    if number::<2>(answer, 4).map(u16::from_ne_bytes)? != SOCK_DIAG_BY_FAMILY {
        return None;
    }
    let waiting = u32::from_ne_bytes(number(answer, HEADER + WAITING)?);
    let mut attributes = answer.get(HEADER + MESSAGE..)?;
    loop {
        let length = usize::from(u16::from_ne_bytes(number(attributes, 0)?));
        let kind = u16::from_ne_bytes(number(attributes, 2)?);
        if kind == INET_DIAG_INFO {
            let info = attributes.get(4..length)?;
            let acknowledged = u64::from_ne_bytes(number(info, BYTES_ACKED)?);
            return Some(Sent { acknowledged, waiting });
        }
        attributes = attributes.get(length.max(4).next_multiple_of(4)..)?;
    }
}

fn number<const N: usize>(bytes: &[u8], start: usize) -> Option<[u8; N]> {
    bytes.get(start..)?.first_chunk().copied()
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use std::io::Write;
    use std::net::{TcpListener, TcpStream};
    use std::thread;
    use std::time::Instant;

    use super::*;

    /// Both sides of a connection, the server's first.
    fn pair(address: &str) -> (TcpStream, TcpStream) {
        let listener = TcpListener::bind((address, 0)).unwrap();
        let client = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        (listener.accept().unwrap().0, client)
    }

    fn ends(stream: &TcpStream) -> Ends {
        Ends { local: stream.local_addr().unwrap(), peer: stream.peer_addr().unwrap() }
    }

    #[test]
    fn the_kernel_tells_what_a_client_has_taken() {
        let mut kernel = Kernel::open().unwrap();
        for address in ["127.0.0.1", "::1"] {
            let (mut server, mut client) = pair(address);
            let ends = ends(&server);
            assert_eq!(kernel.sent(ends), Some(Sent { acknowledged: 0, waiting: 0 }), "{address}");
            server.set_nonblocking(true).unwrap();
            let mut written = 0;
            while let Ok(size) = server.write(&[0; 65_536]) {
                written += size as u64;
            }
            let full = kernel.sent(ends).unwrap();
            assert!(full.waiting > 0, "{address}: {full:?}");
            assert_eq!(full.acknowledged + u64::from(full.waiting), written, "{address}");
            client.read_exact(&mut vec![0; written as usize]).unwrap();
            let started = Instant::now();
            while kernel.sent(ends).unwrap() != (Sent { acknowledged: written, waiting: 0 }) {
                assert!(started.elapsed() < Duration::from_secs(60), "{:?}", kernel.sent(ends));
                thread::sleep(Duration::from_millis(10));
            }
        }
    }

    #[test]
    fn what_is_no_connection_is_not_found() {
        let (server, client) = pair("127.0.0.1");
        let mut ends = ends(&server);
        ends.peer.set_port(1);
        let mut kernel = Kernel::open().unwrap();
        assert_eq!(kernel.sent(ends), None);
        drop(client);
    }

    #[test]
    fn a_broken_answer_tells_nothing() {
        let (server, _client) = pair("127.0.0.1");
        let kernel = Kernel::open().unwrap();
        kernel.socket.send(&request(ends(&server), 1)).unwrap();
        let mut answer = [0; 4096];
        let size = (&kernel.socket).read(&mut answer).unwrap();
        assert!(sent(&answer[..size]).is_some());
        for length in 0..HEADER + MESSAGE + 4 {
            assert_eq!(sent(&answer[..length]), None, "{length} bytes");
        }
        assert_eq!(sent(&[0xff; 4096]), None);
    }
}
