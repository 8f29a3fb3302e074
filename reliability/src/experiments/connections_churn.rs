//! Connections that come and go: used once, unused, or dropped in the middle of a request.

use std::io::Write;

use crate::client::{Client, connect, head};
use crate::data::Data;
use crate::outcome::ensure;
use crate::process::Usage;
use crate::service::{Service, wait_for};
use crate::{Experiment, Lab, LabError, Outcome, Tier};

pub(crate) const EXPERIMENT: Experiment = Experiment {
    name: "connections come and go",
    claim: "every whole request is answered; threads and descriptors stay as they were",
    needs: &[],
    run,
};

fn run(lab: &Lab, tier: Tier) -> Result<Outcome, LabError> {
    let folder = lab.folder()?;
    let data = Data::published(lab, folder.path(), 60)?;
    let mut service = Service::open_to_all(lab, data.dir())?;
    let mut outcome = Outcome::default();
    let mut usual = None;
    for number in 0..tier.pick(2_000, 100_000) {
        let asked = Client::new(service.address).get("/release?limit=2");
        let is_answered = asked.as_ref().is_ok_and(|answer| answer.status == 200);
        outcome.note(format!("request {number}"), ensure(is_answered, || format!("{asked:?}")));
        let request = head("/release?limit=1000", "");
        // The client sends nothing, half a head or a whole request, and never waits for the answer.
        let sent = [0, request.len() / 2, request.len()][number % 3];
        let dropped = connect(service.address)
            .and_then(|mut stream| stream.write_all(&request.as_bytes()[..sent]));
        dropped.map_err(LabError::io("connect"))?;
        if number == 100 {
            usual = Some(Usage::of(service.id())?);
        }
    }
    let settled = wait_for(|| {
        let (usage, usual) = (Usage::of(service.id()).ok()?, usual?);
        (usage.threads <= usual.threads && usage.descriptors <= usual.descriptors).then_some(())
    });
    outcome.note("threads and descriptors", settled.ok_or_else(|| "they grew".to_owned()));
    outcome.note("the service", service.check_alive());
    Ok(outcome)
}
