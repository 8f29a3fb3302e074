//! The command from outside: what it prints and where, and its exit codes.
#![allow(clippy::expect_used, reason = "tests")]

mod support;

use std::fs;
use std::io::Cursor;
use std::path::Path;
use std::process::Command;

use outfall_fixtures::{
    GHGRP, GhgrpEdition, LOCATIONS, RELEASES, ReleasesEdition, Shape, TestPortal, commands_in_help,
    committed_dir, documented_commands,
};
use serde_json::json;
use support::{index_build, text};

/// A folder with a file of releases and one of emissions.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let shape = Shape { has_defects: false, ..Shape::sized(500, 1) };
    let create = |name: &str| fs::File::create(folder.path().join(name)).expect("a file");
    outfall_fixtures::write_releases(&shape, ReleasesEdition::TwoTitles, create("releases.csv"))
        .expect("releases");
    outfall_fixtures::write_ghgrp(&shape, GhgrpEdition::Of2024, create("ghgrp.csv"))
        .expect("emissions");
    folder
}

#[test]
fn a_build_reports_on_standard_output_and_names_the_generation_last() {
    let folder = folder();
    let output = index_build(
        folder.path(),
        &["--npri", "releases.csv", "--ghgrp", "ghgrp.csv", "--data", "data"],
    );
    let (report, progress) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(0), "{progress}");
    assert_eq!(report.lines().last(), Some("published gen-000001"));
    assert!(report.contains("releases.csv: npri-releases, 18 columns"), "{report}");
    assert!(progress.contains("reading releases.csv"), "{progress}");
    assert!(!progress.contains('\u{1b}'), "no bars where there is no terminal");
    assert!(folder.path().join("data/CURRENT").is_file());

    let output = index_build(
        folder.path(),
        &["releases.csv", "ghgrp.csv", "--data", "data", "--report", "json"],
    );
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(report["generation"], "gen-000002");
    assert_eq!(report["files"][1]["kind"], "ghgrp");
}

/// An archive of empty files.
fn zip(names: &[&str]) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for name in names {
        archive.start_file(*name, zip::write::SimpleFileOptions::default()).expect("a member");
    }
    archive.finish().expect("an archive").into_inner()
}

/// Whether a message has the same part between colons more than once.
fn repeats_itself(told: &str) -> bool {
    let parts: Vec<&str> = told.trim().split(": ").collect();
    parts.iter().enumerate().any(|(place, part)| parts[..place].contains(part))
}

#[test]
fn every_failure_has_its_exit_code_and_publishes_nothing() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("other.csv"), "name,age\nx,1\n").expect("a file");
    let mut spoiled = fs::read_to_string(at("ghgrp.csv")).expect("a file");
    spoiled.push_str(&"x\n".repeat(1_000));
    fs::write(at("spoiled.csv"), spoiled).expect("a file");
    fs::write(at("occupied"), "a file, not a folder").expect("a file");
    fs::write(at("two.zip"), zip(&["a.csv", "b.csv"])).expect("a file");
    fs::write(at("broken.zip"), b"PK\x03\x04 and nothing else").expect("a file");
    for (arguments, code, expected) in [
        (&["--data", "data"][..], 64, "no file was given"),
        (&["releases.csv"], 64, "--data"),
        (&["--data", "data", "--frobnicate"], 64, "--frobnicate"),
        (&["--data", "data", "--max-rejects", "2", "ghgrp.csv"], 64, "not a share"),
        (&["--data", "data", "--npri", "ghgrp.csv"], 64, "GHGRP"),
        (&["--data", "data", "spoiled.csv"], 65, "wrong-field-count: 1000"),
        (&["--data", "data", "missing.csv"], 66, "missing.csv"),
        (&["--data", "data", "two.zip"], 66, "the archive holds 2 files named .csv"),
        (&["--data", "data", "broken.zip"], 66, "cannot read `broken.zip`"),
        (&["--data", "data", "other.csv"], 66, "not the header"),
        (&["--data", "data", "."], 66, "not a regular file"),
        (&["--data", "occupied", "ghgrp.csv"], 74, "occupied"),
    ] {
        let output = index_build(folder.path(), arguments);
        let told = text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {told}");
        assert!(told.contains(expected), "{arguments:?}: {told}");
        assert!(!repeats_itself(&told), "{arguments:?}: {told}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
        assert!(!at("data/CURRENT").exists(), "{arguments:?}");
    }
}

#[test]
fn what_is_published_counts_also_when_nobody_takes_the_report() {
    let folder = folder();
    let full = fs::File::options().write(true).open("/dev/full").expect("a device");
    let output = Command::new(env!("CARGO_BIN_EXE_index-build"))
        .current_dir(folder.path())
        .args(["ghgrp.csv", "--data", "data"])
        .stdout(full)
        .output()
        .expect("the command runs");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("published, but not reported"));
    let checked = index_build(folder.path(), &["--data", "data", "--check"]);
    assert_eq!(checked.status.code(), Some(0));
}

