//! A rebuild that is killed at any moment, even between system calls.

use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use crate::corpus::Corpus;
use crate::data::Data;
use crate::parallel::try_all;
use crate::random::Random;
use crate::{Experiment, Lab, LabError, Outcome, Tier};

pub(crate) const EXPERIMENT: Experiment = Experiment {
    name: "rebuild killed at a random moment",
    claim: "`CURRENT` names a whole generation; the next rebuild succeeds and cleans up",
    needs: &[],
    run,
};

fn run(lab: &Lab, tier: Tier) -> Result<Outcome, LabError> {
    let folder = lab.folder()?;
    let corpus = Corpus::write(folder.path(), 400, 1)?;
    let place = |core: usize| {
        let data = Data::aged(lab, &folder.path().join(core.to_string()), &corpus)?;
        let started = Instant::now();
        data.rebuild().map_err(LabError::Setup)?;
        Ok((data, started.elapsed()))
    };
    let cases: Vec<u64> = (0..tier.pick(50, 500)).collect();
    let mut outcome = try_all(&cases, place, |(data, usual), case, outcome| {
        let share = Random::new(*case).below(1_000);
        let pause = usual.mul_f64(share as f64 / 1_000.0);
        kill_after(data, pause)?;
        outcome.note(format!("killed after {} ms", pause.as_millis()), data.check_recovery());
        Ok(())
    })?;
    outcome.figure(format!("{} kills", outcome.tried()));
    Ok(outcome)
}

fn kill_after(data: &Data, pause: Duration) -> Result<(), LabError> {
    let mut command = data.rebuild_under::<&str>(&[]);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let mut rebuild = command.spawn().map_err(LabError::io("start a rebuild"))?;
    thread::sleep(pause);
    let killed = rebuild.kill().and_then(|()| rebuild.wait());
    killed.map(drop).map_err(LabError::io("kill a rebuild"))
}
