//! A rebuild that may not write files beyond a size: the write that reaches the limit is cut short.

use crate::data::Place;
use crate::experiments::failing_calls::check;
use crate::outcome::ensure;
use crate::parallel::try_all;
use crate::random::Random;
use crate::{Experiment, Lab, LabError, Need, Outcome, Tier};

pub(crate) const EXPERIMENT: Experiment = Experiment {
    name: "rebuild under a limit of file size",
    claim: "an error that is named and nothing published, or a whole generation published",
    needs: &[Need::Prlimit],
    run,
};

/// Larger than any file of the index that is built.
const LARGEST: u64 = 16 * 1024;

fn run(lab: &Lab, tier: Tier) -> Result<Outcome, LabError> {
    let folder = lab.folder()?;
    let mut random = Random::new(1);
    let sizes = (0..tier.pick(24, 400)).map(|_| random.below(LARGEST));
    let cases: Vec<u64> = [0, 1].into_iter().chain(sizes).collect();
    let place = |core| Place::prepare(lab, folder.path(), core);
    try_all(&cases, place, |Place { data, .. }, size, outcome| {
        let before = data.check_whole().map_err(LabError::Setup)?;
        // By default, the limit's signal ends the process; if it is ignored, the write fails.
        let limit = format!("exec prlimit --fsize={size} \"$@\"");
        let ended = data.rebuild_under(&["sh", "-c", &limit, "sh"]).output();
        let ended = ended.map_err(LabError::io("start prlimit"))?;
        outcome.count(if ended.status.success() { "harmless" } else { "ended by the signal" });
        outcome.note(format!("killed beyond {size} bytes"), {
            let is_quiet = !String::from_utf8_lossy(&ended.stderr).contains("panicked");
            ensure(is_quiet, || "it panicked".to_owned()).and_then(|()| data.check_recovery())
        });
        let limit = format!("trap '' XFSZ; {limit}");
        let before = data.check_whole().unwrap_or(before);
        let failed = data.rebuild_under(&["sh", "-c", &limit, "sh"]).output();
        let failed = failed.map_err(LabError::io("start prlimit"))?;
        outcome.count(if failed.status.success() { "harmless" } else { "refused" });
        outcome.note(format!("failed beyond {size} bytes"), check(data, &before, &failed));
        Ok(())
    })
}
