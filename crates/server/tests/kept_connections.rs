//! A kept connection answers as fast as a fresh one, whatever the answer's size.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod support;

use std::time::{Duration, Instant};

use support::{Server, sample};

/// How often each answer is requested on each kind of connection.
const ROUNDS: usize = 25;
/// Clients delay acknowledgements by 40 ms. A server that waits for one is late by that much; a
/// server that does not is late only if the machine is slow.
const LATE: Duration = Duration::from_millis(20);

#[test]
fn no_answer_waits_for_an_acknowledgement() {
    let server = Server::start(
        |settings| settings.metrics_listen = Some(([127, 0, 0, 1], 0).into()),
        Some(sample()),
    );
    let on_clients_port = |target: &str| format!("http://{}{target}", server.address());
    let urls = [
        on_clients_port("/release?limit=25"),
        on_clients_port("/release?limit=50"),
        on_clients_port("/release?limit=100"),
        on_clients_port("/release?limit=1000"),
        on_clients_port("/release?format=csv&limit=10"),
        on_clients_port("/release?format=ndjson&limit=10"),
        on_clients_port("/openapi.json"),
        format!("http://{}/metrics", server.metrics_address),
    ];
    for url in urls {
        let kept = ureq::agent();
        let (mut on_kept, mut on_fresh) = (Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            on_kept.push(time(&kept, &url, &server.keys.active));
            on_fresh.push(time(&ureq::agent(), &url, &server.keys.active));
        }
        let (on_kept, on_fresh) = (median(on_kept), median(on_fresh));
        assert!(
            on_kept <= on_fresh + on_fresh / 2 + LATE,
            "{url}: {on_kept:?} on a kept connection, {on_fresh:?} on fresh ones"
        );
    }
}

/// How long an answer takes, up to its last byte.
fn time(agent: &ureq::Agent, url: &str, key: &str) -> Duration {
    let started = Instant::now();
    let request = agent.get(url).header("x-gateway-key", key).header("x-gateway-host", "localhost");
    let body = request.call().unwrap().body_mut().read_to_vec().unwrap();
    assert!(!body.is_empty(), "{url}");
    started.elapsed()
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}
