//! The documentation is complete: it names every parameter, code, flag, variable and metric.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod support;

use std::collections::BTreeSet;
use std::path::Path;

use clap::CommandFactory;
use outfall_api::{PARAMETER_CODES, PARAMETERS, PROBLEM_CODES, ParameterKind, WARNING_CODES};
use outfall_records::ABBREVIATIONS;
use outfall_server::cli::Cli;
use support::Server;

fn docs() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/api.md");
    std::fs::read_to_string(path).unwrap()
}

/// The single words between backticks.
fn code_words(docs: &str) -> BTreeSet<&str> {
    let quoted = docs.split('`').skip(1).step_by(2);
    quoted.flat_map(str::split_whitespace).collect()
}

/// The targets that a page of the documentation suggests, in backticks or as arguments of `curl`.
fn targets(docs: &str) -> Vec<&str> {
    let after = |mark: &'static str| docs.split(mark).skip(1);
    let quoted = after("`/").filter_map(|rest| rest.split('`').next());
    let typed = after("http://127.0.0.1:8080/").filter_map(|rest| rest.split(['\'', '`']).next());
    quoted.chain(typed).filter(|target| target.contains('?')).collect()
}

#[test]
fn what_the_front_page_tells_to_ask_has_an_answer() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../README.md");
    let front = std::fs::read_to_string(path).unwrap();
    let server = Server::over_sample();
    let targets = targets(&front);
    assert!(targets.len() >= 12, "{targets:?}");
    for target in targets {
        let answer = server.get(&format!("/{target}"));
        assert_eq!(answer.status, 200, "{target}: {}", answer.body);
        let is_file = target.contains("format=");
        let count = if is_file { answer.body.lines().count() as u64 - 1 } else { answer.count() };
        assert!(count > 0, "{target}");
        if !target.contains("facets=") {
            continue;
        }
        // What a facet does not list is counted beside it.
        let json = answer.json();
        for (facet, entries) in json["facets"].as_object().unwrap() {
            let counts =
                entries.as_array().unwrap().iter().map(|entry| entry["count"].as_u64().unwrap());
            let left_out = json["facet_info"][facet]["left_out_count"].as_u64().unwrap();
            assert_eq!(counts.sum::<u64>() + left_out, count, "{target}: {facet}");
            assert_eq!(
                left_out > 0,
                json["warnings"].to_string().contains("facet-limited"),
                "{target}"
            );
        }
    }
}

#[test]
fn every_parameter_and_its_words_are_documented() {
    let docs = docs();
    let words = code_words(&docs);
    for parameter in &PARAMETERS {
        for name in parameter.names() {
            assert!(words.contains(name), "parameter {name}");
        }
        match parameter.kind {
            ParameterKind::Choice(choices) | ParameterKind::Choices(choices) => {
                for choice in choices {
                    assert!(words.contains(choice), "{} {choice}", parameter.name);
                }
            }
            ParameterKind::Integer { max, default } => {
                let range = format!("0 to {max}, default {default} |");
                assert!(docs.contains(&range), "{} {range}", parameter.name);
            }
            ParameterKind::Text | ParameterKind::Number | ParameterKind::Date => {}
        }
        let row = docs.lines().find(|line| line.starts_with(&format!("| `{}`", parameter.name)));
        let cells: Vec<&str> = row.unwrap_or_default().split('|').map(str::trim).collect();
        let operation = if parameter.operations.len() == 2 { "both" } else { "`/release`" };
        assert_eq!(cells.get(2), Some(&operation), "{}", parameter.name);
        let is_repeatable = cells.get(3) == Some(&"any of them");
        assert_eq!(is_repeatable, parameter.is_repeatable, "{}", parameter.name);
    }
}

#[test]
fn every_code_is_documented() {
    let docs = docs();
    let words = code_words(&docs);
    for code in PROBLEM_CODES.iter().chain(&PARAMETER_CODES).chain(&WARNING_CODES) {
        assert!(words.contains(code), "code {code}");
    }
}

#[test]
fn the_table_of_abbreviations_is_the_one_that_is_used() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/data.md");
    let docs = std::fs::read_to_string(path).unwrap();
    let section = docs.split("\n## ").find(|section| section.starts_with("Abbreviations\n"));
    let rows = section.unwrap().lines().filter_map(|line| line.strip_prefix("| `"));
    let mut printed = Vec::new();
    for row in rows {
        let (spellings, ids) = row.trim_end_matches(" |").split_once("` | ").unwrap();
        let ids: Vec<&str> = ids.split(", ").collect();
        printed.extend(spellings.split("`, `").map(|spelling| (spelling, ids.clone())));
    }
    let used = ABBREVIATIONS.iter().map(|known| (known.spelling, known.substances.to_vec()));
    assert_eq!(printed, used.collect::<Vec<_>>());
}

#[test]
fn every_flag_and_variable_is_documented() {
    let docs = docs();
    let words = code_words(&docs);
    let mut commands = vec![Cli::command()];
    let mut settings = 0;
    while let Some(command) = commands.pop() {
        for argument in command.get_arguments() {
            if let Some(flag) =
                argument.get_long().filter(|flag| !["help", "version"].contains(flag))
            {
                assert!(words.contains(format!("--{flag}").as_str()), "--{flag}");
                settings += 1;
            }
            if let Some(variable) = argument.get_env() {
                assert!(words.contains(variable.to_str().unwrap()), "{variable:?}");
            }
        }
        commands.extend(command.get_subcommands().cloned());
    }
    assert!(settings > 10, "{settings} flags");
}

#[test]
fn every_metric_is_documented() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let docs = std::fs::read_to_string(root.join("docs/operations.md")).unwrap();
    let words = code_words(&docs);
    let server = support::Server::over_sample();
    let metrics = server.send_bare("GET", "/metrics", &[]).body;
    let types = metrics.lines().filter_map(|line| line.strip_prefix("# TYPE "));
    let names: Vec<_> = types.map(|line| line.split_once(' ').unwrap().0).collect();
    assert!(names.len() > 10, "{metrics}");
    for name in names {
        let is_named = words.iter().any(|word| word.trim_end_matches(',') == name);
        assert!(is_named, "{name}");
    }
}

#[test]
fn the_units_and_their_settings_name_variables_that_their_commands_have() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../packaging");
    let read = |path: &str| std::fs::read_to_string(root.join(path)).unwrap();
    for (path, command, at_least) in [
        ("systemd/outfall.service", "serve", 4),
        ("systemd/outfall-update.service", "update", 2),
        ("environment", "serve", 4),
    ] {
        let text = read(path);
        if let Some(line) = text.lines().find_map(|line| line.strip_prefix("ExecStart=")) {
            assert_eq!(line, format!("outfall {command}"));
            Cli::command().try_get_matches_from(line.split_whitespace()).unwrap();
        }
        let command = Cli::command().find_subcommand(command).unwrap().clone();
        let mut known: BTreeSet<&str> =
            command.get_arguments().filter_map(|argument| argument.get_env()?.to_str()).collect();
        known.insert("OUTFALL_LOG_LEVEL");
        let names = text.split("OUTFALL_").skip(1).filter_map(|rest| rest.split_once('='));
        let names: BTreeSet<String> = names.map(|(name, _)| format!("OUTFALL_{name}")).collect();
        assert!(names.len() >= at_least, "{path}: {names:?}");
        for name in names {
            assert!(known.contains(name.as_str()), "{path} sets {name}");
        }
    }
}
