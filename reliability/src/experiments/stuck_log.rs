//! A log that nobody reads, so that its pipe is soon full.

use std::process::Stdio;

use crate::data::Data;
use crate::outcome::ensure;
use crate::service::{Service, command};
use crate::{Experiment, Lab, LabError, Outcome, Tier};

pub(crate) const EXPERIMENT: Experiment = Experiment {
    name: "log pipe that nobody reads",
    claim: "requests are answered all the same",
    needs: &[],
    run,
};

fn run(lab: &Lab, tier: Tier) -> Result<Outcome, LabError> {
    let folder = lab.folder()?;
    let data = Data::published(lab, folder.path(), 60)?;
    let flags = ["--auth", "off", "--rate-limit", "0", "--log", "json"];
    let mut command = command(lab, &[], data.dir(), &flags);
    let service = Service::spawn(&mut command, Stdio::piped(), folder.path().join("none"))?;
    let mut client = service.client();
    let mut outcome = Outcome::default();
    // A pipe holds 64 KiB, some 200 lines.
    for number in 0..tier.pick(2_000, 50_000) {
        let answer = client.get("/release?limit=1");
        let is_answered = answer.as_ref().is_ok_and(|answer| answer.status == 200);
        outcome.note(format!("request {number}"), ensure(is_answered, || format!("{answer:?}")));
        if !is_answered {
            break;
        }
    }
    Ok(outcome)
}
