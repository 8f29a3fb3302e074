//! Secrets, looked for in everything that leaves the service.

use std::io::{Read, Write};
use std::net::SocketAddr;

use crate::client::{Client, connect};
use crate::data::Data;
use crate::outcome::ensure;
use crate::service::{Service, add_key, command};
use crate::{Experiment, Lab, LabError, Outcome, Tier};

pub(crate) const EXPERIMENT: Experiment = Experiment {
    name: "secrets looked for",
    claim: "no key and no secret is in a log, an answer or a metric, wherever a caller writes it, \
            and no searched text in a log",
    needs: &[],
    run,
};

const SECRET: &str = "canary-of-the-gateway-4711";
const WRONG: &str = "canary-that-is-not-the-secret";
const WRONG_KEY: &str = "prk_canaryCanaryCanaryCanaryCanary";
const SEARCHED: &str = "canarysearched";
/// How much of a key a log may show.
const ID: usize = 8;

const TARGETS: [&str; 9] = [
    "/release?q=canarysearched",
    "/release?q=canarysearched&limit=canarysearched",
    "/emission?facility_id=canarysearched",
    "/release?canarysearched=1",
    "/canarysearched",
    "/meta",
    "/health/ready",
    "/metrics",
    "/",
];

/// Requests with a key wherever a caller can write one, as `KEY`; the rest of a head follows.
const WRITTEN: [&str; 20] = [
    "GET /release?q=KEY HTTP/1.1\r\nx-gateway-key: KEY\r\nx-gateway-host: localhost",
    "GET /release?limit=KEY&KEY=1 HTTP/1.1\r\nx-gateway-key: KEY\r\nx-gateway-host: localhost",
    "GET /release?cursor=KEY HTTP/1.1\r\nx-gateway-key: KEY\r\nx-gateway-host: localhost",
    "GET /release HTTP/1.1\r\nx-gateway-key: KEY\r\nx-gateway-host: KEY",
    "GET /release HTTP/1.1\r\nx-gateway-key: KEY\r\nx-gateway-key: KEY",
    "GET /release HTTP/1.1\r\nx-gateway-secret: KEY",
    "GET /KEY HTTP/1.1",
    "KEY /release HTTP/1.1",
    "GET /release HTTP/1.1\r\nx-request-id: KEY",
    "GET /release HTTP/1.1\r\nx-request-id: a-KEY-b",
    "GET /release HTTP/1.1\r\nKEY: KEY\r\ncookie: KEY=KEY\r\nuser-agent: KEY",
    "GET /release HTTP/1.1\r\nauthorization: Bearer KEY\r\norigin: KEY\r\nreferer: KEY",
    "GET /release HTTP/1.1\r\naccept: KEY\r\naccept-language: KEY\r\nif-none-match: KEY",
    "GET http://KEY/KEY HTTP/1.1",
    "GET / KEY",
    "KEY",
    "GET / HTTP/1.1\r\ncontent-length: KEY",
    "GET / HTTP/1.1\r\ntransfer-encoding: KEY",
    "GET / HTTP/1.1\r\nhost: KEY",
    "GET / HTTP/1.1\r\nKEY KEY",
];

fn run(lab: &Lab, _: Tier) -> Result<Outcome, LabError> {
    let folder = lab.folder()?;
    let data = Data::published(lab, folder.path(), 60)?;
    let keys = folder.path().join("keys.json");
    let key = add_key(lab, &keys, "client")?;
    let mut outcome = Outcome::default();
    for (form, more) in [("text", &[][..]), ("json", &[]), ("json", &["--slow-query-ms", "0"])] {
        let path = keys.display().to_string();
        let flags = [&["--keys", path.as_str(), "--log", form], more].concat();
        let mut command = command(lab, &[], data.dir(), &flags);
        command.env("OUTFALL_GATEWAY_SECRET", SECRET).env("OUTFALL_LOG_LEVEL", "trace");
        let service = Service::spawn_logging(&mut command, folder.path().join(form))?;
        let clients = [
            Client::with_key(service.address, &key).with("x-gateway-secret", SECRET),
            Client::with_key(service.address, &key).with("x-gateway-secret", WRONG),
            Client::with_key(service.address, WRONG_KEY).with("x-gateway-secret", SECRET),
            Client::with_key(service.address, &key).with("x-gateway-host", "localhost"),
        ];
        for mut client in clients {
            for target in TARGETS {
                let answer = client.get(target).map_err(LabError::io("ask"))?;
                let leaked = leaked(&answer.text(), &[&key, SECRET, WRONG, WRONG_KEY]);
                outcome.note(format!("the answer to `{target}`"), leaked);
            }
        }
        for written in WRITTEN {
            write(service.address, &written.replace("KEY", &key))?;
            outcome.count("places to write a key in");
        }
        let metrics = service.get("/metrics").map_err(LabError::Setup)?;
        outcome.note("the metrics", leaked(&metrics.body, &[&key[..ID]]));
        let log = service.log();
        let has_errors = log.contains("ERROR") || !log.contains("answered");
        outcome.note("the log", ensure(!has_errors, || "errors, or nothing, are in it".to_owned()));
        // Any piece of a key that is longer than its id gives away more than the id.
        let pieces = (0..key.len() - ID).map(|at| &key[at..=at + ID]);
        let mut secrets: Vec<&str> = pieces.chain([SECRET, WRONG, WRONG_KEY]).collect();
        if more.is_empty() {
            secrets.push(SEARCHED);
        }
        outcome.note("the log", leaked(&log, &secrets));
    }
    Ok(outcome)
}

/// Sends bytes that need not be a request, and waits until the service is done with them.
fn write(address: SocketAddr, written: &str) -> Result<(), LabError> {
    let head = format!(
        "{written}\r\nhost: localhost\r\nx-gateway-secret: {SECRET}\r\nconnection: close\r\n\r\n"
    );
    let mut stream = connect(address).map_err(LabError::io("connect"))?;
    let sent = stream.write_all(head.as_bytes()).and_then(|()| {
        let mut answer = Vec::new();
        // A request that was refused before it was read whole may be reset.
        stream.read_to_end(&mut answer).or(Ok(0))
    });
    sent.map(drop).map_err(LabError::io("send what may be no request"))
}

fn leaked(text: &str, secrets: &[&str]) -> Result<(), String> {
    match secrets.iter().find(|secret| text.contains(**secret)) {
        Some(secret) => Err(format!("`{secret}` is in it")),
        None => Ok(()),
    }
}
