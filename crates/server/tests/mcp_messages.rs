//! Agents are greeted in every revision of the protocol, and told what is wrong with a message and
//! with how it was sent.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod support;

use outfall_server::{Auth, RateLimit};
use serde_json::{Value, json};
use support::agent::{ACCEPT, JSON, result, send};
use support::{Answer, Server, sample};

const MODERN: &str = "2026-07-28";

#[test]
fn every_revision_is_greeted() {
    let server = Server::over_sample();
    for (requested, expected) in
        [("2025-06-18", "2025-06-18"), ("2025-11-25", "2025-11-25"), ("2024-11-05", "2025-11-25")]
    {
        let params = json!({"protocolVersion": requested, "capabilities": {},
                            "clientInfo": {"name": "test", "version": "1"}});
        let message = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params});
        let answer = server.post("/mcp", &[JSON, ACCEPT], message.to_string().as_bytes());
        let result = &answer.json()["result"];
        assert_eq!(result["protocolVersion"], expected);
        assert_eq!(result["serverInfo"]["name"], "outfall");
        assert_eq!(result["capabilities"], json!({"tools": {}, "resources": {}}));
        assert!(result["instructions"].as_str().unwrap().contains("next_cursor"));
        assert_eq!(answer.header("mcp-session-id"), "");
        let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        let headers = [JSON, ACCEPT, ("mcp-protocol-version", expected)];
        let answer = server.post("/mcp", &headers, ready.to_string().as_bytes());
        assert_eq!((answer.status, answer.body.as_str()), (202, ""));
    }
    assert_eq!(result(&server, "ping", &json!({})), json!({}));
    let discovered = modern(&server, "server/discover", json!({}), &[]);
    assert_eq!(discovered.status, 200, "{}", discovered.body);
    let result = &discovered.json()["result"];
    assert_eq!(result["resultType"], "complete");
    assert_eq!(result["supportedVersions"], json!([MODERN, "2025-11-25", "2025-06-18"]));
    assert_eq!(result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"], "outfall");
    assert!(result["ttlMs"].is_u64() && result["cacheScope"] == "private", "{result}");
}

/// Sends a request of the revision without a handshake. `headers` replace those that such a
/// client sends, or remove them if they are empty.
fn modern(server: &Server, method: &str, mut params: Value, headers: &[(&str, &str)]) -> Answer {
    if params.get("_meta").is_none() {
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": MODERN,
            "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
            "io.modelcontextprotocol/clientCapabilities": {},
        });
    }
    let named = params["name"].as_str().or(params["uri"].as_str()).unwrap_or_default().to_owned();
    let mut sent = vec![JSON, ACCEPT, ("mcp-protocol-version", MODERN), ("mcp-method", method)];
    sent.push(("mcp-name", named.as_str()));
    sent.retain(|(name, value)| {
        !value.is_empty() && headers.iter().all(|(replaced, _)| replaced != name)
    });
    sent.extend(headers.iter().filter(|(_, value)| !value.is_empty()));
    let message = json!({"jsonrpc": "2.0", "id": "m-1", "method": method, "params": params});
    server.post("/mcp", &sent, message.to_string().as_bytes())
}

