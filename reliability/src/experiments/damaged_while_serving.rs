//! Damaged generations, published to a running service.

use std::path::PathBuf;

use crate::client::Answer;
use crate::damage::{Damage, Patient};
use crate::outcome::ensure;
use crate::random::Random;
use crate::service::{Service, wait_for};
use crate::two_indexes::TwoIndexes;
use crate::{Experiment, Lab, LabError, Outcome, Tier};

pub(crate) const EXPERIMENT: Experiment = Experiment {
    name: "damaged index is published",
    claim: "the old one answers as before, the status is degraded, the log names the file",
    needs: &[],
    run,
};

const TARGETS: [&str; 4] =
    ["/release?limit=20", "/emission?limit=20", "/release?q=air+OR+water&sort_by=value", "/meta"];

fn run(lab: &Lab, tier: Tier) -> Result<Outcome, LabError> {
    let folder = lab.folder()?;
    let TwoIndexes { data, first, second } = TwoIndexes::published(lab, folder.path())?;
    let (good, bad) = (first.current, second.current);
    let patient = Patient::new(&data.dir().join(second.generation));
    let patient = patient.map_err(LabError::io("read an index"))?;
    let point_to = |line: &[u8]| data.set_current(line);

    point_to(&good)?;
    let mut service = Service::open_to_all(lab, data.dir())?;
    let usual = answers(&service).map_err(LabError::Setup)?;
    let mut outcome = Outcome::default();
    for case in 0..tier.pick(16, 400) {
        let damage = Damage::ALL[case % Damage::ALL.len()];
        let mut random = Random::new(case as u64);
        let number = random.below(patient.files() as u64) as usize;
        let harmed = patient.harm(number, damage, &mut random);
        let harmed = harmed.map_err(LabError::io("damage an index"))?;
        if !harmed.is_empty() {
            point_to(&bad)?;
            let seen = check(&mut service, &usual, &harmed);
            outcome.note(format!("{damage:?} of {}", harmed[0].display()), seen);
            point_to(&good)?;
            let recovered = wait_for(|| (service.status()? == "ready").then_some(()));
            let seen = recovered.ok_or_else(|| "it stays degraded".to_owned());
            outcome.note(format!("recovery from {damage:?}"), seen);
        }
        patient.heal(&harmed).map_err(LabError::io("heal an index"))?;
    }
    Ok(outcome)
}

fn check(service: &mut Service, usual: &[Answer], harmed: &[PathBuf]) -> Result<(), String> {
    let degraded = wait_for(|| (service.status()? == "degraded").then_some(()));
    degraded.ok_or_else(|| "it is not degraded".to_owned())?;
    let answers = answers(service)?;
    for ((answer, usual), target) in answers.iter().zip(usual).zip(TARGETS) {
        let is_same = answer.status == 200 && answer.body == usual.body;
        ensure(is_same, || format!("`{target}` is answered otherwise: {}", answer.body))?;
    }
    let log = service.log();
    let is_named = harmed.iter().any(|path| log.contains(&path.display().to_string()));
    ensure(is_named, || "the log does not name the file".to_owned())?;
    service.check_alive()
}

fn answers(service: &Service) -> Result<Vec<Answer>, String> {
    TARGETS.iter().map(|target| service.get(target)).collect()
}
