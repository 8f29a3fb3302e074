//! Which certificates of a cluster are trusted: a stub behind real TLS takes its place.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

use outfall_fixtures::TestAuthority;
use outfall_opensearch::{Client, ClusterError, Connection, Credentials};

/// The host that the stub is asked by.
const HOST: &str = "127.0.0.1";

/// Starts a stub behind a certificate. Gives its URL, and the first lines of the requests that it
/// gets.
fn serve(authority: &TestAuthority, host: &str, years: (i32, i32)) -> (String, Receiver<String>) {
    let listener = TcpListener::bind((HOST, 0)).unwrap();
    let stub = listener.local_addr().unwrap();
    let (lines, got) = mpsc::channel();
    thread::spawn(move || {
        for connection in listener.incoming() {
            let mut stream = BufReader::new(connection.unwrap());
            let mut line = String::new();
            // Whoever does not trust the certificate goes away.
            if stream.read_line(&mut line).is_err() || line.is_empty() {
                continue;
            }
            let _ = lines.send(line);
            let body = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}";
            stream.get_mut().write_all(body.as_bytes()).unwrap();
        }
    });
    (format!("https://{}", authority.front(stub, host, years).unwrap()), got)
}

/// Asks a node, with a password that nobody else may get.
fn reach(url: String, authorities: Option<&str>) -> Result<(), ClusterError> {
    let connection = Connection {
        urls: vec![url],
        credentials: Some(Credentials::Basic { user: "a".to_owned(), password: "b".to_owned() }),
        authorities: authorities.map(|pem| pem.as_bytes().to_vec()),
    };
    Client::new(&connection).unwrap().reach(None)
}

#[test]
fn a_certificate_must_be_good_for_this_host_and_today() {
    let (own, other) = (TestAuthority::new().unwrap(), TestAuthority::new().unwrap());
    let (always, own_pem, other_pem) = ((2000, 2100), Some(own.pem()), Some(other.pem()));
    for (case, host, years, trusted, is_good) in [
        ("of a private authority", HOST, always, own_pem, true),
        ("of an unknown authority", HOST, always, other_pem, false),
        ("of a private authority, with the public ones", HOST, always, None, false),
        ("expired", HOST, (2000, 2020), own_pem, false),
        ("not valid yet", HOST, (2099, 2100), own_pem, false),
        ("of another host", "localhost", always, own_pem, false),
    ] {
        let (url, got) = serve(&own, host, years);
        match reach(url, trusted) {
            Ok(()) => {
                assert!(is_good, "{case}");
                assert_eq!(got.recv().unwrap(), "GET / HTTP/1.1\r\n");
            }
            Err(ClusterError::Unavailable { reason }) => {
                assert!(!is_good && reason.contains("certificate"), "{case}: {reason}");
                let sent = got.recv_timeout(Duration::from_millis(100));
                assert!(sent.is_err(), "{case}: {sent:?}");
            }
            Err(error) => panic!("{case}: {error}"),
        }
    }
}

#[test]
fn one_of_several_authorities_is_enough() {
    let (own, other) = (TestAuthority::new().unwrap(), TestAuthority::new().unwrap());
    let (url, _got) = serve(&own, HOST, (2000, 2100));
    reach(url, Some(&format!("{}{}", other.pem(), own.pem()))).unwrap();
}

#[test]
fn a_node_without_tls_is_not_asked() {
    let listener = TcpListener::bind((HOST, 0)).unwrap();
    let url = format!("https://{}", listener.local_addr().unwrap());
    let stub = thread::spawn(move || {
        let (mut connection, _) = listener.accept().unwrap();
        // It closes before the answer is read if it does not understand it.
        let _ = connection.write_all(b"HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n");
        let mut got = Vec::new();
        let _ = BufReader::new(connection).read_until(b'\n', &mut got);
        got
    });
    let error = reach(url, None).unwrap_err();
    assert!(matches!(error, ClusterError::Unavailable { .. }), "{error}");
    assert!(!stub.join().unwrap().starts_with(b"GET"));
}
