//! A service and a rebuild that the system gives too few resources to start.

use std::process::{Command, Stdio};

use crate::data::{Data, said};
use crate::outcome::ensure;
use crate::service::command;
use crate::{Experiment, Lab, LabError, Need, Outcome, Tier};

pub(crate) const EXPERIMENT: Experiment = Experiment {
    name: "too little at start",
    claim: "exit code 71, with what is lacking in words and no panic",
    needs: &[Need::Strace, Need::Prlimit],
    run,
};

const TOO_LITTLE: i32 = 71;

fn run(lab: &Lab, tier: Tier) -> Result<Outcome, LabError> {
    let folder = lab.folder()?;
    let data = Data::published(lab, folder.path(), 60)?;
    let flags = ["--auth", "off", "--workers", "2"];
    let mut outcome = Outcome::default();
    for limit in [8, 20] {
        let wrapper = ["prlimit", &format!("--nofile={limit}")];
        let seen = check(&mut command(lab, &wrapper, data.dir(), &flags), "LimitNOFILE");
        outcome.note(format!("a service with {limit} descriptors"), seen);
    }
    let no_thread = |number: u64| {
        let words = ["strace", "-f", "-o", "/dev/null", "-e", "trace=clone3,clone", "-e"];
        let mut words: Vec<String> = words.map(str::to_owned).to_vec();
        words.push(format!("inject=clone3,clone:error=EAGAIN:when={number}+"));
        words
    };
    for number in 1..=tier.pick(4, 10) {
        let words = no_thread(number);
        let wrapper: Vec<&str> = words.iter().map(String::as_str).collect();
        let seen = check(&mut command(lab, &wrapper, data.dir(), &flags), "TasksMax");
        outcome.note(format!("a service with {} threads", number - 1), seen);
    }
    let seen = check(&mut data.rebuild_under(&no_thread(1)), "threads");
    outcome.note("a rebuild without threads", seen);
    outcome.note("the index afterwards", data.check_whole().map(drop));
    Ok(outcome)
}

fn check(command: &mut Command, word: &str) -> Result<(), String> {
    let output = command.stdin(Stdio::null()).output().map_err(|error| error.to_string())?;
    let told = String::from_utf8_lossy(&output.stderr);
    ensure(!told.contains("panicked"), || format!("it panicked: {told}"))?;
    ensure(output.status.code() == Some(TOO_LITTLE), || said(&output))?;
    ensure(told.contains(word), || format!("it does not say how to help: {told}"))
}
