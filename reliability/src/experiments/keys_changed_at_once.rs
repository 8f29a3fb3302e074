//! Many `outfall keys` commands on one file at the same time, under a running service.

use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown, symlink};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::client::Client;
use crate::data::{Data, said};
use crate::outcome::ensure;
use crate::service::{Service, add_key, wait_for};
use crate::{Experiment, Lab, LabError, Outcome, Tier};

pub(crate) const EXPERIMENT: Experiment = Experiment {
    name: "keys changed at once",
    claim: "of 50 commands at once none is lost; owner, mode and link of the file stay; the service \
            follows within 5 s",
    needs: &[],
    run,
};

/// How many of the commands revoke a key; as many others add one.
const REVOKED: usize = 25;
/// A user that no process of this experiment runs as.
const OTHER: u32 = 65_534;

fn run(lab: &Lab, tier: Tier) -> Result<Outcome, LabError> {
    let folder = lab.folder()?;
    let data = Data::published(lab, folder.path(), 60)?;
    let mut outcome = Outcome::default();
    let mut slowest = Duration::ZERO;
    for round in 0..tier.pick(1, 10) {
        let took =
            round_of(lab, &data, &folder.path().join(format!("round-{round}")), &mut outcome);
        slowest = slowest.max(took?);
    }
    let is_soon = tier == Tier::Quick || slowest.as_secs() < 5;
    outcome.note("how soon the service follows", ensure(is_soon, || format!("{slowest:?}")));
    outcome.figure(format!("followed after {:.1} s at most", slowest.as_secs_f64()));
    Ok(outcome)
}

/// Changes a new key file with many commands; returns how long after the last one the service
/// followed.
fn round_of(
    lab: &Lab,
    data: &Data,
    folder: &Path,
    outcome: &mut Outcome,
) -> Result<Duration, LabError> {
    let failed = || LabError::io("prepare a key file");
    fs::create_dir(folder).map_err(failed())?;
    let (file, link) = (folder.join("real.json"), folder.join("keys.json"));
    let name = |number: usize| format!("old-{number}");
    let old: Result<Vec<String>, _> =
        (0..REVOKED).map(|number| add_key(lab, &file, &name(number))).collect();
    let old = old?;
    fs::set_permissions(&file, Permissions::from_mode(0o640)).map_err(failed())?;
    match chown(&file, Some(OTHER), Some(OTHER)) {
        Ok(()) => outcome.count("rounds on the file of another user"),
        Err(_) => outcome.count("rounds on a file of one's own, for others' need root"),
    }
    symlink(&file, &link).map_err(failed())?;
    let before = fs::metadata(&file).map_err(failed())?;
    let path = link.display().to_string();
    let service = Service::start(lab, data.dir(), &["--rate-limit", "0", "--keys", &path])?;

    let commands = (0..REVOKED).flat_map(|number| {
        [["revoke".to_owned(), name(number)], ["add".to_owned(), format!("new-{number}")]]
    });
    let mut running = Vec::new();
    for words in commands {
        let mut command = Command::new(lab.outfall());
        command.arg("keys").args(&words).arg("--keys").arg(&link);
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
        running.push((words, child.map_err(LabError::io("start `outfall keys`"))?));
    }
    let mut made = Vec::new();
    for ([verb, name], child) in running {
        let output = child.wait_with_output().map_err(LabError::io("wait for `outfall keys`"))?;
        outcome.note(&name, ensure(output.status.success(), || said(&output)));
        if verb == "add" {
            made.push(String::from_utf8_lossy(&output.stdout).trim().to_owned());
        }
    }

    let changed = Instant::now();
    let status = |key: &str| {
        let asked = Client::with_key(service.address, key).get("/release?limit=0");
        asked.map_or(0, |answer| answer.status)
    };
    let expected = old.iter().map(|key| (key, 403)).chain(made.iter().map(|key| (key, 200)));
    for (key, expected) in expected {
        let seen = wait_for(|| (status(key) == expected).then_some(()));
        let lost = || format!("a key gets {} instead of {expected}", status(key));
        outcome.note("a change that was said to be made", ensure(seen.is_some(), lost));
    }
    let took = changed.elapsed();
    let after = fs::metadata(&file).map_err(failed())?;
    let kept = [MetadataExt::uid, MetadataExt::gid, MetadataExt::mode];
    let is_kept = kept.iter().all(|what: &fn(&fs::Metadata) -> u32| what(&after) == what(&before));
    outcome.note("owner, group and mode", ensure(is_kept, || format!("{after:?}")));
    let is_link = fs::symlink_metadata(&link).is_ok_and(|metadata| metadata.is_symlink());
    outcome.note("the link", ensure(is_link, || "it is a file".to_owned()));
    Ok(took)
}
