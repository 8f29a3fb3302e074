//! Things in place of the key file that cannot be read at all, or not to their end.

use std::fs::{self, File};
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::client::Client;
use crate::data::{Data, said};
use crate::outcome::ensure;
use crate::process::Usage;
use crate::service::{Service, add_key, command, wait_for};
use crate::{Experiment, Lab, LabError, Outcome, Tier};

pub(crate) const EXPERIMENT: Experiment = Experiment {
    name: "unreadable key file",
    claim: "a key file that is a pipe, device, folder, link to nothing, endless or too long is \
            reported within 2 s, costs no memory, leaves the old keys, and is followed again",
    needs: &[],
    run,
};

/// The limit on the memory that refused files cost, in bytes.
const MEMORY: u64 = 64 << 20;

fn run(lab: &Lab, tier: Tier) -> Result<Outcome, LabError> {
    let folder = lab.folder()?;
    let data = Data::published(lab, folder.path(), 60)?;
    let keys = folder.path().join("keys.json");
    let lasting = add_key(lab, &keys, "lasting")?;
    let whole = fs::read(&keys).map_err(LabError::io("read a key file"))?;
    let path = keys.display().to_string();
    let flags = ["--rate-limit", "0", "--keys", &path];
    let service = Service::start(lab, data.dir(), &flags)?;
    let get = |target: &str, key: &str| {
        let asked = Client::with_key(service.address, key).get(target);
        asked.map_or_else(|error| (0, error.to_string()), |answer| (answer.status, answer.body))
    };
    let is_degraded = || get("/health/ready", "").1.contains("key-file-unreadable");
    let memory = Usage::of(service.id())?.peak_memory;
    let mut outcome = Outcome::default();
    let mut slowest = Duration::ZERO;
    for _ in 0..tier.pick(1, 5) {
        for form in FORMS {
            fs::remove_file(&keys).map_err(LabError::io("remove a key file"))?;
            (form.plant)(&keys)?;
            let planted = Instant::now();
            let reported = wait_for(|| is_degraded().then_some(()));
            let took = planted.elapsed();
            slowest = slowest.max(took);
            let is_soon = reported.is_some() && (tier == Tier::Quick || took.as_secs() < 2);
            outcome.note(form.name, ensure(is_soon, || format!("not reported for {took:?}")));
            let (status, body) = get("/release?limit=0", &lasting);
            outcome.note(form.name, ensure(status == 200, || format!("the old key: {body}")));
            let started = command(lab, &[], data.dir(), &flags).output();
            let started = started.map_err(LabError::io("start the service"))?;
            let is_refused = started.status.code() == Some(66);
            outcome.note(
                format!("{}, at the start", form.name),
                ensure(is_refused, || said(&started)),
            );

            let removed = fs::remove_file(&keys).or_else(|_| fs::remove_dir(&keys));
            removed.map_err(LabError::io("remove what was planted"))?;
            fs::write(&keys, &whole).map_err(LabError::io("put the key file back"))?;
            let key = add_key(lab, &keys, form.name)?;
            let followed = wait_for(|| (get("/release?limit=0", &key).0 == 200).then_some(()));
            let seen = ensure(followed.is_some() && !is_degraded(), || "it is not".to_owned());
            outcome.note(format!("{}, followed again", form.name), seen);
        }
    }
    let grown = Usage::of(service.id())?.peak_memory.saturating_sub(memory);
    outcome.note("memory", ensure(grown < MEMORY, || format!("{grown} bytes more")));
    outcome.figure(format!("reported after {:.1} s at most", slowest.as_secs_f64()));
    outcome.figure(format!("{} MB more at the most", grown / 1_000_000));
    Ok(outcome)
}

/// Something in place of a key file.
struct Form {
    name: &'static str,
    plant: fn(&Path) -> Result<(), LabError>,
}

const FORMS: [Form; 6] = [
    Form { name: "a pipe", plant: plant_pipe },
    Form { name: "an endless device", plant: |path| plant_link(path, "/dev/zero") },
    Form { name: "a link to nothing", plant: |path| plant_link(path, "nothing") },
    Form { name: "a folder", plant: |path| planted(fs::create_dir(path)) },
    Form {
        name: "a long file",
        plant: |path| planted(File::create(path).and_then(|file| file.set_len(1 << 34))),
    },
    Form { name: "a file of a process", plant: |path| plant_link(path, "/proc/self/pagemap") },
];

fn plant_pipe(path: &Path) -> Result<(), LabError> {
    planted(Command::new("mkfifo").arg(path).status().map(drop))
}

fn plant_link(path: &Path, target: &str) -> Result<(), LabError> {
    planted(symlink(target, path))
}

fn planted(done: std::io::Result<()>) -> Result<(), LabError> {
    done.map_err(LabError::io("plant something in the place of the key file"))
}
