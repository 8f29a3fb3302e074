//! Damaged generations, opened as the service opens them.

use std::path::PathBuf;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use outfall_query::Generation;

use crate::corpus::Corpus;
use crate::damage::{Damage, Patient};
use crate::data::Data;
use crate::outcome::ensure;
use crate::parallel::try_all;
use crate::random::Random;
use crate::{Experiment, Lab, LabError, Outcome, Tier};

pub(crate) const EXPERIMENT: Experiment = Experiment {
    name: "damaged index is opened",
    claim: "refused, naming the damaged file; no panic, no hang",
    needs: &[],
    run,
};

/// Opening takes milliseconds; if it takes longer than this, it hangs.
const PATIENCE: Duration = Duration::from_secs(30);

fn run(lab: &Lab, tier: Tier) -> Result<Outcome, LabError> {
    let folder = lab.folder()?;
    let corpus = Corpus::write(folder.path(), 60, 1)?;
    let place = |core: usize| {
        let data = Data::new(lab, &folder.path().join(core.to_string()), &corpus);
        let generation = data.rebuild().map_err(LabError::Setup)?;
        let patient = Patient::new(&data.dir().join(generation));
        Ok((data, patient.map_err(LabError::io("read an index"))?))
    };
    let cases: Vec<u64> = (0..tier.pick(1_000, 10_000)).collect();
    let mut outcome = try_all(&cases, place, |(data, patient), case, outcome| {
        let mut random = Random::new(*case);
        let damage = Damage::ALL[*case as usize % Damage::ALL.len()];
        let number = *case as usize / Damage::ALL.len();
        let harmed = patient.harm(number, damage, &mut random);
        let harmed = harmed.map_err(LabError::io("damage an index"))?;
        if harmed.is_empty() {
            outcome.count("without effect");
            return Ok(());
        }
        outcome.note(format!("{damage:?} of {}", harmed[0].display()), refused(data, &harmed));
        patient.heal(&harmed).map_err(LabError::io("heal an index"))
    })?;
    let (_, patient) = place(usize::MAX)?;
    outcome.figure(format!("{} files, {} kinds of damage", patient.files(), Damage::ALL.len()));
    Ok(outcome)
}

fn refused(data: &Data, harmed: &[PathBuf]) -> Result<(), String> {
    let (sender, opened) = mpsc::channel();
    let dir = data.dir().to_owned();
    // If the thread hangs, it is left behind: there is no way to stop it.
    thread::spawn(move || sender.send(Generation::open(&dir).map(|generation| generation.name)));
    match opened.recv_timeout(PATIENCE) {
        Ok(Ok(name)) => Err(format!("{name} was opened")),
        Ok(Err(error)) => {
            let text = error.to_string();
            let is_named = harmed.iter().any(|path| text.contains(&path.display().to_string()));
            ensure(is_named, || format!("the damaged file is not named: {text}"))
        }
        Err(mpsc::RecvTimeoutError::Timeout) => Err("it hangs".to_owned()),
        Err(mpsc::RecvTimeoutError::Disconnected) => Err("it panicked".to_owned()),
    }
}
