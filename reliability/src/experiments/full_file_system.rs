//! Rebuilds on file systems that are too small.

use std::process::Command;

use crate::corpus::Corpus;
use crate::data::{Data, said};
use crate::need::PRIVATE_MOUNT;
use crate::outcome::ensure;
use crate::{Experiment, Lab, LabError, Need, Outcome, Tier};

pub(crate) const EXPERIMENT: Experiment = Experiment {
    name: "rebuild on a full file system",
    claim: "an error that is named and nothing published; with room again, the next succeeds",
    needs: &[Need::PrivateMount],
    run,
};

/// Mounts a file system of `$1` over the data directory `$2`, publishes a first generation in it
/// with the command that follows, fills all but `$3` KiB, and rebuilds until it fails; then checks
/// what is served, makes room, and rebuilds again. Tells each exit code.
const SCRIPT: &str = r#"
set -u
size=$1 data=$2 free=$3; shift 3
mkdir -p "$data" && mount -t tmpfs -o "size=$size" none "$data" || exit 125
"$@" >"$data.log" 2>&1 || exit 124
before=$(cat "$data/CURRENT")
room=$(df --output=avail -k "$data" | tail -n 1)
head -c "$(( (room - free) * 1024 ))" /dev/zero >"$data/ballast"
"$@" >"$data.log" 2>&1; rebuilt=$?
after=$(cat "$data/CURRENT")
grep -q panicked "$data.log"; panicked=$?
"$1" --data "$data" --check >/dev/null 2>&1; checked=$?
rm "$data/ballast"
"$@" >/dev/null 2>&1; recovered=$?
left=$(ls -A "$data" | grep -c '^\.build-')
[ "$before" = "$after" ]; changed=$?
echo "rebuilt=$rebuilt panicked=$panicked checked=$checked recovered=$recovered left=$left changed=$changed"
"#;

fn run(lab: &Lab, tier: Tier) -> Result<Outcome, LabError> {
    let folder = lab.folder()?;
    let corpus = Corpus::write(folder.path(), 60, 1)?;
    let data = Data::new(lab, folder.path(), &corpus);
    let mut outcome = Outcome::default();
    // A generation takes some 200 KiB, for each of its files fills whole pages.
    for free in (0..320).step_by(tier.pick(40, 4)) {
        let told = rebuild_with(&data, free)?;
        // The rebuild sees before it begins that it has no room.
        let refused = "rebuilt=73 panicked=1 checked=0 recovered=0 left=0 changed=0";
        let fitted = "rebuilt=0 panicked=1 checked=0 recovered=0 left=0 changed=1";
        outcome.count(if told == fitted { "had room" } else { "refused" });
        let seen = ensure(told == refused || told == fitted, || told.clone());
        outcome.note(format!("{free} KiB free"), seen);
    }
    Ok(outcome)
}

fn rebuild_with(data: &Data, free: usize) -> Result<String, LabError> {
    let rebuild = data.rebuild_under::<&str>(&[]);
    let [program, wrapper @ ..] = &PRIVATE_MOUNT;
    let mut command = Command::new(program);
    command.args(wrapper).args(["sh", "-c", SCRIPT, "sh", "4m"]).arg(data.dir());
    command.arg(free.to_string()).arg(rebuild.get_program()).args(rebuild.get_args());
    let output = command.output().map_err(LabError::io("start a shell of its own"))?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned()),
        false => Err(LabError::Setup(format!("a file system of its own: {}", said(&output)))),
    }
}
