//! `CURRENT` and the manifest as anything but short plain files.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::outcome::ensure;
use crate::service::{Service, wait_for};
use crate::two_indexes::TwoIndexes;
use crate::{Experiment, Lab, LabError, Outcome, Tier};

pub(crate) const EXPERIMENT: Experiment = Experiment {
    name: "CURRENT and manifest of odd kinds",
    claim: "refused at once, the old index answers; followed again when they are right",
    needs: &[],
    run,
};

/// Something in place of a file that was moved away.
#[derive(Clone, Copy, Debug)]
enum Odd {
    Missing,
    Empty,
    Garbage,
    Endless,
    Pipe,
    Folder,
    Link,
    Terabyte,
    Device,
}

impl Odd {
    const ALL: [Self; 9] = [
        Self::Pipe,
        Self::Endless,
        Self::Terabyte,
        Self::Folder,
        Self::Link,
        Self::Garbage,
        Self::Missing,
        Self::Empty,
        Self::Device,
    ];

    /// Puts it there; `false` if that failed, because not everybody may make a device.
    fn put(self, path: &Path, aside: &Path) -> io::Result<bool> {
        let make = |words: &[&str]| {
            let (program, arguments) = words.split_first().unwrap_or((&"false", &[]));
            let path = path.as_os_str();
            Command::new(program)
                .arg(path)
                .args(arguments)
                .output()
                .map(|output| output.status.success())
        };
        match self {
            Self::Missing => Ok(true),
            Self::Empty => File::create(path).map(|_| true),
            Self::Garbage => fs::write(path, [0xff; 4096]).map(|()| true),
            Self::Endless => symlink("/dev/zero", path).map(|()| true),
            Self::Pipe => make(&["mkfifo"]),
            Self::Folder => fs::create_dir(path).map(|()| true),
            Self::Link => symlink(aside, path).map(|()| true),
            Self::Terabyte => File::create(path)?.set_len(1 << 40).map(|()| true),
            Self::Device => make(&["mknod", "c", "1", "5"]),
        }
    }
}

fn run(lab: &Lab, tier: Tier) -> Result<Outcome, LabError> {
    let folder = lab.folder()?;
    let indexes = TwoIndexes::published(lab, folder.path())?;
    let (data, second) = (&indexes.data, &indexes.second);
    data.set_current(&indexes.first.current)?;
    let mut service = Service::open_to_all(lab, data.dir())?;
    let usual = service.get("/release?limit=20").map_err(LabError::Setup)?.body;
    let mut outcome = Outcome::default();
    let mut slowest = Duration::ZERO;
    let manifest = data.dir().join(&second.generation).join("manifest.json");
    for path in [data.dir().join("CURRENT"), manifest] {
        for odd in &Odd::ALL[..tier.pick(5, Odd::ALL.len())] {
            let file = path.file_name().unwrap_or_default().display();
            let is_current = path.ends_with("CURRENT");
            let aside = folder.path().join("aside");
            fs::rename(&path, &aside).map_err(LabError::io("move a file away"))?;
            let is_put = odd.put(&path, &aside).map_err(LabError::io("plant a file"))?;
            if !is_current {
                data.set_current(&second.current)?;
            }
            if is_put {
                let since = Instant::now();
                let seen = check_refused(&mut service, &usual);
                slowest = slowest.max(since.elapsed());
                outcome.note(format!("{odd:?} as {file}"), seen);
                outcome.note(format!("check of {odd:?} as {file}"), check_command(lab, data.dir()));
            } else {
                outcome.count("not permitted");
            }
            let removed = if path.is_dir() { fs::remove_dir(&path) } else { remove(&path) };
            removed
                .and_then(|()| fs::rename(&aside, &path))
                .map_err(LabError::io("mend a file"))?;
            let served = if is_current { &indexes.first } else { second };
            outcome.note(format!("recovery from {odd:?} as {file}"), {
                let wanted = format!("\"ready\",\"build_id\":\"{}\"", served.build_id);
                let ready =
                    || service.get("/health/ready").ok()?.body.contains(&wanted).then_some(());
                wait_for(ready).ok_or_else(|| "it is not followed again".to_owned())
            });
            data.set_current(&indexes.first.current)?;
            let back = || {
                let ready = service.get("/health/ready").ok()?.body;
                ready.contains(&indexes.first.build_id).then_some(())
            };
            wait_for(back).ok_or_else(|| LabError::Setup("it does not go back".to_owned()))?;
        }
    }
    outcome.figure(format!("at most {:.1} s until it was refused", slowest.as_secs_f64()));
    Ok(outcome)
}

/// Removes a file, if it is there.
fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

fn check_refused(service: &mut Service, usual: &str) -> Result<(), String> {
    let degraded = wait_for(|| (service.status()? == "degraded").then_some(()));
    degraded.ok_or_else(|| "it is not degraded".to_owned())?;
    let answer = service.get("/release?limit=20")?;
    ensure(answer.status == 200 && answer.body == usual, || "it answers otherwise".to_owned())?;
    service.check_alive()
}

/// Checks that `index-build --check` refuses it too, and waits for nothing.
fn check_command(lab: &Lab, data: &Path) -> Result<(), String> {
    let mut command = Command::new("timeout");
    command.arg("60").arg(lab.index_build()).arg("--check").arg("--data").arg(data);
    let output = command.output().map_err(|error| error.to_string())?;
    ensure(matches!(output.status.code(), Some(66 | 74)), || {
        format!("{}: {}", output.status, String::from_utf8_lossy(&output.stderr))
    })
}
