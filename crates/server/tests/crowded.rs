//! Clients that open more connections than the service has shut out nobody else.

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
/// Two clients, each with its own address.
const GREEDY: [u8; 4] = [127, 0, 0, 1];
const MODEST: [u8; 4] = [127, 0, 0, 2];

/// Opens a connection from an address.
fn connect(from: [u8; 4], server: &Server) -> TcpStream {
    let socket = Socket::new(Domain::IPV4, Type::STREAM, None).unwrap();
    socket.bind(&SocketAddr::from((from, 0)).into()).unwrap();
    socket.connect(&server.address().into()).unwrap();
    socket.set_read_timeout(Some(PATIENCE)).unwrap();
    socket.into()
}

/// Requests `/health/live`; `false` if the connection is closed.
fn is_answered(stream: &mut TcpStream) -> bool {
    let mut answer = [0; 1024];
    let asked = stream.write_all(b"GET /health/live HTTP/1.1\r\nhost: x\r\n\r\n");
    match asked.and_then(|()| stream.read(&mut answer)) {
        Ok(size) => answer[..size].starts_with(b"HTTP/1.1 200 OK\r\n"),
        Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
            panic!("no answer within {PATIENCE:?}")
        }
        Err(_) => false,
    }
}

/// Waits until `count` of the connections are left.
fn wait_for(count: usize, streams: &mut Vec<TcpStream>) {
    let started = Instant::now();
    loop {
        streams.retain_mut(is_answered);
        if streams.len() == count {
            return;
        }
        assert!(started.elapsed() < PATIENCE, "{} of {count} connections stand", streams.len());
        thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn whoever_has_the_most_connections_gives_way() {
    let server = Server::start(|settings| settings.max_connections = 20, Some(sample()));
    let mut before = connect(MODEST, &server);
    assert!(is_answered(&mut before));
    let mut greedy = Vec::new();
    for _ in 0..40 {
        greedy.push(connect(GREEDY, &server));
        greedy.retain_mut(is_answered);
        // Another client can always connect, and keeps the connection that it has.
        assert!(is_answered(&mut connect(MODEST, &server)));
        assert!(is_answered(&mut before));
    }
    greedy.retain_mut(is_answered);
    assert!((15..20).contains(&greedy.len()), "{} connections stand", greedy.len());
    let metrics = server.send_bare("GET", "/metrics", &[]).body;
    assert!(metrics.contains("outfall_connections_displaced_total"), "{metrics}");
}

#[test]
fn an_address_has_a_share_when_so_configured() {
    let few = |settings: &mut outfall_server::Settings| settings.max_connections_of_address = 5;
    let server = Server::start(few, Some(sample()));
    let mut modest = connect(MODEST, &server);
    assert!(is_answered(&mut modest));
    let mut greedy: Vec<_> = (0..12).map(|_| connect(GREEDY, &server)).collect();
    let mut last = greedy.pop().unwrap();
    assert!(is_answered(&mut last), "the newest has a place");
    wait_for(4, &mut greedy);
    assert!(is_answered(&mut modest), "nobody else loses one");
}

#[test]
fn the_idle_give_way_before_those_that_read() {
    let few = |settings: &mut outfall_server::Settings| settings.max_connections = 10;
    let server = Server::start(few, Some(sample()));
    let mut reader = connect(GREEDY, &server);
    let key = &server.keys.active;
    let head = format!(
        "GET /release?format=ndjson HTTP/1.1\r\nhost: x\r\nx-gateway-host: localhost\r\n\
         x-gateway-key: {key}\r\nconnection: close\r\n\r\n"
    );
    reader.write_all(head.as_bytes()).unwrap();
    reader.read_exact(&mut [0]).unwrap();
    let mut others: Vec<_> = (0..30).map(|_| connect(GREEDY, &server)).collect();
    wait_for(9, &mut others);
    let mut rest = Vec::new();
    reader.read_to_end(&mut rest).unwrap();
    assert!(rest.ends_with(b"\r\n0\r\n\r\n"), "the file breaks off after {} bytes", rest.len());
}
