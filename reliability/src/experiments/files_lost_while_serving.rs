//! The files of the served generation, changed and removed under the service.

use std::fs;

use crate::corpus::Corpus;
use crate::damage::{Damage, Patient};
use crate::data::Data;
use crate::outcome::ensure;
use crate::random::Random;
use crate::service::Service;
use crate::{Experiment, Lab, LabError, Outcome, Tier};

pub(crate) const EXPERIMENT: Experiment = Experiment {
    name: "served files change or vanish",
    claim: "every answer stays as it was",
    needs: &[],
    run,
};

const TARGETS: [&str; 3] =
    ["/release?limit=100", "/emission?limit=100", "/release?q=air&sort_by=value&value_unit=kg"];

fn run(lab: &Lab, tier: Tier) -> Result<Outcome, LabError> {
    let folder = lab.folder()?;
    let data = Data::new(lab, folder.path(), &Corpus::write(folder.path(), 400, 1)?);
    let generation = data.dir().join(data.rebuild().map_err(LabError::Setup)?);
    let patient = Patient::new(&generation).map_err(LabError::io("read an index"))?;
    let mut service = Service::open_to_all(lab, data.dir())?;
    let ask = |service: &Service| {
        TARGETS
            .iter()
            .map(|target| Ok(service.get(target)?.body))
            .collect::<Result<Vec<_>, String>>()
    };
    let usual = ask(&service).map_err(LabError::Setup)?;
    let check = |service: &mut Service| {
        service.check_alive()?;
        ensure(ask(service)? == usual, || "it answers otherwise".to_owned())
    };
    let mut outcome = Outcome::default();
    let mut random = Random::new(1);
    for case in 0..patient.files() * tier.pick(2, Damage::ALL.len()) {
        let damage = Damage::ALL[(case / patient.files() + case) % Damage::ALL.len()];
        let harmed = patient.harm(case, damage, &mut random);
        let harmed = harmed.map_err(LabError::io("damage an index"))?;
        outcome.note(format!("{damage:?}, file {case}"), check(&mut service));
        patient.heal(&harmed).map_err(LabError::io("heal an index"))?;
    }
    fs::remove_dir_all(&generation).map_err(LabError::io("remove an index"))?;
    outcome.note("the whole generation is removed", check(&mut service));
    Ok(outcome)
}
