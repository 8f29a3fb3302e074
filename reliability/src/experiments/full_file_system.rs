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

/// Mounts a file system over the data directory `$1`, publishes a first generation in it with the
/// command that follows, fills all but `$2` KiB before or during the next rebuild (`$3`), and
/// checks what is served; then makes room and rebuilds again. Prints each exit code.
const SCRIPT: &str = r#"
set -u
data=$1 free=$2 moment=$3; shift 3
mkdir -p "$data" && mount -t tmpfs -o size=24m none "$data" || exit 125
"$@" >"$data.log" 2>&1 || exit 124
before=$(cat "$data/CURRENT")
room=$(df --output=avail -k "$data" | tail -n 1)
fill() { head -c "$(( (room - free) * 1024 ))" /dev/zero >"$data/ballast"; }
began() { for staging in "$data"/.build-*; do [ -e "$staging" ] && return; done; ! kill -0 $!; }
[ "$moment" = before ] && fill
"$@" >"$data.log" 2>&1 &
if [ "$moment" = during ]; then until began; do :; done; fill; fi 2>/dev/null
wait $!; rebuilt=$?
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
    // A generation takes some 200 KiB, because each of its files fills whole pages.
    let sizes = (0..320).step_by(tier.pick(20, 2));
    let cases = sizes.map(|free| (free, "during")).chain([(0, "before"), (320, "before")]);
    for (free, moment) in cases {
        let told = rebuild_with(&data, free, moment)?;
        let (code, rest) = told.split_once(' ').unwrap_or_default();
        let expected =
            |changed| format!("panicked=1 checked=0 recovered=0 left=0 changed={changed}");
        let (what, changed) = match code {
            "rebuilt=0" => ("had room", 1),
            "rebuilt=73" => ("refused beforehand", 0),
            "rebuilt=74" => ("refused on the way", 0),
            _ => ("failed otherwise", 0),
        };
        outcome.count(what);
        let is_right = what != "failed otherwise" && rest == expected(changed);
        outcome.note(format!("{free} KiB left {moment} it"), ensure(is_right, || told.clone()));
    }
    Ok(outcome)
}

fn rebuild_with(data: &Data, free: usize, moment: &str) -> Result<String, LabError> {
    let rebuild = data.rebuild_under::<&str>(&[]);
    let [program, wrapper @ ..] = &PRIVATE_MOUNT;
    let mut command = Command::new(program);
    command.args(wrapper).args(["sh", "-c", SCRIPT, "sh"]).arg(data.dir());
    command.args([&free.to_string(), moment]).arg(rebuild.get_program()).args(rebuild.get_args());
    let output = command.output().map_err(LabError::io("start a shell of its own"))?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned()),
        false => Err(LabError::Setup(format!("a file system of its own: {}", said(&output)))),
    }
}
