//! The order of writes, syncs and renames of a rebuild, and a control that the check notices
//! missing syncs.

use crate::corpus::Corpus;
use crate::data::{Data, said};
use crate::outcome::ensure;
use crate::power_cut::{Losses, losses};
use crate::strace::{FILE_CALLS, read_log, strace};
use crate::{Experiment, Lab, LabError, Need, Outcome, Tier};

pub(crate) const EXPERIMENT: Experiment = Experiment {
    name: "power cut during a rebuild",
    claim: "every file and folder is synced before `CURRENT` is renamed, and that before the report",
    needs: &[Need::Strace],
    run: |lab, tier| {
        let mut outcome = Outcome::default();
        for (path, loss) in rebuilds(lab, tier, &[])?.into_iter().flatten() {
            outcome.note(path, loss.map_or(Ok(()), |loss| Err(loss.to_owned())));
        }
        Ok(outcome)
    },
};

pub(crate) const CONTROL: Experiment = Experiment {
    name: "power cut, control",
    claim: "the check complains of every file and folder when syncs do nothing",
    needs: &[Need::Strace],
    run: |lab, tier| {
        let mut outcome = Outcome::default();
        let no_syncs = "fsync,fdatasync:retval=0".to_owned();
        for (path, loss) in rebuilds(lab, tier, &[no_syncs])?.into_iter().flatten() {
            outcome.note(path, ensure(loss.is_some(), || "it was taken for synced".to_owned()));
        }
        Ok(outcome)
    },
};

/// The losses in a power cut during a first rebuild, and during further ones.
fn rebuilds(lab: &Lab, tier: Tier, injections: &[String]) -> Result<Vec<Losses>, LabError> {
    let folder = lab.folder()?;
    let corpus = Corpus::write(folder.path(), tier.pick(60, 20_000), 1)?;
    let data = Data::new(lab, folder.path(), &corpus);
    let log = folder.path().join("calls");
    let rebuild = |_| {
        let output = data.rebuild_under(&strace(FILE_CALLS, &log, injections)).output();
        let output = output.map_err(LabError::io("start strace"))?;
        if !output.status.success() {
            return Err(LabError::Setup(format!("a traced rebuild failed: {}", said(&output))));
        }
        let losses = losses(&read_log(&log)?, folder.path(), data.dir());
        losses.ok_or_else(|| LabError::Setup("no rename of `CURRENT` was seen".to_owned()))
    };
    (0..5).map(rebuild).collect()
}
