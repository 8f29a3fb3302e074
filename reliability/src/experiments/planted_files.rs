//! A data directory that others can write to, and things that they put in the way of a rebuild.

use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use crate::data::{Data, said};
use crate::outcome::ensure;
use crate::{Experiment, Lab, LabError, Outcome, Tier};

pub(crate) const EXPERIMENT: Experiment = Experiment {
    name: "planted files in the data directory",
    claim: "replaced, or refused by name; never followed, never waited for, and the next rebuild is whole",
    needs: &[],
    run,
};

/// Something that others put there.
#[derive(Clone, Copy, Debug)]
enum Planted {
    File,
    Folder,
    Pipe,
    Link,
    SecondName,
}

impl Planted {
    const ALL: [Self; 5] = [Self::Link, Self::Pipe, Self::Folder, Self::File, Self::SecondName];

    fn plant(self, path: &Path, victim: &Path) -> io::Result<()> {
        match self {
            Self::File => fs::write(path, "planted"),
            Self::Folder => fs::create_dir_all(path.join("planted")),
            Self::Pipe => Command::new("mkfifo").arg(path).output().map(drop),
            Self::Link => symlink(victim, path),
            Self::SecondName => fs::hard_link(victim, path),
        }
    }
}

/// Names that a rebuild uses, or could mistake for its own.
const NAMES: [&str; 7] = [
    "LOCK",
    "CURRENT.new",
    ".build-x",
    "gen-4294967295",
    "CURRENT",
    "gen-000000",
    ".build-gen-000001",
];

const PRECIOUS: &str = "precious";

fn run(lab: &Lab, tier: Tier) -> Result<Outcome, LabError> {
    let folder = lab.folder()?;
    let data = Data::published(lab, folder.path(), 60)?;
    let victim = folder.path().join("victim");
    let mut outcome = Outcome::default();
    for name in &NAMES[..tier.pick(4, NAMES.len())] {
        for planted in &Planted::ALL[..tier.pick(3, Planted::ALL.len())] {
            let (path, aside) = (data.dir().join(name), folder.path().join("aside"));
            fs::write(&victim, PRECIOUS).map_err(LabError::io("write a file"))?;
            let had_one = fs::rename(&path, &aside).is_ok();
            planted.plant(&path, &victim).map_err(LabError::io("plant a file"))?;
            let output = data.rebuild_under(&["timeout", "120"]).output();
            let output = output.map_err(LabError::io("start a rebuild"))?;
            let refused = output.status.code() == Some(74);
            let seen = match output.status.code() {
                Some(0) => data.check_whole().map(drop),
                Some(74) => ensure(said(&output).contains(&path.display().to_string()), || {
                    format!("it is not named: {}", said(&output))
                }),
                _ => Err(said(&output)),
            };
            outcome.count(if refused { "refused" } else { "replaced" });
            let is_whole = fs::read(&victim).is_ok_and(|bytes| bytes == PRECIOUS.as_bytes());
            let seen = seen.and(ensure(is_whole, || "what a link leads to was changed".to_owned()));
            outcome.note(format!("{planted:?} as {name}"), seen);
            if refused {
                let removed = match path.is_dir() {
                    true => fs::remove_dir_all(&path),
                    false => fs::remove_file(&path),
                };
                removed.map_err(LabError::io("remove what was planted"))?;
                if had_one {
                    fs::rename(&aside, &path).map_err(LabError::io("put a file back"))?;
                }
            }
            let seen = data.check_recovery();
            outcome.note(format!("rebuild after {planted:?} as {name}"), seen);
        }
    }
    Ok(outcome)
}
