//! The examples work unchanged against the real service; those whose programs are not installed are
//! shown as ignored.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::{Command, ExitCode, Output, Stdio};

use libtest_mimic::{Arguments, Trial};
use support::Server;

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

/// A test: its name, the programs that it needs, and what it does.
type Example = (&'static str, &'static [&'static str], fn());

const EXAMPLES: [Example; 4] = [
    (
        "curl_asks_ten_questions_that_have_answers",
        &["bash", "curl"],
        curl_asks_ten_questions_that_have_answers,
    ),
    ("python_adds_up_what_the_service_has", &["python3"], python_adds_up_what_the_service_has),
    (
        "python_adds_up_by_facility_whatever_its_name",
        &["python3"],
        python_adds_up_by_facility_whatever_its_name,
    ),
    (
        "r_reads_the_answer_as_a_file_in_any_locale",
        &["Rscript", "curl"],
        r_reads_the_answer_as_a_file_in_any_locale,
    ),
];

fn main() -> ExitCode {
    let is_there = |program: &&&str| {
        let mut probe = Command::new(program);
        probe.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
        probe.status().is_ok_and(|status| status.success())
    };
    let trials = EXAMPLES.into_iter().map(|(name, needs, test)| {
        let trial = Trial::test(name, move || {
            test();
            Ok(())
        });
        match needs.iter().find(|program| !is_there(program)) {
            Some(missing) => {
                trial.with_ignored_flag(true).with_kind(format!("`{missing}` is missing"))
            }
            None => trial,
        }
    });
    libtest_mimic::run(&Arguments::from_args(), trials.collect()).exit_code()
}

fn curl_asks_ten_questions_that_have_answers() {
    let server = Server::over_sample();
    let printed = printed(&server, "bash", &["examples/first_questions.sh"]);
    let answers: Vec<&str> = printed.split("\n# /").skip(1).collect();
    assert_eq!(answers.len(), 10, "{printed}");
    for answer in answers {
        let found = answer.contains("\"entity_type\"") || answer.contains("record_id,");
        assert!(found && !answer.contains("\"count\":0"), "{answer}");
    }
}

fn python_adds_up_what_the_service_has() {
    let server = Server::over_sample();
    let arguments = ["examples/largest_emitters.py", "AB"];
    let printed = printed(&server, "python3", &arguments);
    let year = |year: u16| {
        let path = format!("/emission?province=AB&date_from={year}&date_to={year}&limit=1000");
        let page = server.get(&path).json();
        let records = page["results"].as_array().unwrap().clone();
        records.iter().map(|record| record["total_co2e"].as_f64().unwrap()).sum::<f64>()
    };
    for of in [2004, 2012, 2020] {
        let line = printed.lines().find(|line| line.starts_with(&of.to_string())).unwrap();
        let total = line.split_whitespace().nth(1).unwrap().replace(',', "");
        let difference = total.parse::<f64>().unwrap() - year(of);
        assert!(difference.abs() < 0.001, "{line}");
    }
    let refused = run(&server, "python3", &["examples/largest_emitters.py", "Ontarioo"], &[]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(String::from_utf8(refused.stderr).unwrap().contains("province must be"));
}

fn python_adds_up_by_facility_whatever_its_name() {
    let server = Server::over_sample();
    for province in ["ON", "AB"] {
        let arguments = ["examples/largest_emitters.py", province];
        let printed = printed(&server, "python3", &arguments);
        let page = server.get(&format!("/emission?province={province}&limit=1000")).json();
        assert!(page["next_cursor"].is_null(), "a page holds all of {province}");
        let (mut totals, mut names) = (BTreeMap::new(), BTreeMap::<_, BTreeSet<_>>::new());
        for record in page["results"].as_array().unwrap() {
            let id = record["facility_id"].as_str().unwrap();
            *totals.entry(id).or_insert(0.0) += record["total_co2e"].as_f64().unwrap();
            names.entry(id).or_default().insert(record["facility_name"].as_str());
        }
        assert!(names.values().any(|names| names.len() > 1), "some facility was renamed");
        let mut expected: Vec<(&str, f64)> = totals.into_iter().collect();
        expected.sort_by(|one, other| other.1.total_cmp(&one.1));
        let (_, shown) = printed.split_once("largest emitters").unwrap();
        let shown: Vec<Vec<&str>> =
            shown.lines().skip(1).map(|line| line.split_whitespace().collect()).collect();
        assert_eq!(shown.len(), 5, "{printed}");
        for (line, (id, total)) in shown.iter().zip(expected) {
            assert_eq!(line[1], id, "{printed}");
            let difference = line[0].replace(',', "").parse::<f64>().unwrap() - total;
            assert!(difference.abs() < 0.001, "{id}: {total}: {printed}");
        }
    }
}

fn r_reads_the_answer_as_a_file_in_any_locale() {
    let server = Server::over_sample();
    let script = ["examples/mercury_by_year.R"];
    let printed = printed(&server, "Rscript", &script);
    let rows = printed.lines().skip(1);
    let years: Vec<u16> =
        rows.map(|row| row.split_whitespace().next().unwrap().parse().unwrap()).collect();
    assert!(years.len() > 10 && years.is_sorted(), "{printed}");
    // As in a bare container, or from cron.
    let plain = run(&server, "Rscript", &script, &[("LC_ALL", "C")]);
    assert!(plain.status.success(), "{plain:?}");
    assert_eq!(String::from_utf8(plain.stdout).unwrap(), printed);
    let refused = run(
        &server,
        "Rscript",
        &script,
        &[("LC_ALL", "C"), ("OUTFALL_KEY", "prk_wrong_wrong_wrong")],
    );
    let said = String::from_utf8(refused.stderr).unwrap();
    assert_eq!(refused.status.code(), Some(1), "{said}");
    let problem =
        server.send_bare("GET", "/release", &[("x-gateway-key", "prk_wrong_wrong_wrong")]).json();
    assert!(said.contains(problem["detail"].as_str().unwrap()), "{said}");
}