#[test]
fn a_request_that_carries_its_revision_must_agree_with_its_headers() {
    let server = Server::over_sample();
    let call = json!({"name": "count_releases", "arguments": {"q": "lead"}});
    let meta = |key: &str, value: Value| {
        let mut call = call.clone();
        call["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": MODERN,
            "io.modelcontextprotocol/clientCapabilities": {},
        });
        call["_meta"][key] = value;
        call
    };
    let (version, capabilities) =
        ("io.modelcontextprotocol/protocolVersion", "io.modelcontextprotocol/clientCapabilities");
    for (name, method, params, headers, status, code) in [
        ("as it should be", "tools/call", call.clone(), &[][..], 200, None),
        (
            "wrapped",
            "tools/call",
            call.clone(),
            &[("mcp-name", "=?base64?Y291bnRfcmVsZWFzZXM=?=")],
            200,
            None,
        ),
        (
            "another method",
            "tools/call",
            call.clone(),
            &[("mcp-method", "tools/list")],
            400,
            Some(-32020),
        ),
        ("no method", "tools/call", call.clone(), &[("mcp-method", "")], 400, Some(-32020)),
        (
            "another name",
            "tools/call",
            call.clone(),
            &[("mcp-name", "search_releases")],
            400,
            Some(-32020),
        ),
        ("no name", "tools/call", call.clone(), &[("mcp-name", "")], 400, Some(-32020)),
        (
            "no version",
            "tools/call",
            call.clone(),
            &[("mcp-protocol-version", "")],
            400,
            Some(-32020),
        ),
        (
            "another version",
            "tools/call",
            call.clone(),
            &[("mcp-protocol-version", "2025-11-25")],
            400,
            Some(-32020),
        ),
        (
            "a future",
            "tools/list",
            meta(version, json!("2030-01-01")),
            &[("mcp-protocol-version", "2030-01-01")],
            400,
            Some(-32022),
        ),
        ("a number", "tools/list", meta(version, json!(1)), &[], 400, Some(-32602)),
        ("no capabilities", "tools/call", meta(capabilities, Value::Null), &[], 400, Some(-32602)),
        ("no meta", "tools/list", json!({"_meta": {}}), &[], 400, Some(-32602)),
        ("no such method", "prompts/list", json!({}), &[], 404, Some(-32601)),
        ("of the other era", "ping", json!({}), &[], 404, Some(-32601)),
        (
            "no such resource",
            "resources/read",
            json!({"uri": "outfall://x"}),
            &[],
            200,
            Some(-32602),
        ),
    ] {
        let answer = modern(&server, method, params, headers);
        let json = answer.json();
        assert_eq!(answer.status, status, "{name}: {json}");
        assert_eq!(json["error"]["code"].as_i64(), code, "{name}: {json}");
        assert_eq!(json["id"], "m-1", "{name}");
        if code == Some(-32022) {
            assert_eq!(json["error"]["data"]["requested"], "2030-01-01");
            assert_eq!(json["error"]["data"]["supported"][0], MODERN);
        }
    }
}

