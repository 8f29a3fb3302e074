//! What a search gives when the nodes do not answer as they should: a stub takes their place.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

use outfall_opensearch::{Client, ClusterError, Connection, Credentials, Names, OpenSearchBackend};

/// What the stub does with a request.
#[derive(Clone, Copy)]
enum Stub {
    /// Answers with a status and a body.
    Answers(u16, &'static str),
    /// Keeps the connection open and is silent.
    IsSilent,
    /// Closes the connection.
    HangsUp,
}

/// Starts a stub; gives its URL and the heads of the requests that it gets.
fn start(stub: Stub) -> (String, Receiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let (heads, got) = mpsc::channel();
    thread::spawn(move || {
        let mut kept = Vec::new();
        for connection in listener.incoming() {
            let mut connection = connection.unwrap();
            // A test that is over listens no more.
            let _ = heads.send(head(&connection));
            match stub {
                Stub::Answers(status, body) => answer(&mut connection, status, body),
                Stub::IsSilent => kept.push(connection),
                Stub::HangsUp => {}
            }
        }
    });
    (url, got)
}

fn head(connection: &TcpStream) -> String {
    let lines = BufReader::new(connection.take(1 << 16)).lines();
    let lines = lines.map_while(Result::ok).take_while(|line| !line.is_empty());
    lines.collect::<Vec<_>>().join("\n")
}

fn answer(connection: &mut TcpStream, status: u16, body: &str) {
    let head = format!("HTTP/1.1 {status} Status\r\ncontent-length: {}\r\n", body.len());
    write!(connection, "{head}content-type: application/json\r\nconnection: close\r\n\r\n{body}")
        .unwrap();
}

fn open(connection: Connection) -> ClusterError {
    let client = Client::new(&connection).unwrap();
    OpenSearchBackend::open(&client, &Names::default()).unwrap_err()
}

fn at(urls: Vec<String>) -> Connection {
    Connection { urls, ..Connection::default() }
}

#[test]
fn a_status_tells_whether_to_ask_again() {
    type Expected = fn(&ClusterError) -> bool;
    let cases: [(u16, &str, Expected); 7] = [
        (429, "{}", |error| matches!(error, ClusterError::Unavailable { .. })),
        (503, "{}", |error| matches!(error, ClusterError::Unavailable { .. })),
        (502, "not JSON", |error| matches!(error, ClusterError::Unavailable { .. })),
        (401, "{}", |error| matches!(error, ClusterError::Refused { status: 401, .. })),
        (403, "{}", |error| matches!(error, ClusterError::Refused { status: 403, .. })),
        (404, "{}", |error| matches!(error, ClusterError::NotServable { .. })),
        (200, "not JSON", |error| matches!(error, ClusterError::Unexpected { .. })),
    ];
    for (status, body, is_expected) in cases {
        let (url, _got) = start(Stub::Answers(status, body));
        let error = open(at(vec![url]));
        assert!(is_expected(&error), "{status}: {error}");
    }
}

#[test]
fn another_node_is_asked_where_one_cannot_be() {
    let closed = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let (broken, _got) = start(Stub::HangsUp);
    let (whole, got) = start(Stub::Answers(404, "{}"));
    let error = open(at(vec![format!("http://{closed}"), broken, whole]));
    assert!(matches!(error, ClusterError::NotServable { .. }), "{error}");
    assert!(got.recv().unwrap().starts_with("GET /_alias/outfall-release,outfall-emission "));

    let error = open(at(vec![format!("http://{closed}")]));
    assert!(matches!(error, ClusterError::Unavailable { .. }), "{error}");
}

#[test]
fn a_silent_node_is_left_at_the_deadline() {
    let (url, _got) = start(Stub::IsSilent);
    let client = Client::new(&at(vec![url])).unwrap();
    let started = Instant::now();
    let deadline = started + Duration::from_millis(300);
    let error = client.reach(Some(deadline)).unwrap_err();
    assert!(matches!(error, ClusterError::TimedOut), "{error}");
    assert!(started.elapsed() >= Duration::from_millis(300));
    let error = client.reach(Some(deadline)).unwrap_err();
    assert!(matches!(error, ClusterError::TimedOut), "{error}");
}

#[test]
fn a_silent_node_is_not_asked_first_again() {
    let (silent, _got) = start(Stub::IsSilent);
    let (whole, _heads) = start(Stub::Answers(200, "{}"));
    let client = Client::new(&at(vec![silent, whole])).unwrap();
    let soon = || Some(Instant::now() + Duration::from_millis(300));
    let error = client.reach(soon()).unwrap_err();
    assert!(matches!(error, ClusterError::TimedOut), "{error}");
    client.reach(None).unwrap();
}

#[test]
fn credentials_are_sent_and_never_shown() {
    for (credentials, expected) in [
        (
            Credentials::Basic { user: "reader".to_owned(), password: "pass:word".to_owned() },
            "authorization: Basic cmVhZGVyOnBhc3M6d29yZA==",
        ),
        (Credentials::ApiKey("a2V5".to_owned()), "authorization: ApiKey a2V5"),
    ] {
        let (url, got) = start(Stub::Answers(404, "{}"));
        let connection = Connection { credentials: Some(credentials), ..at(vec![url]) };
        let shown = format!("{connection:?}");
        open(connection);
        assert!(got.recv().unwrap().to_lowercase().contains(&expected.to_lowercase()));
        assert!(!shown.contains("word") && !shown.contains("a2V5"), "{shown}");
    }
}

#[test]
fn certificates_must_be_some() {
    for pem in ["", "nothing", "-----BEGIN CERTIFICATE-----\n!\n-----END CERTIFICATE-----\n"] {
        let authorities = Some(pem.as_bytes().to_vec());
        let connection = Connection { authorities, ..at(vec!["https://localhost".to_owned()]) };
        assert!(
            matches!(Client::new(&connection), Err(ClusterError::Certificates { .. })),
            "{pem}"
        );
    }
}
