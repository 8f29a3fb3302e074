//! Clients that make no progress lose their connections, and nobody else does.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod support;

use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

use socket2::{Domain, Socket, Type};
use support::{Server, sample};

/// How long a test waits for something before it fails; no test measures it.
const PATIENCE: Duration = Duration::from_secs(60);
/// Far less than any other deadline.
const STALL: Duration = Duration::from_secs(3);

/// How a client holds a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// It sends nothing.
    Silent,
    /// It never ends the head of its first request.
    FirstHead,
    /// It never ends the head of its second request.
    SecondHead,
    /// After its first request it sends one byte.
    OneByte,
    /// It hardly reads its answer.
    SlowReader,
}

const KINDS: [Kind; 5] =
    [Kind::Silent, Kind::FirstHead, Kind::SecondHead, Kind::OneByte, Kind::SlowReader];

/// A client that holds a connection.
struct Hostile {
    kind: Kind,
    stream: TcpStream,
}

impl Hostile {
    fn connect(kind: Kind, server: &Server) -> Self {
        let mut stream = connect(server.address(), Some(4096));
        let first = match kind {
            Kind::Silent => String::new(),
            Kind::FirstHead => "GET /health/live HTTP/1.1\r\nx-slow: ".to_owned(),
            Kind::SecondHead | Kind::OneByte => head("/health/live", server) + "G",
            Kind::SlowReader => head("/release?limit=1000", server),
        };
        stream.write_all(first.as_bytes()).unwrap();
        stream.set_nonblocking(true).unwrap();
        Self { kind, stream }
    }

    /// Makes almost no progress; returns whether the connection is still open.
    fn tick(&mut self) -> bool {
        let mut taken = [0; 4096];
        let taken = match self.kind {
            Kind::SlowReader => &mut taken[..1],
            _ => &mut taken[..],
        };
        let done = match self.kind {
            Kind::FirstHead | Kind::SecondHead => self.stream.write(b"E"),
            Kind::Silent | Kind::OneByte | Kind::SlowReader => match self.stream.read(taken) {
                Ok(0) => return false,
                read => read,
            },
        };
        let is_reset = self.stream.take_error().unwrap().is_some();
        !is_reset && done.map_or_else(|error| error.kind() == ErrorKind::WouldBlock, |_| true)
    }
}

/// Opens a connection with segments as small as on a network, not on loopback. `room` is the size
/// in bytes of the buffer for what the client does not read.
fn connect(address: SocketAddr, room: Option<usize>) -> TcpStream {
    let socket = Socket::new(Domain::IPV4, Type::STREAM, None).unwrap();
    socket.set_tcp_mss(1460).unwrap();
    if let Some(room) = room {
        socket.set_recv_buffer_size(room).unwrap();
    }
    socket.connect(&address.into()).unwrap();
    socket.into()
}

fn head(target: &str, server: &Server) -> String {
    let key = &server.keys.active;
    format!(
        "GET {target} HTTP/1.1\r\nhost: x\r\nx-gateway-host: localhost\r\nx-gateway-key: {key}\r\n\r\n"
    )
}

#[test]
fn honest_requests_succeed_while_hostile_ones_take_every_connection() {
    let few = |settings: &mut outfall_server::Settings| {
        settings.max_connections = 50;
        settings.stall_timeout = STALL;
        // This test is not about overload.
        settings.max_wait = PATIENCE;
    };
    let server = Server::start(few, Some(sample()));
    let kinds = KINDS.iter().cycle().take(100);
    let mut hostile: Vec<_> = kinds.map(|kind| Hostile::connect(*kind, &server)).collect();
    thread::scope(|scope| {
        scope.spawn(|| {
            let started = Instant::now();
            while !hostile.is_empty() {
                hostile.retain_mut(Hostile::tick);
                let left: Vec<Kind> = hostile.iter().map(|client| client.kind).collect();
                assert!(started.elapsed() < PATIENCE, "{left:?} still hold their connections");
                thread::sleep(Duration::from_millis(100));
            }
        });
        for _ in 0..5 {
            let close = [("connection", "close")];
            assert_eq!(server.send("GET", "/release?limit=1", &close).status, 200);
        }
    });
}

#[test]
fn a_slow_reader_that_goes_on_gets_its_whole_answer() {
    let server = Server::start(|settings| settings.stall_timeout = STALL, Some(sample()));
    for target in ["/release?format=ndjson", "/release?limit=1000"] {
        let expected = server.get(target).body.len();
        let mut stream = connect(server.address(), Some(65_536));
        let close = head(target, &server).replace("\r\n\r\n", "\r\nconnection: close\r\n\r\n");
        stream.write_all(close.as_bytes()).unwrap();
        let (mut read, mut reads) = (0, 0);
        // Enough reads to take twice as long as a stalled client is given.
        let wanted = 2 * STALL.as_millis() / 50;
        let mut buffer = vec![0; expected / wanted as usize];
        loop {
            match stream.read(&mut buffer).unwrap() {
                0 => break,
                size => read += size,
            }
            reads += 1;
            thread::sleep(Duration::from_millis(50));
        }
        assert!(read > expected, "{target}: {read} bytes of {expected} and a head");
        assert!(reads >= wanted, "{target}: it took too few reads, {reads}, to prove anything");
    }
}

#[test]
fn an_honest_reader_gets_its_whole_answer_whatever_waits_in_buffers() {
    let short = |settings: &mut outfall_server::Settings| {
        settings.stall_timeout = STALL;
        settings.keep_alive = Duration::from_secs(1);
    };
    let server = Server::start(short, Some(sample()));
    thread::scope(|scope| {
        for target in ["/release?limit=250", "/release?format=ndjson&limit=250"] {
            // Twice as fast as a client must read, evenly and in steps.
            for (piece, pause) in [(2_200, Duration::from_millis(100)), (64 * 1024, STALL)] {
                let server = &server;
                scope.spawn(move || {
                    let mut expected = connect(server.address(), None);
                    let close =
                        head(target, server).replace("\r\n\r\n", "\r\nconnection: close\r\n\r\n");
                    expected.write_all(close.as_bytes()).unwrap();
                    let expected = std::io::copy(&mut expected, &mut std::io::sink()).unwrap();
                    let mut stream = connect(server.address(), None);
                    stream.write_all(close.as_bytes()).unwrap();
                    let (started, mut read) = (Instant::now(), 0);
                    for step in 1.. {
                        thread::sleep((pause * step).saturating_sub(started.elapsed()));
                        let mut step = (&mut stream).take(piece);
                        match std::io::copy(&mut step, &mut std::io::sink()) {
                            Ok(0) => break,
                            Ok(size) => read += size,
                            Err(error) => panic!("{target}: {error} after {read} of {expected}"),
                        }
                    }
                    assert_eq!(read, expected, "{target}, {piece} bytes every {pause:?}");
                });
            }
        }
    });
}
