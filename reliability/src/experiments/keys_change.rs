//! Keys that are revoked, and key files that go bad, under a running service.

use std::fs;
use std::time::{Duration, Instant};

use crate::client::Client;
use crate::data::{Data, said};
use crate::outcome::ensure;
use crate::service::{Service, add_key, command, keys_command, wait_for};
use crate::{Experiment, Lab, LabError, Outcome, Tier};

pub(crate) const EXPERIMENT: Experiment = Experiment {
    name: "keys change while serving",
    claim: "a revoked key is refused within 5 s; a broken key file leaves the old keys, and no start",
    needs: &[],
    run,
};

fn run(lab: &Lab, tier: Tier) -> Result<Outcome, LabError> {
    let folder = lab.folder()?;
    let data = Data::published(lab, folder.path(), 60)?;
    let keys = folder.path().join("keys.json");
    let lasting = add_key(lab, &keys, "lasting")?;
    let path = keys.display().to_string();
    let flags = ["--rate-limit", "0", "--keys", &path];
    let service = Service::start(lab, data.dir(), &flags)?;
    let status = |key: &str| {
        let asked = Client::with_key(service.address, key).get("/release?limit=0");
        asked.map_or(0, |answer| answer.status)
    };
    let mut outcome = Outcome::default();
    let mut slowest = Duration::ZERO;
    for number in 0..tier.pick(2, 20) {
        let name = format!("client-{number}");
        let key = add_key(lab, &keys, &name)?;
        let added = wait_for(|| (status(&key) == 200).then_some(()));
        outcome.note("a new key", added.ok_or_else(|| "it is not let in".to_owned()));
        keys_command(lab, &keys, &["revoke", &name])?;
        let revoked = Instant::now();
        let refused = wait_for(|| (status(&key) == 403).then_some(()));
        let took = revoked.elapsed();
        slowest = slowest.max(took);
        let is_soon = refused.is_some() && (tier == Tier::Quick || took.as_secs() < 5);
        outcome.note("a revoked key", ensure(is_soon, || format!("let in for {took:?}")));
    }
    outcome.figure(format!("refused after {:.1} s at most", slowest.as_secs_f64()));

    let whole = fs::read(&keys).map_err(LabError::io("read a key file"))?;
    let half = &whole[..whole.len() / 2];
    for (form, broken) in
        [("half a file", half), ("no content", b""), ("no keys", b"{}"), ("noise", &[0xff; 64])]
    {
        fs::write(&keys, broken).map_err(LabError::io("break a key file"))?;
        // The service looks at the file every second.
        let broken_at = Instant::now();
        let mut refused = None;
        while broken_at.elapsed() < Duration::from_millis(2_500) && refused.is_none() {
            refused = Some(status(&lasting)).filter(|status| *status != 200);
        }
        let seen = ensure(refused.is_none(), || format!("the old key gets {refused:?}"));
        outcome.note(format!("{form}, while serving"), seen);
        let started = command(lab, &[], data.dir(), &flags).output();
        let started = started.map_err(LabError::io("start the service"))?;
        let is_named = String::from_utf8_lossy(&started.stderr).contains(&path);
        let is_refused = started.status.code().is_some_and(|code| code != 0) && is_named;
        outcome.note(format!("{form}, at the start"), ensure(is_refused, || said(&started)));
    }
    Ok(outcome)
}
