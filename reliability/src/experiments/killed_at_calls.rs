//! A rebuild that is killed at each of its system calls.

use std::collections::BTreeSet;
use std::sync::Mutex;

use crate::data::Place;
use crate::parallel::try_all;
use crate::strace::{read_log, strace};
use crate::sweep::{Sweep, kind};
use crate::{Experiment, Lab, LabError, Need, Outcome, Tier};

pub(crate) const EXPERIMENT: Experiment = Experiment {
    name: "rebuild killed at a system call",
    claim: "`CURRENT` names a whole generation; the next rebuild succeeds and cleans up",
    needs: &[Need::Strace],
    run,
};

fn run(lab: &Lab, tier: Tier) -> Result<Outcome, LabError> {
    let folder = lab.folder()?;
    let place = |core| Place::prepare(lab, folder.path(), core);
    let first = place(usize::MAX)?;
    let sweep = Sweep::record(&first.data, &first.log)?;
    let targets = match tier {
        Tier::Quick => sweep.sample(12),
        Tier::Full => sweep.all(),
    };
    let killed_at = Mutex::new(BTreeSet::new());
    let mut outcome = try_all(&targets, place, |place, target, outcome| {
        let injection = format!("{}:signal=KILL:when={}", target.call, target.number);
        let words = strace(&target.call, &place.log, &[injection]);
        let killed = place.data.rebuild_under(&words).output();
        let killed = killed.map_err(LabError::io("start strace"))?;
        if killed.status.success() {
            // Threads may share the work differently this time, so that none of them reaches this
            // call.
            return Ok(());
        }
        if let (Some(last), Ok(mut killed_at)) = (read_log(&place.log)?.last(), killed_at.lock()) {
            killed_at.insert(kind(last, &place.data));
        }
        outcome.note(format!("killed at {target}"), place.data.check_recovery());
        Ok(())
    })?;
    let killed_at = killed_at.into_inner().unwrap_or_default();
    let covered = sweep.kinds().into_iter().filter(|kind| killed_at.contains(kind)).count();
    outcome.figure(format!("{} of {} system calls", outcome.tried(), sweep.all().len()));
    outcome.figure(format!("{covered} of {} kinds of call and file", sweep.kinds().len()));
    Ok(outcome)
}
