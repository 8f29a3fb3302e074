//! The log of the real binary: a pipe that nobody reads, slow searches, and no secret anywhere.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod process;

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::process::Stdio;

use process::{Service, add_key, outfall, publish};

const SERVE: [&str; 9] =
    ["serve", "--data", "data", "--listen", "127.0.0.1:0", "--keys", "keys.json", "--log", "json"];

/// More lines than the log's queue and a pipe hold together.
const REQUESTS: usize = 12_000;

#[test]
fn a_log_that_nobody_reads_stops_no_request() {
    let dir = tempfile::tempdir().unwrap();
    publish(dir.path(), 1);
    let key = add_key(dir.path(), "client");
    let mut command = outfall(dir.path(), &SERVE);
    // The service's handle holds the reading end, and nobody reads.
    command.stderr(Stdio::piped());
    let service = Service::spawn(command);
    let mut stream = TcpStream::connect(service.base.strip_prefix("http://").unwrap()).unwrap();
    let mut answers = BufReader::new(stream.try_clone().unwrap());
    for _ in 0..REQUESTS / 10 {
        let request = "GET /health/live HTTP/1.1\r\nhost: x\r\n\r\n";
        stream.write_all(request.repeat(10).as_bytes()).unwrap();
        let mut answered = 0;
        while answered < 10 {
            let mut line = String::new();
            assert_ne!(answers.read_line(&mut line).unwrap(), 0, "the connection was closed");
            answered += usize::from(line.contains("HTTP/1.1 200"));
        }
    }
    assert_eq!(service.get("/release", &key).0, 200);
    let (_, metrics) = service.get("/metrics", "");
    let dropped = metrics.lines().find(|line| line.starts_with("outfall_log_lines_dropped_total "));
    let dropped: f64 = dropped.unwrap().rsplit(' ').next().unwrap().parse().unwrap();
    assert!(dropped > 0.0, "{metrics}");
}

/// Requests with a key wherever a caller can write one; each is completed to a whole head.
const REQUESTS_WITH_KEYS: [&str; 24] = [
    "GET /release?q=KEY&limit=1 HTTP/1.1\r\nx-gateway-key: KEY\r\nx-gateway-host: localhost",
    "GET /release?q=%22xKEY%22+OR+KEYKEY HTTP/1.1\r\nx-gateway-key: KEY\r\nx-gateway-host: localhost",
    "GET /release?province=KEY&KEY=1&x-gateway-key=KEY HTTP/1.1\r\nx-gateway-key: KEY\r\nx-gateway-host: localhost",
    "GET /release?cursor=KEY HTTP/1.1\r\nx-gateway-key: KEY\r\nx-gateway-host: localhost",
    "GET /release?q=KEY HTTP/1.1\r\nx-gateway-key: KEY\r\nx-gateway-host: KEY",
    "GET /KEY/KEY HTTP/1.1",
    "KEY /release HTTP/1.1",
    "GET /release HTTP/1.1\r\nx-request-id: KEY",
    "GET /release HTTP/1.1\r\nx-request-id: id-KEY",
    "GET /release HTTP/1.1\r\nKEY: KEY",
    "GET /release HTTP/1.1\r\ncookie: key=KEY\r\nuser-agent: KEY\r\nreferer: http://KEY/KEY",
    "GET /release HTTP/1.1\r\nauthorization: Bearer KEY\r\norigin: KEY\r\naccept: KEY",
    "GET http://localhost/KEY HTTP/1.1",
    // The following are malformed.
    "GET / KEY HTTP/1.1",
    "GET / HTTP/KEY",
    "KEY",
    "KEY: KEY / HTTP/1.1",
    "G\0ET /KEY HTTP/1.1",
    "GET /KEY\u{e9} HTTP/1.1",
    "GET / HTTP/1.1\r\nKEY KEY",
    "GET / HTTP/1.1\r\ncontent-length: KEY",
    "GET / HTTP/1.1\r\ntransfer-encoding: KEY",
    "GET / HTTP/1.1\r\nhost: KEY",
    "\u{16}\u{3}\u{1}KEY",
];

