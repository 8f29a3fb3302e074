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

/// More lines than the log keeps waiting and a pipe holds.
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
        // The caller's own mistake, a key as a parameter, is not repeated to anybody else.
        for secret in ["canary-secret", key.as_str()] {
            assert!(!log.contains(secret), "{log}");
        }
        assert!(!texts.contains("canary-secret"));
    }
}
