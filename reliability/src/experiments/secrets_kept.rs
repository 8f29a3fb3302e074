//! Secrets, looked for in everything that leaves the service.

use crate::client::Client;
use crate::data::Data;
use crate::outcome::ensure;
use crate::service::{Service, add_key, command};
use crate::{Experiment, Lab, LabError, Outcome, Tier};

pub(crate) const EXPERIMENT: Experiment = Experiment {
    name: "secrets looked for",
    claim: "no key and no secret is in a log, an answer or a metric, and no searched text in a log",
    needs: &[],
    run,
};

const SECRET: &str = "canary-of-the-gateway-4711";
const WRONG: &str = "canary-that-is-not-the-secret";
const WRONG_KEY: &str = "prk_canaryCanaryCanaryCanaryCanary";
const SEARCHED: &str = "canarysearched";

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

fn run(lab: &Lab, _: Tier) -> Result<Outcome, LabError> {
    let folder = lab.folder()?;
    let data = Data::published(lab, folder.path(), 60)?;
    let keys = folder.path().join("keys.json");
    let key = add_key(lab, &keys, "client")?;
    let mut outcome = Outcome::default();
    for form in ["text", "json"] {
        let path = keys.display().to_string();
        let mut command = command(lab, &[], data.dir(), &["--keys", &path, "--log", form]);
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
        let log = service.log();
        outcome.note("the log", ensure(log.contains("answered"), || "it is empty".to_owned()));
        outcome.note("the log", leaked(&log, &[&key, SECRET, WRONG, WRONG_KEY, SEARCHED]));
    }
    Ok(outcome)
}

fn leaked(text: &str, secrets: &[&str]) -> Result<(), String> {
    match secrets.iter().find(|secret| text.contains(**secret)) {
        Some(secret) => Err(format!("`{secret}` is in it")),
        None => Ok(()),
    }
}
