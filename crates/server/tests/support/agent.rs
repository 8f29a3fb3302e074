//! An agent that asks the service.

use serde_json::{Value, json};

use super::{Answer, Server};

pub(crate) const JSON: (&str, &str) = ("content-type", "application/json");
pub(crate) const ACCEPT: (&str, &str) = ("accept", "application/json, text/event-stream");

/// Sends a message as a client does that has said `initialize` before.
pub(crate) fn send(server: &Server, headers: &[(&str, &str)], message: &Value) -> Answer {
    let version = ("mcp-protocol-version", "2025-11-25");
    let headers = [&[JSON, ACCEPT, version], headers].concat();
    server.post("/mcp", &headers, message.to_string().as_bytes())
}

/// The result of a request of such a client.
pub(crate) fn result(server: &Server, method: &str, params: &Value) -> Value {
    let message = json!({"jsonrpc": "2.0", "id": 7, "method": method, "params": params});
    let answer = send(server, &[], &message);
    assert_eq!(answer.status, 200, "{}", answer.body);
    let answer = answer.json();
    assert_eq!((&answer["jsonrpc"], &answer["id"]), (&json!("2.0"), &json!(7)));
    assert!(answer["error"].is_null(), "{answer}");
    answer["result"].clone()
}

/// What a tool returned, its text parsed, and whether it is an error. Text and data are the same.
pub(crate) fn called(server: &Server, tool: &str, arguments: &Value) -> (Value, bool) {
    let result = result(server, "tools/call", &json!({"name": tool, "arguments": arguments}));
    let text = result["content"][0]["text"].as_str().unwrap();
    let returned: Value = serde_json::from_str(text).unwrap();
    assert_eq!(returned, result["structuredContent"]);
    (returned, result["isError"].as_bool().unwrap())
}