#[test]
fn no_key_is_logged_wherever_it_is_written_and_what_is_no_request_is_counted() {
    let dir = tempfile::tempdir().unwrap();
    publish(dir.path(), 1);
    let key = add_key(dir.path(), "client");
    let id = &key[..8];
    for form in ["text", "json"] {
        let mut command = outfall(dir.path(), &SERVE[..SERVE.len() - 1]);
        command.args([form, "--slow-query-ms", "0"]).env("OUTFALL_LOG_LEVEL", "trace");
        command.stderr(File::create(dir.path().join("log")).unwrap());
        let mut service = Service::spawn(command);
        let answers = REQUESTS_WITH_KEYS.map(|request| {
            let request = request.replace("KEY", &key);
            let rest = "\r\nhost: localhost\r\nconnection: close\r\n\r\n";
            service.send_raw(format!("{request}{rest}").as_bytes())
        });
        let is_refused = |answer: &&String| answer.contains("\"invalid-request\"");
        let (refused, whole): (Vec<_>, Vec<_>) = answers.iter().partition(is_refused);
        assert_eq!((refused.len(), whole.len()), (11, 13), "{refused:?}");
        assert!(refused.iter().all(|answer| answer.starts_with("HTTP/1.1 400 ")), "{refused:?}");
        let (_, metrics) = service.get("/metrics", "");
        let counted = format!("outfall_malformed_requests_total {}\n", refused.len());
        assert!(metrics.contains(&counted), "{metrics}");
        service.signal("TERM");
        assert!(service.ended().success());

        let log = fs::read_to_string(dir.path().join("log")).unwrap();
        assert_eq!(log.lines().filter(|line| line.contains("refused")).count(), refused.len());
        let lines = || log.lines().filter(|line| line.contains("answered"));
        assert_eq!(lines().count(), whole.len() + 1, "{log}");
        assert!(lines().any(|line| line.contains("other")), "{log}");
        assert!(log.contains(&format!("x{id}…")), "{log}");
        for at in 0..=key.len() - 9 {
            assert!(!log.contains(&key[at..at + 9]), "`{}` in {log}", &key[at..at + 9]);
        }
        assert!(!log.contains("ERROR"), "{log}");
        assert!(!metrics.contains("prk_"), "{metrics}");
    }
}

#[test]
fn a_level_that_is_none_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let mut command = outfall(dir.path(), &SERVE);
    let output = command.env("OUTFALL_LOG_LEVEL", "outfall=loud").output().unwrap();
    assert_eq!(output.status.code(), Some(64));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("OUTFALL_LOG_LEVEL"), "{said}");
}

#[test]
fn slow_searches_are_told_in_full_and_secrets_never() {
    let dir = tempfile::tempdir().unwrap();
    publish(dir.path(), 1);
    let key = add_key(dir.path(), "client");
    for (slow, is_told) in [(&[][..], false), (&["--slow-query-ms", "0"], true)] {
        let mut command = outfall(dir.path(), &[&SERVE[..], slow].concat());
        command.env("OUTFALL_GATEWAY_SECRET", "canary-secret").env("OUTFALL_LOG_LEVEL", "debug");
        command.stderr(File::create(dir.path().join("log")).unwrap());
        let mut service = Service::spawn(command);
        let secret = [("x-gateway-secret", "canary-secret")];
        let target = format!("/release?q=mercury+tells+all&x-gateway-key={key}");
        let mut texts = service.send(&target, &key, &secret).1;
        texts += &service.send("/release?q=mercury+tells+all", &key, &secret).1;
        texts += &service.send("/metrics", &key, &secret).1;
        service.signal("TERM");
        assert!(service.ended().success());
        let log = fs::read_to_string(dir.path().join("log")).unwrap();
        assert_eq!(log.contains("mercury tells all"), is_told, "{log}");
        assert!(log.lines().any(|line| line.contains("\"status\":200")), "{log}");
        for line in log.lines() {
            serde_json::from_str::<serde_json::Value>(line).unwrap();
        }
        // A caller's mistake, a key as a parameter, is not repeated to anybody else.
        for secret in ["canary-secret", key.as_str()] {
            assert!(!log.contains(secret), "{log}");
        }
        assert!(!texts.contains("canary-secret"));
    }
}
