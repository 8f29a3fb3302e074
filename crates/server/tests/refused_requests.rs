//! What the HTTP library refuses before it is a request gets a problem, like other bad requests.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod support;

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde_json::Value;
use support::Server;

/// How long a test waits for an answer before it fails; no test measures it.
const PATIENCE: Duration = Duration::from_secs(60);
/// The headers that a client sends, without a key.
const HEADERS: &str = "host: localhost\r\nx-request-id: test\r\n";

/// Requests that are refused, with the status and the code of the answer and its `instance`.
const REFUSED: [(&str, &[u8], u16, &str, &str); 16] = [
    ("a raw quote", b"GET /release?q=\"lead\" HTTP/1.1", 400, "invalid-request", "/release"),
    ("UTF-8", b"GET /release?q=Qu\xc3\xa9bec HTTP/1.1", 400, "invalid-request", "/release"),
    ("UTF-8 in the path", b"GET /\xc3\xa9 HTTP/1.1", 400, "invalid-request", "/%C3%A9"),
    ("Latin-1", b"GET /release?q=Qu\xe9bec HTTP/1.1", 400, "invalid-request", "/release"),
    ("a control byte", b"GET /release?q=\x01 HTTP/1.1", 400, "invalid-request", "/release"),
    ("DEL", b"GET /release?q=\x7f HTTP/1.1", 400, "invalid-request", "/release"),
    ("NUL", b"GET /release\0 HTTP/1.1", 400, "invalid-request", "/release%00"),
    ("a space", b"GET /release?q=a b HTTP/1.1", 400, "invalid-request", "/release"),
    (
        "a space and a key",
        b"GET /release?q=a b HTTP/1.1\r\nx-gateway-key: short",
        400,
        "invalid-request",
        "/release",
    ),
    ("another version", b"GET /release HTTP/3.0", 400, "invalid-request", "/release"),
    ("HTTP/0.9", b"GET /release", 400, "invalid-request", "/release"),
    ("garbage", b"\x16\x03\x01\x02", 400, "invalid-request", ""),
    ("a word", b"hello", 400, "invalid-request", ""),
    ("a method that is none", b"G@T /release HTTP/1.1", 400, "invalid-request", "/release"),
    (
        "a header that is none",
        b"GET /release HTTP/1.1\r\nno header",
        400,
        "invalid-request",
        "/release",
    ),
    (
        "two lengths",
        b"GET /release HTTP/1.1\r\ncontent-length: 1\r\ncontent-length: 2",
        400,
        "invalid-request",
        "/release",
    ),
];

/// An answer as it came, taken apart.
#[derive(Debug)]
struct Raw {
    head: String,
    body: String,
}