#[test]
fn a_second_rebuild_at_the_same_time_is_refused() {
    let folder = folder();
    let data = folder.path().join("data");
    fs::create_dir(&data).expect("a folder");
    let lock = fs::File::create(data.join("LOCK")).expect("a file");
    lock.try_lock().expect("the lock");
    fs::write(data.join("LOCK"), "4242\n").expect("a file");
    let output = index_build(folder.path(), &["ghgrp.csv", "--data", "data"]);
    assert_eq!(output.status.code(), Some(75));
    let told = text(&output.stderr);
    assert!(told.contains("another rebuild holds `data/LOCK`: process 4242"), "{told}");
}

#[test]
fn a_build_that_cannot_fit_is_refused_before_a_byte_is_read() {
    let folder = folder();
    assert_eq!(index_build(folder.path(), &["ghgrp.csv", "--data", "data"]).status.code(), Some(0));
    // The file is sparse and takes no space, but reading it would take days.
    let vast = fs::File::create(folder.path().join("vast.csv")).expect("a file");
    vast.set_len(15 << 40).expect("a sparse file");
    let output = index_build(folder.path(), &["vast.csv", "--data", "data"]);
    let told = text(&output.stderr);
    assert_eq!(output.status.code(), Some(73), "{told}");
    let needed = (1_u64 << 20) + (15 << 39);
    let expected = format!("`data` has too little space: about {needed} bytes are needed, ");
    assert!(told.contains(&expected), "{told}");
    assert_eq!(
        text(&index_build(folder.path(), &["--data", "data", "--check"]).stdout),
        "gen-000001 is whole\n"
    );
}

#[test]
fn every_documented_command_works() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    let read = |name: &str| fs::read(committed_dir().join(name)).expect("a file");
    for name in [RELEASES, LOCATIONS, GHGRP] {
        let file_name = Path::new(name).file_name().expect("a name");
        fs::copy(committed_dir().join(name), folder.path().join(file_name)).expect("a copy");
    }
    // The help uses these names; how a file is packed follows from its bytes.
    for (name, file) in
        [("releases.csv.gz", RELEASES), ("locations.zip", LOCATIONS), ("ghgrp.csv", GHGRP)]
    {
        fs::write(at(name), read(file)).expect("a file");
    }
    let help = text(&index_build(folder.path(), &["--help"]).stdout);
    let documented = documented_commands().expect("documents").into_iter();
    let documented = documented.map(|documented| documented.command).chain(commands_in_help(&help));
    let commands: Vec<String> =
        documented.filter(|command| command.starts_with("index-build ")).collect();
    // There is no such cluster; `cluster_build.rs` builds for one.
    let commands: Vec<String> =
        commands.into_iter().filter(|command| !command.contains("--to opensearch")).collect();
    assert!(commands.len() > 4, "{commands:?}");
    let portal = TestPortal::over(committed_dir()).expect("a portal").url();
    for command in commands {
        let mut arguments: Vec<&str> = command.split_whitespace().skip(1).collect();
        if arguments.contains(&"--from-portal") {
            arguments.extend(["--portal", &portal]);
        }
        let output = index_build(folder.path(), &arguments);
        assert!(output.status.success(), "{command}: {}", text(&output.stderr));
        let rebuilt =
            index_build(folder.path(), &["--data", "data", "ghgrp.csv", "releases.csv.gz"]);
        assert!(rebuilt.status.success(), "{}", text(&rebuilt.stderr));
    }
}

#[test]
fn help_names_every_exit_code() {
    let output = index_build(Path::new("."), &["--help"]);
    assert_eq!(output.status.code(), Some(0));
    let help = text(&output.stdout);
    for code in [
        "0  published",
        "64 ",
        "65 ",
        "66 ",
        "69 ",
        "70 ",
        "71 ",
        "73 ",
        "74 ",
        "75 ",
        "77 ",
        "78 ",
    ] {
        assert!(help.contains(code), "{code}: {help}");
    }
}

/// Writes a file `name` with the header and the releases whose reporting year `keep` accepts.
fn keep_years(folder: &Path, name: &str, keep: impl Fn(u16) -> bool) {
    let text = fs::read(folder.join("releases.csv")).expect("a file");
    let lines = text.split_inclusive(|byte| *byte == b'\n').enumerate();
    let year = |line: &[u8]| {
        let digits = line.iter().copied().filter(u8::is_ascii_digit).take(4).collect();
        String::from_utf8(digits).expect("digits").parse().expect("a year")
    };
    let kept = lines.filter(|(place, line)| *place == 0 || keep(year(line)));
    let kept: Vec<&[u8]> = kept.map(|(_, line)| line).collect();
    fs::write(folder.join(name), kept.concat()).expect("a file");
}

