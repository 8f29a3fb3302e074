//! `outfall mcp` answers on standard input and output what the service answers at `/mcp`.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod process;

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use process::{Service, outfall, publish, run};
use serde_json::{Value, json};

/// A running `outfall mcp`.
struct Agent {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Agent {
    fn start(dir: &Path) -> Self {
        Self::of(outfall(dir, &["mcp", "--data", "data"]))
    }

    fn of(mut command: Command) -> Self {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().unwrap());
        Self { child, input, output }
    }

    fn write(&mut self, line: &[u8]) {
        let input = self.input.as_mut().unwrap();
        input.write_all(line).unwrap();
        input.write_all(b"\n").unwrap();
    }

    /// The next line that it writes, which must be a message.
    fn read(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"))
    }

    fn ask(&mut self, message: &Value) -> Value {
        self.write(message.to_string().as_bytes());
        self.read()
    }

    /// Ends its input, and waits until it has ended, too.
    fn end(mut self) {
        drop(self.input.take());
        let mut rest = String::new();
        self.output.read_line(&mut rest).unwrap();
        assert_eq!(rest, "");
        assert!(self.child.wait().unwrap().success());
    }
}

/// Calls of tools, beside the requests of the API that have the same answer.
const CALLS: [(&str, &str, &str); 3] = [
    ("search_releases", r#"{"q": "-mercury", "limit": 3}"#, "/release?q=-mercury&limit=3"),
    ("search_emissions", r#"{"sort_by": "value"}"#, "/emission?sort_by=value&limit=10"),
    (
        "count_releases",
        r#"{"facets": ["year", "substance"], "facet_limit": 3}"#,
        "/release?limit=0&facets=year,substance&facet_limit=3",
    ),
];

#[test]
fn the_service_and_the_command_answer_the_same() {
    let folder = tempfile::tempdir().unwrap();
    publish(folder.path(), 1);
    let key = process::add_key(folder.path(), "someone");
    let flags = ["serve", "--data", "data", "--keys", "keys.json", "--listen", "127.0.0.1:0"];
    let service = Service::start(folder.path(), &flags);
    let mut agent = Agent::start(folder.path());
    for (tool, arguments, target) in CALLS {
        let arguments: Value = serde_json::from_str(arguments).unwrap();
        let call = json!({"jsonrpc": "2.0", "id": tool, "method": "tools/call",
                          "params": {"name": tool, "arguments": arguments}});
        let answer = agent.ask(&call);
        assert_eq!(answer["id"], tool);
        let (status, body) = service.get(target, &key);
        assert_eq!(status, 200, "{body}");
        let expected: Value = serde_json::from_str(&body).unwrap();
        for (name, value) in expected.as_object().unwrap() {
            assert_eq!(&answer["result"]["structuredContent"][name], value, "{target}: {name}");
        }
    }
    agent.end();
}

#[test]
fn what_cannot_be_read_is_refused_and_the_next_message_is_answered() {
    let folder = tempfile::tempdir().unwrap();
    publish(folder.path(), 2);
    let mut agent = Agent::start(folder.path());
    let greeting = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"}}});
    assert_eq!(agent.ask(&greeting)["result"]["protocolVersion"], "2025-06-18");
    let too_long = format!("\"{}\"", "a".repeat(100_000));
    for (line, code) in [
        (&b"hello"[..], -32700),
        (b"\xff\xfe", -32700),
        (too_long.as_bytes(), -32600),
        (br#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#, -32600),
        (br#"{"jsonrpc":"2.0","id":2,"method":"nobody/knows"}"#, -32601),
        (br#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"x"}}"#, -32602),
    ] {
        agent.write(line);
        assert_eq!(agent.read()["error"]["code"], code, "{}", String::from_utf8_lossy(line));
    }
    for silent in [
        &b""[..],
        b"  \r",
        br#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
        br#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#,
    ] {
        agent.write(silent);
    }
    let ping = json!({"jsonrpc": "2.0", "id": "after", "method": "ping"});
    assert_eq!(agent.ask(&ping), json!({"jsonrpc": "2.0", "id": "after", "result": {}}));
    let discover = json!({"jsonrpc": "2.0", "id": 3, "method": "server/discover", "params": {"_meta": {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {}}}});
    assert_eq!(agent.ask(&discover)["result"]["supportedVersions"][0], "2026-07-28");
    agent.end();
}

#[test]
fn it_follows_what_is_published() {
    let folder = tempfile::tempdir().unwrap();
    let published = |seed| {
        publish(folder.path(), seed);
    };
    published(3);
    let mut agent = Agent::start(folder.path());
    let mut build = || {
        let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
                          "params": {"name": "what_is_served"}});
        agent.ask(&call)["result"]["structuredContent"]["build_id"].clone()
    };
    let first = build();
    published(4);
    process::wait_until(|| build() != first);
}

#[test]
fn without_an_index_it_says_why_and_ends() {
    let folder = tempfile::tempdir().unwrap();
    let output = run(folder.path(), &["mcp", "--data", "nowhere"]);
    assert_eq!(output.status.code(), Some(66), "{output:?}");
    assert!(output.stdout.is_empty() && !output.stderr.is_empty(), "{output:?}");
}

fn call(id: impl Into<Value>, tool: &str, arguments: &Value) -> Value {
    let params = json!({"name": tool, "arguments": arguments});
    json!({"jsonrpc": "2.0", "id": id.into(), "method": "tools/call", "params": params})
}

fn lines(messages: impl IntoIterator<Item = Value>) -> Vec<u8> {
    messages.into_iter().flat_map(|message| format!("{message}\n").into_bytes()).collect()
}

/// More calls than run at once.
const CALLS_AT_ONCE: usize = 12;

#[test]
fn a_call_that_is_cancelled_before_it_is_done_is_not_answered() {
    let folder = tempfile::tempdir().unwrap();
    publish(folder.path(), 5);
    let mut agent = Agent::start(folder.path());
    // Nobody reads the answers, and one is more than a pipe holds: all threads get stuck, and what
    // comes after these calls waits.
    let long = |id| call(id, "search_releases", &json!({"limit": 100}));
    let cancel = json!({"jsonrpc": "2.0", "method": "notifications/cancelled",
                        "params": {"requestId": "cancelled"}});
    let unknown = json!({"jsonrpc": "2.0", "method": "notifications/cancelled",
                         "params": {"requestId": "unknown"}});
    let asked = (0..CALLS_AT_ONCE).map(long);
    let asked = asked.chain([call("cancelled", "what_is_served", &json!({})), unknown, cancel]);
    agent.write(&lines(asked));
    // Once all of this is taken, the lines before it are read: it is more than was taken ahead.
    agent.write(&b"\n".repeat(256 * 1024));
    agent.write(&lines([call("last", "what_is_served", &json!({}))]));
    let mut answered: Vec<String> = Vec::new();
    while answered.len() <= CALLS_AT_ONCE {
        let answer = agent.read();
        assert!(answer["result"]["structuredContent"].is_object(), "{answer}");
        answered.push(answer["id"].to_string());
    }
    answered.sort();
    let mut expected: Vec<String> = (0..CALLS_AT_ONCE).map(|id| id.to_string()).collect();
    expected.push("\"last\"".to_owned());
    expected.sort();
    assert_eq!(answered, expected);
    // One that is done cannot be cancelled any more, and its id may be used again.
    for id in [json!("last"), json!("cancelled")] {
        agent.write(&lines([json!({"jsonrpc": "2.0", "method": "notifications/cancelled",
                                   "params": {"requestId": id}})]));
        assert_eq!(agent.ask(&call(id.clone(), "what_is_served", &json!({})))["id"], id);
    }
    agent.end();
}

#[test]
fn what_was_asked_is_answered_although_the_input_ends() {
    let folder = tempfile::tempdir().unwrap();
    publish(folder.path(), 7);
    let mut agent = Agent::start(folder.path());
    let asked = (0..CALLS_AT_ONCE).map(|id| call(id, "count_releases", &json!({})));
    agent.write(&lines(asked));
    drop(agent.input.take());
    let mut answered: Vec<u64> =
        (0..CALLS_AT_ONCE).map(|_| agent.read()["id"].as_u64().unwrap()).collect();
    answered.sort_unstable();
    assert!(answered.into_iter().eq(0..CALLS_AT_ONCE as u64));
    agent.end();
}

#[test]
fn texts_are_in_the_language_that_is_set() {
    let folder = tempfile::tempdir().unwrap();
    publish(folder.path(), 8);
    let list = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"});
    let wrong = json!({"colour": "red"});
    for (flags, variable, title, detail) in [
        (&[][..], None, "Say what is served", "unknown parameter"),
        (&["--language", "fr"], None, "Dire ce qui est servi", "paramètre inconnu"),
        (&[], Some("fr"), "Dire ce qui est servi", "paramètre inconnu"),
        (&["--language", "en"], Some("fr"), "Say what is served", "unknown parameter"),
    ] {
        let mut command = outfall(folder.path(), &["mcp", "--data", "data"]);
        command.args(flags).env("LANG", "fr_CA.UTF-8");
        command.envs(variable.map(|language| ("OUTFALL_LANGUAGE", language)));
        let mut agent = Agent::of(command);
        let tools = agent.ask(&list)["result"]["tools"].clone();
        let titles = tools.as_array().unwrap().iter().map(|tool| tool["title"].clone());
        assert!(titles.into_iter().any(|told| told == title), "{tools}");
        let refused = agent.ask(&call(2, "search_releases", &wrong));
        let told = refused["result"]["structuredContent"]["errors"].to_string();
        assert!(told.contains(detail), "{told}");
        agent.end();
    }
    let refused = run(folder.path(), &["mcp", "--data", "data", "--language", "de"]);
    assert_eq!(refused.status.code(), Some(64), "{refused:?}");
}