#[test]
fn what_is_no_message_is_refused_with_the_reason() {
    let server = Server::over_sample();
    let long = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"ping","params":{{"a":"{}"}}}}"#,
        "a".repeat(70_000)
    );
    let many = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"search_releases","arguments":{{"q":"{}"}}}}}}"#,
        "a".repeat(9_000)
    );
    let deep = format!("{}{}", "[".repeat(300), "]".repeat(300));
    for (name, body, status, code, id) in [
        ("nothing", "", 400, -32700, None),
        ("no JSON", "hello", 400, -32700, None),
        ("half", r#"{"jsonrpc":"2.0","id":1"#, 400, -32700, None),
        ("two", r#"{"jsonrpc":"2.0","id":1,"method":"ping"}{}"#, 400, -32700, None),
        ("deep", &deep, 400, -32600, None),
        ("a batch", r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#, 400, -32600, None),
        ("an empty batch", "[]", 400, -32600, None),
        ("a text", "\"ping\"", 400, -32600, None),
        ("an object", "{}", 400, -32600, None),
        ("no version", r#"{"id":1,"method":"ping"}"#, 400, -32600, Some(json!(1))),
        (
            "another version",
            r#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#,
            400,
            -32600,
            Some(json!(1)),
        ),
        ("null as id", r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, 400, -32600, None),
        ("half an id", r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, 400, -32600, None),
        (
            "two ids",
            r#"{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}"#,
            400,
            -32600,
            Some(json!(1)),
        ),
        ("no method", r#"{"jsonrpc":"2.0","id":"x"}"#, 400, -32600, Some(json!("x"))),
        (
            "a number as method",
            r#"{"jsonrpc":"2.0","id":1,"method":7}"#,
            400,
            -32600,
            Some(json!(1)),
        ),
        (
            "a list of params",
            r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}"#,
            400,
            -32600,
            Some(json!(1)),
        ),
        ("too long", &long, 413, -32600, None),
        ("too many arguments", &many, 200, -32602, Some(json!(1))),
        (
            "no such method",
            r#"{"jsonrpc":"2.0","id":1,"method":"prompts/list"}"#,
            200,
            -32601,
            Some(json!(1)),
        ),
        (
            "no such tool",
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x"}}"#,
            200,
            -32602,
            Some(json!(1)),
        ),
        (
            "no tool",
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call"}"#,
            200,
            -32602,
            Some(json!(1)),
        ),
        (
            "a list of arguments",
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search_releases","arguments":[]}}"#,
            200,
            -32602,
            Some(json!(1)),
        ),
        (
            "no such page",
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"x"}}"#,
            200,
            -32602,
            Some(json!(1)),
        ),
        (
            "no such resource",
            r#"{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"outfall://x"}}"#,
            200,
            -32002,
            Some(json!(1)),
        ),
        (
            "a greeting without a revision",
            r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}"#,
            200,
            -32602,
            Some(json!(1)),
        ),
        (
            "a discovery without a revision",
            r#"{"jsonrpc":"2.0","id":1,"method":"server/discover"}"#,
            400,
            -32602,
            Some(json!(1)),
        ),
    ] {
        let answer = server.post("/mcp", &[JSON, ACCEPT], body.as_bytes());
        let json = answer.json();
        assert_eq!(answer.status, status, "{name}: {json}");
        assert_eq!(json["error"]["code"], code, "{name}: {json}");
        assert_eq!(json.get("id"), id.as_ref(), "{name}: {json}");
        assert!(json["error"]["message"].as_str().is_some_and(|said| said.len() > 10), "{json}");
        assert_eq!(answer.header("content-type"), "application/json");
    }
    let not_utf8 = server.post("/mcp", &[JSON], b"{\"jsonrpc\":\"2.0\",\"id\":\"\xff\"}");
    assert_eq!((not_utf8.status, &not_utf8.json()["error"]["code"]), (400, &json!(-32700)));
    assert_eq!(result(&server, "ping", &json!({})), json!({}), "the service goes on");
}

#[test]
fn messages_that_expect_no_answer_get_none() {
    let server = Server::over_sample();
    for message in [
        json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
        json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}),
        json!({"jsonrpc": "2.0", "method": "notifications/nobody/knows"}),
        json!({"jsonrpc": "2.0", "method": "tools/call", "params": {"name": "search_releases"}}),
        json!({"jsonrpc": "2.0", "id": 1, "result": {}}),
        json!({"jsonrpc": "2.0", "id": 1, "error": {"code": 1, "message": "no"}}),
    ] {
        let answer = send(&server, &[], &message);
        assert_eq!((answer.status, answer.body.as_str()), (202, ""), "{message}");
    }
}