#[test]
fn a_build_of_much_less_is_refused_unless_it_is_allowed() {
    let folder = folder();
    keep_years(folder.path(), "one-year-less.csv", |year| year != 2020);
    let build =
        |arguments: &[&str]| index_build(folder.path(), &[&["--data", "data"], arguments].concat());
    let whole = ["releases.csv", "ghgrp.csv"];
    assert_eq!(build(&whole).status.code(), Some(0));
    let counts = build(&[&whole[..], &["--report", "json"]].concat());
    let report: serde_json::Value = serde_json::from_slice(&counts.stdout).expect("JSON");
    let releases = &report["kinds"]["release"];
    let total = releases["records"].as_u64().expect("a count");
    let left = total - releases["years"]["2020"].as_u64().expect("a count");

    let no_emissions = format!(
        "emission: 0 records instead of {}, none of 2004",
        report["kinds"]["emission"]["records"]
    );
    let no_year = format!("release: {left} records instead of {total}, none of 2020");
    for (files, expected) in
        [(&["releases.csv"][..], &no_emissions), (&["one-year-less.csv", "ghgrp.csv"], &no_year)]
    {
        let refused = build(files);
        let told = text(&refused.stderr);
        assert_eq!(refused.status.code(), Some(77), "{files:?}: {told}");
        assert!(told.contains("the served gen-000002"), "{told}");
        assert!(told.contains(expected), "{told}");
        assert!(told.contains("--allow-shrink"), "{told}");
        assert_eq!(text(&build(&["--check"]).stdout), "gen-000002 is whole\n");
    }

    let allowed = build(&["one-year-less.csv", "--allow-shrink"]);
    assert_eq!(allowed.status.code(), Some(0), "{}", text(&allowed.stderr));
    // The served index cannot be read, so there is nothing to compare with.
    keep_years(folder.path(), "one-year.csv", |year| year == 2020);
    let manifest = folder.path().join("data/gen-000003/manifest.json");
    fs::write(&manifest, "{}").expect("a file");
    let rebuilt = build(&["one-year.csv"]);
    assert_eq!(rebuilt.status.code(), Some(0), "{}", text(&rebuilt.stderr));
}

#[test]
fn an_index_is_checked_and_rolled_back() {
    let folder = folder();
    let run = |flag| index_build(folder.path(), &["--data", "data", flag]);
    assert_eq!(run("--check").status.code(), Some(66));
    for _ in 0..2 {
        let built = index_build(folder.path(), &["releases.csv", "--data", "data"]);
        assert_eq!(built.status.code(), Some(0));
    }
    assert_eq!(text(&run("--check").stdout), "gen-000002 is whole\n");
    assert_eq!(text(&run("--rollback").stdout), "published gen-000001\n");
    assert_eq!(text(&run("--check").stdout), "gen-000001 is whole\n");
    assert_eq!(run("--rollback").status.code(), Some(66));
    // The same for programs, as JSON.
    let built = index_build(folder.path(), &["releases.csv", "--data", "data"]);
    assert_eq!(built.status.code(), Some(0));
    for (flag, expected) in [
        ("--check", json!({"generation": "gen-000003", "is_whole": true})),
        ("--rollback", json!({"generation": "gen-000002"})),
    ] {
        let output = index_build(folder.path(), &["--data", "data", "--report", "json", flag]);
        let told: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert_eq!(told, expected, "{flag}");
    }

    let tables = folder.path().join("data/gen-000002/release/tables.bin");
    fs::write(&tables, "damage").expect("a file");
    let checked = run("--check");
    assert_eq!(checked.status.code(), Some(66));
    assert!(text(&checked.stderr).contains("tables.bin"), "{}", text(&checked.stderr));
}

#[test]
fn a_cluster_that_is_not_there_or_not_named_is_told() {
    let folder = folder();
    let nowhere = "http://127.0.0.1:1";
    for (arguments, code, expected) in [
        (&["--to", "opensearch"][..], 64, "--url"),
        (&["--to", "embedded"], 64, "--data"),
        (&["--url", nowhere], 64, "--to opensearch"),
        (&["--to", "opensearch", "--url", nowhere, "--data", "data"], 64, "--data"),
        (&["--to", "opensearch", "--url", nowhere, "--prefix", "A*"], 64, "--prefix"),
        (&["--to", "opensearch", "--url", nowhere], 69, "cannot be asked"),
        (&["--to", "opensearch", "--url", nowhere, "--check"], 69, "cannot be asked"),
        (&["--to", "opensearch", "--url", nowhere, "--rollback"], 69, "cannot be asked"),
        (&["--to", "opensearch", "--url", "nowhere:1"], 78, "https://"),
        (&["--to", "opensearch", "--url", nowhere, "--user", "a"], 78, "password"),
        (&["--to", "opensearch", "--url", nowhere, "--ca", "none.pem"], 78, "none.pem"),
    ] {
        let is_build = !arguments.iter().any(|flag| ["--check", "--rollback"].contains(flag));
        let files: &[&str] = if is_build { &["releases.csv", "ghgrp.csv"] } else { &[] };
        let output = index_build(folder.path(), &[files, arguments].concat());
        let told = text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {told}");
        assert!(told.contains(expected), "{arguments:?}: {told}");
    }
}
