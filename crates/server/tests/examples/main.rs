//! The examples work unchanged against the real service; those whose programs are not installed are
//! shown as ignored.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

#[path = "../support/mod.rs"]
mod support;

mod notebook;
mod scripts;
mod spreadsheets;

use std::path::Path;
use std::process::{Command, ExitCode, Output, Stdio};

use libtest_mimic::{Arguments, Trial};
use support::Server;

/// The Python that `cargo xtask readers` installs packages for.
const PYTHON: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/readers/bin/python3");

/// Runs an example against the service, with a good key and the variables in `set`.
fn run(server: &Server, program: &str, arguments: &[&str], set: &[(&str, &str)]) -> Output {
    Command::new(program)
        .args(arguments)
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."))
        .env("OUTFALL_URL", format!("http://{}", server.address()))
        .env("OUTFALL_HOST", "localhost")
        .env("OUTFALL_KEY", &server.keys.active)
        .envs(set.iter().copied())
        .output()
        .unwrap()
}

/// The output of an example, which must succeed.
fn printed(server: &Server, program: &str, arguments: &[&str]) -> String {
    let output = run(server, program, arguments, &[]);
    assert!(output.status.success(), "{program} {arguments:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// What an example needs: a command that succeeds where it is installed, and what to say elsewhere.
type Need = (&'static [&'static str], &'static str);

const BASH: Need = (&["bash", "--version"], "`bash` is missing");
const CURL: Need = (&["curl", "--version"], "`curl` is missing");
const NODE: Need = (&["node", "--version"], "`node` is missing");
const PYTHON3: Need = (&["python3", "--version"], "`python3` is missing");
const RSCRIPT: Need = (&["Rscript", "--version"], "`Rscript` is missing");
const JSONLITE: Need = (
    &["Rscript", "-e", "library(jsonlite)"],
    "jsonlite of R is missing: `cargo xtask readers` installs it",
);
const DUCKDB: Need = (
    &[PYTHON, "-c", "import duckdb, pandas, pyarrow"],
    "DuckDB and pandas are missing: `cargo xtask readers` installs them",
);

/// A test: its name, what it needs, and what it does.
type Example = (&'static str, &'static [Need], fn());

const EXAMPLES: [Example; 9] = [
    (
        "curl_asks_ten_questions_that_have_answers",
        &[BASH, CURL],
        scripts::curl_asks_ten_questions_that_have_answers,
    ),
    (
        "python_adds_up_what_the_service_has",
        &[PYTHON3],
        scripts::python_adds_up_what_the_service_has,
    ),
    (
        "python_adds_up_by_facility_whatever_its_name",
        &[PYTHON3],
        scripts::python_adds_up_by_facility_whatever_its_name,
    ),
    (
        "r_reads_the_answer_as_a_file_in_any_locale",
        &[RSCRIPT, CURL],
        scripts::r_reads_the_answer_as_a_file_in_any_locale,
    ),
    (
        "r_compares_two_years_as_the_service_adds_up",
        &[RSCRIPT, JSONLITE, CURL],
        scripts::r_compares_two_years_as_the_service_adds_up,
    ),
    (
        "the_notebook_finds_what_the_service_adds_up",
        &[DUCKDB],
        notebook::the_notebook_finds_what_the_service_adds_up,
    ),
    (
        "power_query_names_columns_that_the_answer_has",
        &[],
        spreadsheets::power_query_names_columns_that_the_answer_has,
    ),
    (
        "the_script_of_google_sheets_writes_the_table",
        &[NODE, CURL],
        spreadsheets::the_script_of_google_sheets_writes_the_table,
    ),
    (
        "addresses_alone_are_answered_where_no_key_is_needed",
        &[],
        spreadsheets::addresses_alone_are_answered_where_no_key_is_needed,
    ),
];

fn main() -> ExitCode {
    let is_there = |(command, _): &&Need| {
        let mut probe = Command::new(command[0]);
        probe.args(&command[1..]).stdout(Stdio::null()).stderr(Stdio::null());
        probe.status().is_ok_and(|status| status.success())
    };
    let trials = EXAMPLES.into_iter().map(|(name, needs, test)| {
        let trial = Trial::test(name, move || {
            test();
            Ok(())
        });
        match needs.iter().find(|need| !is_there(need)) {
            Some((_, missing)) => trial.with_ignored_flag(true).with_kind(*missing),
            None => trial,
        }
    });
    libtest_mimic::run(&Arguments::from_args(), trials.collect()).exit_code()
}
