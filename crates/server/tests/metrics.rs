//! The metrics count what operators need, and contain no secret.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod support;

use std::collections::{BTreeMap, BTreeSet};

use outfall_server::{GatewaySecret, Settings};
use support::{Server, sample};

/// The samples of `/metrics` by name and labels.
fn samples(text: &str) -> BTreeMap<&str, f64> {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| line.rsplit_once(' ').unwrap()).map(|(n, v)| (n, v.parse().unwrap())).collect()
}

#[test]
fn everything_that_an_operator_asks_for_is_counted() {
    let secret = |settings: &mut Settings| {
        settings.gateway_secret = Some(GatewaySecret::new("canary-secret"))
    };
    let server = Server::start(secret, Some(sample()));
    let vouched = [("x-gateway-secret", "canary-secret")];
    let send = |target: &str| server.send("GET", target, &vouched);
    let mut bodies = String::new();
    for (target, status) in [
        ("/release?q=canary", 200),
        ("/release?q=canary", 200),
        ("/release?canary=1", 400),
        ("/emission?format=csv&limit=1", 200),
        ("/canary", 404),
    ] {
        let answer = send(target);
        assert_eq!(answer.status, status, "{target}");
        bodies += &answer.body;
    }
    let wrong = [("x-gateway-key", "canary_canary_canary"), ("x-gateway-host", "localhost")];
    assert_eq!(server.send_bare("GET", "/release", &wrong).status, 401);

    let answer = server.send_bare("GET", "/metrics", &[]);
    assert_eq!(answer.status, 200);
    let build_id = send("/meta").json()["build_id"].as_str().unwrap().to_owned();
    let found = samples(&answer.body);
    for (name, expected) in [
        ("outfall_requests_total{route=\"/release\",status=\"200\"}", 2.0),
        ("outfall_requests_total{route=\"/release\",status=\"400\"}", 1.0),
        ("outfall_requests_total{route=\"/release\",status=\"401\"}", 1.0),
        ("outfall_requests_total{route=\"none\",status=\"404\"}", 1.0),
        ("outfall_problems_total{code=\"invalid-parameter\"}", 1.0),
        ("outfall_problems_total{code=\"key-unknown\"}", 1.0),
        ("outfall_request_duration_seconds_count{route=\"/release\"}", 4.0),
        ("outfall_search_duration_seconds_count{engine=\"embedded\"}", 2.0),
        ("outfall_queue_duration_seconds_count", 2.0),
        // The request for the metrics is the one in flight.
        ("outfall_requests_in_flight", 1.0),
        ("outfall_searches_waiting", 0.0),
        ("outfall_keys{state=\"active\"}", 1.0),
        ("outfall_keys{state=\"refused\"}", 2.0),
        (&format!("outfall_index_info{{build_id=\"{build_id}\"}}"), 1.0),
        ("outfall_index_degraded", 0.0),
        ("outfall_index_loads_total", 0.0),
        ("outfall_index_load_failures_total", 0.0),
        ("outfall_panics_total", 0.0),
        ("outfall_connections_cut_total", 0.0),
        ("outfall_log_lines_dropped_total", 0.0),
        (&format!("outfall_build_info{{version=\"{}\"}}", env!("CARGO_PKG_VERSION")), 1.0),
    ] {
        assert_eq!(found.get(name), Some(&expected), "{name} in {}", answer.body);
    }
    for text in [&answer.body, &bodies] {
        assert!(!text.contains("canary-secret") && !text.contains(&server.keys.active), "{text}");
    }
    assert!(!answer.body.contains("canary"), "a label that a caller wrote: {}", answer.body);
    assert!(!answer.body.contains("outfall_engine"), "there is no other engine to ask");
}

/// The comments of one kind, such as `TYPE`, by the name of their metric.
fn comments<'a>(text: &'a str, about: &str) -> BTreeMap<&'a str, &'a str> {
    let lines = text.lines().filter_map(|line| line.strip_prefix("# ")?.strip_prefix(about));
    lines.filter_map(|line| line.trim_start().split_once(' ')).collect()
}

#[test]
fn metrics_are_prometheus_text_unless_open_metrics_is_asked_for() {
    let server = Server::over_sample();
    assert_eq!(server.get("/release?limit=0").status, 200);
    let get = |accept| server.send_bare("GET", "/metrics", &[("accept", accept)]);
    let (plain, open) = (get("*/*"), get("application/openmetrics-text; version=1.0.0"));
    for (answer, content_type) in [
        (&plain, "text/plain; version=0.0.4; charset=utf-8"),
        (&open, "application/openmetrics-text; version=1.0.0; charset=utf-8"),
    ] {
        assert_eq!(answer.header("content-type"), content_type);
        assert_eq!(answer.header("vary"), "Accept");
    }
    let names = |text| {
        let names = samples(text).into_keys().filter(|name| !name.contains("/metrics"));
        names.map(str::to_owned).collect::<BTreeSet<_>>()
    };
    assert_eq!(names(&plain.body), names(&open.body));

    assert!(open.body.ends_with("# EOF\n"), "{}", open.body);
    let types = comments(&open.body, "TYPE");
    assert_eq!((types["outfall_requests"], types["outfall_build"]), ("counter", "info"));
    assert_eq!(comments(&open.body, "UNIT")["outfall_search_duration_seconds"], "seconds");

    assert!(!plain.body.contains("EOF") && !plain.body.contains("# UNIT"), "{}", plain.body);
    let types = comments(&plain.body, "TYPE");
    let helps = comments(&plain.body, "HELP");
    assert_eq!(types["outfall_build_info"], "gauge");
    assert!(helps["outfall_requests_total"].contains("Answered requests"));
    assert_eq!(helps.keys().collect::<Vec<_>>(), types.keys().collect::<Vec<_>>());
    // A sample belongs to the metric of its own name, except for the parts of a histogram.
    for sample in samples(&plain.body).into_keys() {
        let name = sample.split('{').next().unwrap();
        let histogram =
            ["_bucket", "_sum", "_count"].iter().find_map(|suffix| name.strip_suffix(suffix));
        let (name, expected) = match (histogram, name.ends_with("_total")) {
            (Some(name), _) => (name, "histogram"),
            (None, true) => (name, "counter"),
            (None, false) => (name, "gauge"),
        };
        assert_eq!(types.get(name), Some(&expected), "{sample}");
    }
}

#[test]
fn metrics_have_an_address_of_their_own_if_asked() {
    let apart =
        |settings: &mut Settings| settings.metrics_listen = Some(([127, 0, 0, 1], 0).into());
    let server = Server::start(apart, Some(sample()));
    assert_eq!(server.get("/metrics").status, 404);
    assert_eq!(server.get("/release?limit=0").status, 200);
    let get = |path: &str| {
        let url = format!("http://{}{path}", server.metrics_address);
        let agent = ureq::Agent::config_builder().http_status_as_error(false).build().new_agent();
        let mut response = agent.get(url).call().unwrap();
        (response.status().as_u16(), response.body_mut().read_to_string().unwrap())
    };
    let (status, body) = get("/metrics");
    assert_eq!(status, 200);
    let found = samples(&body);
    assert_eq!(found["outfall_requests_total{route=\"/release\",status=\"200\"}"], 1.0);
    assert_eq!(get("/health/live").0, 200);
    assert_eq!(get("/health/ready").0, 200);
    assert_eq!(get("/release").0, 404);
}
