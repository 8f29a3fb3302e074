//! The metrics tell how a cluster treats the service: stubs take the place of its nodes.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod process;

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;

use process::{Service, wait_until};

const OUTCOMES: [&str; 6] = ["answered", "refused", "busy", "failed", "unreachable", "timed-out"];
const KINDS: [&str; 3] = ["unavailable", "timed-out", "unusable"];

/// A node that answers everything with one status; gives its address.
fn node(status: u16) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    thread::spawn(move || {
        for connection in listener.incoming() {
            // A test that is over listens no more.
            let _ = answer(&connection.unwrap(), status);
        }
    });
    url
}

fn answer(mut connection: &TcpStream, status: u16) -> std::io::Result<()> {
    let mut lines = BufReader::new(connection).lines();
    while lines.next().is_some_and(|line| line.is_ok_and(|line| !line.is_empty())) {}
    write!(
        connection,
        "HTTP/1.1 {status} Status\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\
         connection: close\r\n\r\n{{}}"
    )
}

/// The address of a node that is not there.
fn nobody() -> String {
    format!("http://{}", TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap())
}

/// The value of a sample, which must be there.
fn value(metrics: &str, sample: &str) -> f64 {
    let line = metrics.lines().find_map(|line| line.strip_prefix(sample)?.strip_prefix(' '));
    line.unwrap_or_else(|| panic!("{sample} in {metrics}")).parse().unwrap()
}

#[test]
fn calls_are_counted_by_how_they_end() {
    let dir = tempfile::tempdir().unwrap();
    for (nodes, outcome, is_retried) in [
        (vec![node(429)], "busy", false),
        (vec![node(503)], "failed", false),
        (vec![node(401)], "refused", false),
        (vec![node(200)], "answered", false),
        (vec![nobody()], "unreachable", false),
        (vec![nobody(), node(404)], "unreachable", true),
    ] {
        let urls = nodes.join(",");
        let cluster = ["serve", "--backend", "opensearch", "--url", &urls, "--auth", "off"];
        let service =
            Service::start(dir.path(), &[&cluster[..], &["--listen", "127.0.0.1:0"]].concat());
        let metrics = || service.get("/metrics", "").1;
        let requests = |outcome: &str| {
            format!("outfall_engine_requests_total{{engine=\"opensearch\",outcome=\"{outcome}\"}}")
        };
        wait_until(|| value(&metrics(), &requests(outcome)) > 0.0);
        let found = metrics();
        let called: f64 = OUTCOMES.iter().map(|outcome| value(&found, &requests(outcome))).sum();
        let timed = "outfall_engine_request_duration_seconds_count{engine=\"opensearch\"}";
        assert!(called > 0.0 && value(&found, timed) > 0.0, "{found}");
        // The call at the second node follows in a moment.
        let retries = "outfall_engine_retries_total{engine=\"opensearch\"}";
        match is_retried {
            true => wait_until(|| value(&metrics(), retries) > 0.0),
            false => assert_eq!(value(&found, retries), 0.0, "{outcome}"),
        }
        // Nothing is served yet, so no search can fail.
        for kind in KINDS {
            let failures =
                format!("outfall_engine_failures_total{{engine=\"opensearch\",kind=\"{kind}\"}}");
            assert_eq!(value(&found, &failures), 0.0, "{kind}");
        }
    }
}

#[test]
fn every_metric_of_a_cluster_is_documented() {
    let dir = tempfile::tempdir().unwrap();
    let url = nobody();
    let cluster = ["serve", "--backend", "opensearch", "--url", &url, "--auth", "off"];
    let service =
        Service::start(dir.path(), &[&cluster[..], &["--listen", "127.0.0.1:0"]].concat());
    let metrics = service.get("/metrics", "").1;
    let docs = include_str!("../../../docs/operations.md");
    let types = metrics.lines().filter_map(|line| line.strip_prefix("# TYPE outfall_engine_"));
    let names: Vec<&str> = types.map(|line| line.split(' ').next().unwrap()).collect();
    assert_eq!(names.len(), 4, "{metrics}");
    for name in names {
        assert!(docs.contains(&format!("`outfall_engine_{name}`")), "{name}");
    }
}
