//! A rebuild in which one system call fails.

use std::process::Output;

use crate::data::{Data, Place, said};
use crate::outcome::ensure;
use crate::parallel::try_all;
use crate::strace::strace;
use crate::sweep::{Sweep, Target};
use crate::{Experiment, Lab, LabError, Need, Outcome, Tier};

pub(crate) const EXPERIMENT: Experiment = Experiment {
    name: "rebuild with a failing system call",
    claim: "an error that is named and nothing published, or a whole generation published",
    needs: &[Need::Strace],
    run,
};

const ERRORS: [&str; 3] = ["EIO", "ENOSPC", "EMFILE"];

fn run(lab: &Lab, tier: Tier) -> Result<Outcome, LabError> {
    let folder = lab.folder()?;
    let place = |core| Place::prepare(lab, folder.path(), core);
    let first = place(usize::MAX)?;
    let sweep = Sweep::record(&first.data, &first.log)?.failable();
    let cases: Vec<(&Target, &str)> = match tier {
        Tier::Quick => sweep.sample(12).into_iter().zip(ERRORS.into_iter().cycle()).collect(),
        Tier::Full => {
            let each = |target| ERRORS.map(|error| (target, error));
            sweep.all().into_iter().flat_map(each).collect()
        }
    };
    let mut outcome = try_all(&cases, place, |place, (target, error), outcome| {
        let injection = format!("{}:error={error}:when={}", target.call, target.number);
        let before = place.data.check_whole().map_err(LabError::Setup)?;
        let words = strace(&target.call, &place.log, &[injection]);
        let output = place.data.rebuild_under(&words).output();
        let output = output.map_err(LabError::io("start strace"))?;
        let seen = check(&place.data, &before, &output);
        outcome.note(format!("{error} from {target}"), seen);
        outcome.count(if output.status.success() { "harmless" } else { "refused" });
        Ok(())
    })?;
    outcome.figure(format!("{} of {} system calls", cases.len(), sweep.all().len()));
    Ok(outcome)
}

/// Checks what must be true after a rebuild that met an error.
pub(crate) fn check(data: &Data, before: &str, output: &Output) -> Result<(), String> {
    let after = data.check_whole()?;
    let errors = String::from_utf8_lossy(&output.stderr);
    ensure(!errors.contains("panicked"), || format!("it panicked: {errors}"))?;
    match output.status.code() {
        Some(0) => ensure(*after > *before, || format!("success, but {after} is served"))?,
        Some(code) => ensure(*after == *before, || {
            format!("exit code {code}, but {after} is published: {}", said(output))
        })?,
        None => return Err(format!("it was ended by a signal: {}", said(output))),
    }
    data.check_recovery()
}
