//! Experiments as tests; one that the machine does not permit is shown as ignored.

#![expect(clippy::print_stderr, reason = "figures are shown beside the verdict")]

use std::process::ExitCode;
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use libtest_mimic::{Arguments, Failed, Trial};
use outfall_reliability::{Experiment, Lab, Profile, Tier, Verdict};

/// Runs experiments one after another, because each uses the whole machine.
pub(crate) fn run(experiments: &'static [Experiment]) -> ExitCode {
    let arguments = Arguments { test_threads: Some(1), ..Arguments::from_args() };
    // Listing and filtering must not build anything.
    let lab = Arc::new(OnceLock::new());
    let trials = experiments.iter().map(|experiment| {
        let obstacle = experiment.obstacle();
        let lab = Arc::clone(&lab);
        let open = || Lab::open(Profile::Dev).map_err(|error| error.to_string());
        let trial = Trial::test(experiment.name, move || {
            holds(experiment, lab.get_or_init(open).as_ref().map_err(String::as_str)?)
        });
        let trial = trial.with_ignored_flag(obstacle.is_some());
        match obstacle {
            Some(reason) => trial.with_kind(format!("skipped: {reason}")),
            None => trial,
        }
    });
    libtest_mimic::run(&arguments, trials.collect()).exit_code()
}

fn holds(experiment: &Experiment, lab: &Lab) -> Result<(), Failed> {
    let started = Instant::now();
    match experiment.verdict(lab, Tier::Quick) {
        Verdict::Ran(outcome) if outcome.tried() == 0 => Err("nothing was tried".into()),
        Verdict::Ran(outcome) if outcome.broken().is_empty() => {
            let (tried, figures) = (outcome.tried(), outcome.figures().join("; "));
            let seconds = started.elapsed().as_secs_f64();
            eprintln!("{}: {tried} held in {seconds:.1} s; {figures}", experiment.name);
            Ok(())
        }
        Verdict::Ran(outcome) => Err(outcome.broken().join("\n").into()),
        Verdict::Failed(error) => Err(error.into()),
        Verdict::Skipped(reason) => Err(format!("skipped: {reason}").into()),
    }
}
