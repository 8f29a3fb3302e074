//! The examples work as they stand, against the real service.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]
#![allow(clippy::print_stderr, reason = "an example that cannot run here is named")]

mod support;

use std::path::Path;
use std::process::{Command, Stdio};

use support::Server;

/// What an example prints; `None` where what runs it is not to be had.
fn printed(server: &Server, program: &str, arguments: &[&str]) -> Option<String> {
    let probe = Command::new(program).arg("--version").stdout(Stdio::null()).status();
    if !probe.is_ok_and(|status| status.success()) {
        eprintln!("SKIPPED: `{program}` is not installed, so {arguments:?} was not run");
        return None;
    }
    let output = Command::new(program)
        .args(arguments)
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."))
        .env("OUTFALL_URL", format!("http://{}", server.address()))
        .env("OUTFALL_HOST", "localhost")
        .env("OUTFALL_KEY", &server.keys.active)
        .output()
        .unwrap();
    assert!(output.status.success(), "{program} {arguments:?}: {output:?}");
    Some(String::from_utf8(output.stdout).unwrap())
}

#[test]
fn curl_asks_ten_questions_that_have_answers() {
    let server = Server::over_sample();
    if Command::new("curl").arg("--version").stdout(Stdio::null()).status().is_err() {
        eprintln!("SKIPPED: `curl` is not installed, so examples/first_questions.sh was not run");
        return;
    }
    let printed = printed(&server, "bash", &["examples/first_questions.sh"]).unwrap();
    let answers: Vec<&str> = printed.split("\n# /").skip(1).collect();
    assert_eq!(answers.len(), 10, "{printed}");
    for answer in answers {
        let found = answer.contains("\"entity_type\"") || answer.contains("record_id,");
        assert!(found && !answer.contains("\"count\":0"), "{answer}");
    }
}

#[test]
fn python_adds_up_what_the_service_has() {
    let server = Server::over_sample();
    let arguments = ["examples/largest_emitters.py", "AB"];
    let Some(printed) = printed(&server, "python3", &arguments) else { return };
    let year = |year: u16| {
        let path = format!("/emission?province=AB&date_from={year}&date_to={year}&limit=1000");
        let page = server.get(&path).json();
        let records = page["results"].as_array().unwrap().clone();
        records.iter().map(|it| it["total_co2e"].as_f64().unwrap()).sum::<f64>()
    };
    for of in [2004, 2012, 2020] {
        let line = printed.lines().find(|line| line.starts_with(&of.to_string())).unwrap();
        let total = line.split_whitespace().nth(1).unwrap().replace(',', "");
        let difference = total.parse::<f64>().unwrap() - year(of);
        assert!(difference.abs() < 0.001, "{line}");
    }
    let refused = Command::new("python3")
        .args(["../../examples/largest_emitters.py", "Ontarioo"])
        .env("OUTFALL_URL", format!("http://{}", server.address()))
        .env("OUTFALL_KEY", &server.keys.active)
        .output()
        .unwrap();
    assert_eq!(refused.status.code(), Some(1));
    assert!(String::from_utf8(refused.stderr).unwrap().contains("province must be"));
}

#[test]
fn r_reads_the_answer_as_a_file() {
    let server = Server::over_sample();
    let Some(printed) = printed(&server, "Rscript", &["examples/mercury_by_year.R"]) else {
        return;
    };
    let rows = printed.lines().skip(1);
    let years: Vec<u16> =
        rows.map(|row| row.split_whitespace().next().unwrap().parse().unwrap()).collect();
    assert!(years.len() > 10 && years.is_sorted(), "{printed}");
}
