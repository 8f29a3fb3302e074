//! Signals that are not meant to stop the service.

use std::time::{Duration, Instant};

use crate::client::Client;
use crate::data::Data;
use crate::outcome::ensure;
use crate::service::{Service, add_key, keys_command, wait_for};
use crate::{Experiment, Lab, LabError, Outcome, Tier};

pub(crate) const EXPERIMENT: Experiment = Experiment {
    name: "signals survived",
    claim: "SIGHUP makes the service look at the key file at once; USR1, USR2, ALRM and IO do nothing",
    needs: &[],
    run,
};

fn run(lab: &Lab, tier: Tier) -> Result<Outcome, LabError> {
    let folder = lab.folder()?;
    let data = Data::published(lab, folder.path(), 60)?;
    let keys = folder.path().join("keys.json");
    add_key(lab, &keys, "first")?;
    let path = keys.display().to_string();
    let mut service = Service::start(lab, data.dir(), &["--rate-limit", "0", "--keys", &path])?;
    let mut outcome = Outcome::default();
    let mut total = Duration::ZERO;
    let rounds = tier.pick(5, 40);
    for number in 0..rounds {
        let name = format!("client-{number}");
        let key = add_key(lab, &keys, &name)?;
        let address = service.address;
        let gets = |expected: u16| {
            let asked = Client::with_key(address, &key).get("/release?limit=0");
            (asked.map_or(0, |answer| answer.status) == expected).then_some(())
        };
        service.signal("HUP")?;
        let added = wait_for(|| gets(200));
        outcome.note("a new key", ensure(added.is_some(), || "it is not let in".to_owned()));
        keys_command(lab, &keys, &["revoke", &name])?;
        let told = Instant::now();
        service.signal("HUP")?;
        let refused = wait_for(|| gets(403));
        total += told.elapsed();
        outcome.note("a revoked key", ensure(refused.is_some(), || "it is let in".to_owned()));
        for signal in ["USR1", "USR2", "ALRM", "IO"] {
            service.signal(signal)?;
        }
        outcome.note("the service", service.check_alive());
    }
    // A service that looks once a second needs half a second on average.
    let mean = total / rounds;
    let is_at_once = tier == Tier::Quick || mean < Duration::from_millis(250);
    outcome.note("how soon it looks", ensure(is_at_once, || format!("{mean:?} on average")));
    outcome.figure(format!("refused {} ms after SIGHUP on average", mean.as_millis()));
    service.signal("TERM")?;
    let ended = service.ended();
    let is_clean = ended.is_some_and(|status| status.success());
    outcome.note("the end", ensure(is_clean, || format!("{ended:?}")));
    Ok(outcome)
}