#[test]
fn a_message_must_come_in_the_right_form_from_the_right_place() {
    let server = Server::over_sample();
    let ping = json!({"jsonrpc": "2.0", "id": 1, "method": "ping"}).to_string();
    for (headers, status, code) in [
        (&[JSON][..], 200, None),
        (&[JSON, ("accept", "*/*")], 200, None),
        (&[("content-type", "application/json; charset=utf-8"), ACCEPT], 200, None),
        (&[JSON, ACCEPT, ("origin", "http://localhost:6274")], 200, None),
        (&[JSON, ACCEPT, ("mcp-protocol-version", "2025-06-18")], 200, None),
        (&[JSON, ACCEPT, ("mcp-protocol-version", "2025-03-26")], 400, Some(-32022)),
        (&[JSON, ACCEPT, ("mcp-protocol-version", "no")], 400, Some(-32022)),
        (&[JSON, ("accept", "text/event-stream")], 406, Some(-32600)),
        (&[JSON, ("accept", "application/json;q=0, text/html")], 406, Some(-32600)),
        (&[("content-type", "text/plain"), ACCEPT], 415, Some(-32600)),
        (&[ACCEPT], 415, Some(-32600)),
        (&[JSON, ACCEPT, ("origin", "https://news.example")], 403, Some(-32600)),
        (&[JSON, ACCEPT, ("origin", "null")], 403, Some(-32600)),
    ] {
        let answer = server.post("/mcp", headers, ping.as_bytes());
        assert_eq!(answer.status, status, "{headers:?}: {}", answer.body);
        assert_eq!(answer.json()["error"]["code"].as_i64(), code, "{headers:?}");
    }
    let open = Server::start(|settings| settings.auth = Auth::Off, Some(sample()));
    for (origin, status) in [("http://localhost", 200), ("https://news.example", 403)] {
        let headers = [JSON, ACCEPT, ("origin", origin)];
        assert_eq!(open.post_bare("/mcp", &headers, ping.as_bytes()).status, status, "{origin}");
    }
    for method in ["GET", "HEAD", "DELETE", "PUT"] {
        let answer = server.send(method, "/mcp", &[]);
        assert_eq!((answer.status, answer.header("allow").as_str()), (405, "POST"), "{method}");
    }
    let preflight = [
        ("origin", "http://localhost:6274"),
        ("access-control-request-method", "POST"),
        ("access-control-request-headers", "content-type, mcp-protocol-version"),
    ];
    let answer = server.send_bare("OPTIONS", "/mcp", &preflight);
    assert_eq!(answer.status, 204);
    assert_eq!(answer.header("access-control-allow-methods"), "POST");
    assert!(answer.header("access-control-allow-headers").contains("mcp-protocol-version"));
}

#[test]
fn keys_and_their_limits_are_those_of_the_api() {
    let server = Server::start(
        |settings| settings.rate_limit = RateLimit { per_minute: 1, burst: 2 },
        Some(sample()),
    );
    let ping = json!({"jsonrpc": "2.0", "id": 1, "method": "ping"});
    let ping = ping.to_string();
    let host = ("x-gateway-host", "localhost");
    let disabled = ("x-gateway-key", server.keys.disabled.as_str());
    let elsewhere = ("x-gateway-host", "elsewhere");
    let active = ("x-gateway-key", server.keys.active.as_str());
    for (headers, status, code) in [
        (vec![host], 401, "key-missing"),
        (vec![host, ("x-gateway-key", "prk_0000000000000000")], 401, "key-unknown"),
        (vec![host, disabled], 403, "key-disabled"),
        (vec![elsewhere, active], 403, "gateway-host-mismatch"),
    ] {
        let headers = [&[JSON, ACCEPT], &headers[..]].concat();
        let answer = server.post_bare("/mcp", &headers, ping.as_bytes());
        assert_eq!((answer.status, &answer.json()["code"]), (status, &json!(code)));
        assert_eq!(answer.header("content-type"), "application/problem+json");
    }
    for (status, remaining) in [(200, "1"), (200, "0"), (429, "0")] {
        let answer = server.post("/mcp", &[JSON, ACCEPT], ping.as_bytes());
        assert_eq!(answer.status, status, "{}", answer.body);
        assert_eq!(answer.header("x-ratelimit-remaining"), remaining);
    }
    assert_eq!(server.get("/release?limit=0").status, 429, "one bucket for both");
    let metrics = server.send_bare("GET", "/metrics", &[]).body;
    assert!(
        metrics.contains("outfall_requests_total{route=\"/mcp\",status=\"200\"} 2"),
        "{metrics}"
    );
}