impl Raw {
    fn problem(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    fn header(&self, name: &str) -> &str {
        let mut lines = self.head.lines().filter_map(|line| line.split_once(": "));
        lines.find(|(other, _)| *other == name).map_or("", |(_, value)| value)
    }
}

fn connect(server: &Server) -> TcpStream {
    let stream = TcpStream::connect(server.address()).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    stream
}

/// Everything that comes until the connection is closed.
fn rest(stream: &mut TcpStream) -> String {
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    String::from_utf8(answer).unwrap()
}

/// The first of several answers, which have their length in their head, and what follows it.
fn first(answers: &str) -> (Raw, &str) {
    let (head, rest) = answers.split_once("\r\n\r\n").unwrap();
    let mut raw = Raw { head: head.to_owned(), body: String::new() };
    let length: usize = raw.header("content-length").parse().unwrap();
    let (body, rest) = rest.split_at(length);
    raw.body = body.to_owned();
    (raw, rest)
}

fn ask(server: &Server, line: &[u8], headers: &str) -> String {
    let mut stream = connect(server);
    let request = [line, b"\r\n", headers.as_bytes(), HEADERS.as_bytes(), b"\r\n"].concat();
    stream.write_all(&request).unwrap();
    rest(&mut stream)
}

#[test]
fn what_is_refused_says_why_in_both_languages() {
    let server = Server::over_sample();
    let mut all = String::new();
    for (name, line, status, code, instance) in REFUSED {
        let answers = ask(&server, line, "");
        let (answer, rest) = first(&answers);
        assert_eq!(rest, "", "{name}");
        assert!(answer.head.starts_with(&format!("HTTP/1.1 {status} ")), "{name}: {answer:?}");
        let problem = answer.problem();
        assert_eq!(
            (&problem["status"], &problem["code"]),
            (&status.into(), &code.into()),
            "{name}"
        );
        assert_eq!(problem["instance"], instance, "{name}");
        assert_eq!(problem["request_id"], "test", "{name}");
        for (header, value) in [
            ("content-type", "application/problem+json"),
            ("content-language", "en"),
            ("cache-control", "no-store"),
            ("vary", "Accept, Accept-Encoding, Accept-Language"),
            ("x-request-id", "test"),
            ("x-content-type-options", "nosniff"),
            ("access-control-allow-origin", "*"),
            ("connection", "close"),
        ] {
            assert_eq!(answer.header(header), value, "{name}: {header}");
        }
        assert!(answer.header("date").ends_with(" GMT"), "{name}: {answer:?}");
        let answers = ask(&server, line, "Accept-Language: fr-CA\r\n");
        let french = first(&answers).0;
        assert_eq!(french.header("content-language"), "fr", "{name}");
        all += &format!("{name}\n{}\n{}\n\n", problem["detail"], french.problem()["detail"]);
    }
    insta::assert_snapshot!("details", all);
}

#[test]
fn the_answer_to_head_has_no_body() {
    let server = Server::over_sample();
    let get = ask(&server, b"GET /release?q=\"x\" HTTP/1.1", "");
    let head = ask(&server, b"HEAD /release?q=\"x\" HTTP/1.1", "");
    let (get, _) = first(&get);
    assert_eq!(head.split_once("\r\n\r\n").unwrap().1, "");
    let length = format!("content-length: {}\r\n", get.body.len());
    assert!(head.starts_with("HTTP/1.1 400 ") && head.contains(&length), "{head}");
}

#[test]
fn earlier_requests_of_the_connection_are_answered_first() {
    let server = Server::over_sample();
    let key = &server.keys.active;
    let good = |target: &str| {
        let key = format!("x-gateway-key: {key}\r\nx-gateway-host: localhost\r\n");
        format!("GET {target} HTTP/1.1\r\nhost: localhost\r\n{key}\r\n")
    };
    let bad = "GET /release?q=\"é\" HTTP/1.1\r\nhost: localhost\r\naccept-language: fr\r\n\r\n";
    let refused = |answers: &str| {
        let (answer, rest) = first(answers);
        assert_eq!((answer.problem()["code"].as_str(), rest), (Some("invalid-request"), ""));
        assert_eq!(answer.header("content-language"), "fr");
    };

    // On a kept connection.
    let mut stream = connect(&server);
    for target in ["/release?limit=1", "/nowhere", "/release?limit=100"] {
        stream.write_all(good(target).as_bytes()).unwrap();
        let mut answer = Vec::new();
        while !(String::from_utf8_lossy(&answer).contains("\r\n\r\n")
            && is_whole(&String::from_utf8_lossy(&answer)))
        {
            let mut piece = [0; 65_536];
            let read = stream.read(&mut piece).unwrap();
            assert!(read > 0, "{target}");
            answer.extend_from_slice(&piece[..read]);
        }
    }
    stream.write_all(bad.as_bytes()).unwrap();
    refused(&rest(&mut stream));

    // In one write, in pieces of any size, and with the body of a request between.
    let posted =
        "POST /release HTTP/1.1\r\nhost: localhost\r\ncontent-length: 9\r\n\r\n\r\n\r\nbody!";
    let posted = posted.to_owned();
    let all = [good("/release?limit=3"), good("/meta"), posted, good("/release?limit=0")].concat();
    let all = format!("{all}{bad}");
    for piece in [all.len(), 1000, 100, 7] {
        let mut stream = connect(&server);
        stream.set_nodelay(true).unwrap();
        for piece in all.as_bytes().chunks(piece) {
            stream.write_all(piece).unwrap();
        }
        let answers = rest(&mut stream);
        let mut answers = answers.as_str();
        for status in [200, 200, 405, 200] {
            let (answer, rest) = first(answers);
            assert!(answer.head.starts_with(&format!("HTTP/1.1 {status} ")), "{answer:?}");
            answers = rest;
        }
        refused(answers);
    }

    // Behind a file, whose length nobody knew.
    let mut stream = connect(&server);
    stream.write_all(format!("{}{bad}", good("/release?format=csv")).as_bytes()).unwrap();
    let answers = rest(&mut stream);
    let (file, problem) = answers.split_once("\r\n0\r\n\r\n").unwrap();
    assert!(file.starts_with("HTTP/1.1 200 ") && file.contains("transfer-encoding: chunked"));
    refused(problem);
}

fn is_whole(answer: &str) -> bool {
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")).unwrap();
    body.len() >= length.parse::<usize>().unwrap()
}

#[test]
fn what_is_too_long_gets_its_whole_answer() {
    let server = Server::over_sample();
    for (length, mark) in [(9_000, "%22"), (70_000, "%22"), (9_000, "\""), (500_000, "\"")] {
        let target = format!("/release?q={}{mark}", "a".repeat(length));
        let answer =
            ask(&server, format!("GET {target} HTTP/1.1").as_bytes(), "connection: close\r\n");
        let answer = first(&answer).0;
        assert!(answer.head.starts_with("HTTP/1.1 414 "), "{length}: {}", answer.head);
        assert_eq!(answer.problem()["code"], "target-too-long", "{length}");
    }
    let many: String = (0..97).map(|number| format!("x-{number}: a\r\n")).collect();
    let endless = format!("x-long: {}\r\n", "a".repeat(500_000));
    for headers in [many, endless] {
        let answer = ask(&server, b"GET /release HTTP/1.1", &headers);
        let answer = first(&answer).0;
        assert!(answer.head.starts_with("HTTP/1.1 431 "), "{}", answer.head);
        assert_eq!(answer.problem()["code"], "headers-too-large");
    }
}

#[test]
fn a_client_that_stays_is_left_in_the_end() {
    let timeout = Duration::from_millis(50);
    let server = Server::start(
        |settings| {
            settings.client_disconnect_timeout = timeout;
            // Neither of the other two limits is what ends it.
            settings.client_request_timeout = PATIENCE;
            settings.keep_alive = PATIENCE;
        },
        None,
    );
    let mut stream = connect(&server);
    stream.write_all(b"GET / HTTP/9\r\n\r\n").unwrap();
    assert!(rest(&mut stream).contains("invalid-request"));
    let started = Instant::now();
    while stream.write_all(b"more").is_ok() {
        assert!(started.elapsed() < PATIENCE / 2);
        std::thread::sleep(timeout);
    }
}

#[test]
fn what_is_refused_is_counted() {
    let server = Server::over_sample();
    for (_, line, ..) in REFUSED {
        ask(&server, line, "");
    }
    let metrics = server.get("/metrics").body;
    let count = REFUSED.len();
    for line in [
        format!("outfall_malformed_requests_total {count}\n"),
        format!("outfall_problems_total{{code=\"invalid-request\"}} {count}\n"),
        format!("outfall_requests_total{{route=\"none\",status=\"400\"}} {count}\n"),
    ] {
        assert!(metrics.contains(&line), "{line}{metrics}");
    }
}
