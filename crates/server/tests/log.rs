//! The log has one line for each request, and nothing in it that is private to the caller.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod support;

use std::sync::Arc;

use serde_json::{Value, json};
use support::{Server, sample};

/// The lines about requests in the text of a log.
fn request_lines(text: &str) -> Vec<Value> {
    let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    lines.filter(|line| line["target"] == "outfall::request").collect()
}

#[test]
fn a_request_leaves_one_line_without_secrets() {
    let log = tempfile::NamedTempFile::new().unwrap();
    let writer = Arc::new(log.reopen().unwrap());
    tracing_subscriber::fmt().json().with_writer(writer).init();
    let secret = outfall_server::GatewaySecret::new("canary-secret");
    let server = Server::start(|settings| settings.gateway_secret = Some(secret), Some(sample()));
    let canary = [("x-gateway-secret", "canary-secret")];
    let target = "/release?q=canary+word&date_from=2014&limit=7&canary_name=canary";
    let refused = server.send("GET", target, &canary);
    let answered = server.send("GET", "/release?q=canary+OR+mercury&limit=1", &canary);
    server.send_bare("GET", "/canary", &[("x-gateway-key", "canary_canary_canary")]);
    let from_everywhere = [
        ("x-request-id", "canary_canary_canary"),
        ("x-gateway-key", "canary_canary_canary"),
        ("x-gateway-host", "canary"),
        ("cookie", "canary=canary"),
        ("canary", "canary"),
    ];
    server.send_bare("CANARY", "/release", &from_everywhere);
    server.send_bare("GET", "/release", &from_everywhere);
    let text = std::fs::read_to_string(log.path()).unwrap();
    let lines = request_lines(&text);
    assert_eq!(lines.len(), 5);

    let fields = &lines[0]["fields"];
    for (name, value) in [
        ("request_id", json!("test")),
        ("key", json!(server.keys.active.get(..8))),
        ("method", json!("GET")),
        ("route", json!("/release")),
        ("status", json!(400)),
        ("bytes", json!(refused.body.len())),
        ("parameters", json!("q issued_after limit")),
    ] {
        assert_eq!(fields[name], value, "{name} in {fields}");
    }
    assert!(fields["search_us"].is_null(), "{fields}");
    let fields = &lines[1]["fields"];
    assert_eq!(fields["count"], answered.count());
    assert!(fields["search_us"].is_u64() && fields["total_ms"].is_f64(), "{fields}");
    let fields = &lines[2]["fields"];
    assert_eq!((&fields["route"], &fields["status"]), (&json!("none"), &json!(404)));
    let fields = &lines[3]["fields"];
    assert_eq!((&fields["method"], &fields["status"]), (&json!("other"), &json!(405)));

    assert!(!text.to_lowercase().contains("canary"), "{text}");
    assert!(!text.contains(&server.keys.active), "{text}");
}
