//! Every command in the documentation and the help works on the sample, and finds something.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]
#![allow(clippy::print_stderr, reason = "what cannot be tried here is named")]

mod parquet_table;
mod process;

use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use outfall_fixtures::{
    Documented, TestPortal, commands_in_help, committed_dir, documented_commands,
};
use outfall_query::Staging;
use serde_json::Value;

use process::{Service, run};

/// Commands that begin like this are not run here.
const ELSEWHERE: [&str; 2] = [
    // It compiles for minutes, and it runs this test.
    "cargo ",
    // Its own tests run it.
    "index-build ",
];

/// A machine on which the documentation is followed: the programs are installed, the service runs
/// over the sample, and the folders that only an administrator may write to are elsewhere.
struct Machine {
    folder: tempfile::TempDir,
    service: Service,
    /// What `outfall update` downloads from.
    portal: TestPortal,
    key: String,
    /// The `next_cursor` of the last answer that had one.
    cursor: String,
}

impl Machine {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        for name in ["bin", "target/release", "etc"] {
            fs::create_dir_all(at(name)).unwrap();
        }
        fs::copy(env!("CARGO_BIN_EXE_outfall"), at("bin/outfall")).unwrap();
        for name in ["outfall", "index-build"] {
            script(&at("target/release").join(name), "exit 0");
        }
        // An error status must be an error for `sh` too.
        script(
            &at("bin/curl"),
            "PATH=${PATH#*:}; export PATH; exec curl --silent --show-error --fail-with-body \"$@\"",
        );
        let service =
            Service::start(folder.path(), &["--listen", "127.0.0.1:0", "--rate-limit", "0"]);
        let files = ["npri", "ghgrp"].map(|kind| committed_dir().join(kind));
        let files = files.iter().flat_map(|kind| fs::read_dir(kind).unwrap());
        let files: Vec<PathBuf> = files.map(|entry| entry.unwrap().path()).collect();
        let options = outfall_indexer::BuildOptions::of_files(files);
        outfall_indexer::build(
            &options,
            Staging::begin(&at("official")).unwrap(),
            &outfall_indexer::Silent,
        )
        .unwrap();
        let key = fs::read_to_string(at("data/demo-key.txt")).unwrap().trim().to_owned();
        run(folder.path(), &["keys", "add", "someone", "--keys", "etc/keys.json"]);
        let portal = TestPortal::over(committed_dir()).unwrap();
        Self { folder, service, portal, key, cursor: String::new() }
    }

    fn path(&self, name: &str) -> String {
        self.folder.path().join(name).display().to_string()
    }

    /// The command, adapted to this machine.
    fn adapted(&self, command: &str) -> String {
        let headers = "-H 'x-gateway-host: localhost' -H \"x-gateway-key: $KEY\"";
        let mut adapted = command
            .replace("http://127.0.0.1:8080", &self.service.base)
            .replace("http://localhost:8080", &self.service.base)
            .replace("/etc/outfall", &self.path("etc"))
            .replace("/var/lib/outfall", &self.path("official"))
            .replace(" … ", &format!(" {headers} "))
            .replace("AgDn…", &self.cursor);
        // A day in the future, whenever this runs.
        if let Some((before, day)) = adapted.split_once("--expires ") {
            adapted = format!("{before}--expires 9999{}", &day[4..]);
        }
        if adapted.contains("prk_1a2b") {
            let listed =
                run(self.folder.path(), &["keys", "list", "--keys", "etc/keys.json"]).stdout;
            let listed = String::from_utf8(listed).unwrap();
            let id = listed.split_whitespace().find(|word| word.starts_with("prk_")).unwrap();
            adapted = adapted.replace("prk_1a2b", id);
        }
        assert!(!adapted.contains('…'), "{adapted}");
        adapted
    }

    fn shell(&self, command: &str) -> Command {
        let mut shell = Command::new("sh");
        for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("OUTFALL_")) {
            shell.env_remove(name);
        }
        let path = format!("{}:{}", self.path("bin"), std::env::var("PATH").unwrap());
        shell.args(["-c", command]).current_dir(self.folder.path()).env("PATH", path);
        shell
            .env("KEY", &self.key)
            .env("OUTFALL_PORTAL", self.portal.url())
            .env("HOME", self.path("home"));
        shell
    }

    /// Runs a command as a reader would type it; fails with what is wrong with its result, if
    /// anything.
    fn type_in(&mut self, command: &str) -> Result<(), String> {
        let command = self.adapted(command);
        if command == "outfall" || command.starts_with("outfall serve") {
            return self.serves(&command);
        }
        let output = self.shell(&command).output().unwrap();
        if !output.status.success() {
            return Err(format!("{command}: {output:?}"));
        }
        let asks = command.starts_with("curl") || command.starts_with("outfall search");
        if !asks || command.contains("-OJ") {
            return Ok(());
        }
        let printed = match command.split_once(" > ") {
            Some((_, file)) if file.ends_with(".parquet") => {
                let (_, rows) = parquet_table::table(fs::read(self.path(file)).unwrap());
                let is_empty = rows.is_empty();
                return if is_empty { Err(format!("{command}: no row")) } else { Ok(()) };
            }
            Some((_, file)) => fs::read_to_string(self.path(file)).unwrap(),
            None => String::from_utf8(output.stdout).unwrap(),
        };
        let Ok(page) = serde_json::from_str::<Value>(&printed) else {
            let rows = printed.lines().count();
            return if rows > 1 { Ok(()) } else { Err(format!("{command}: no row")) };
        };
        if let Some(cursor) = page["next_cursor"].as_str() {
            self.cursor = cursor.to_owned();
        }
        match page["count"].as_u64() {
            Some(0) | None => Err(format!("{command}: {printed}")),
            Some(count) => {
                whole_facets(&page, count).map_err(|facet| format!("{command}: {facet}"))
            }
        }
    }

    /// Starts a service, and stops it once it listens.
    fn serves(&self, command: &str) -> Result<(), String> {
        let mut shell = self.shell(&format!("exec {command}"));
        shell.env("OUTFALL_LISTEN", "127.0.0.1:0").stderr(Stdio::piped());
        let mut child = shell.stdout(Stdio::piped()).spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
        let listens = lines.into_iter().any(|line| line.contains("http://127.0.0.1:"));
        child.kill().unwrap();
        let output = child.wait_with_output().unwrap();
        if listens { Ok(()) } else { Err(format!("{command}: {output:?}")) }
    }
}

/// Fails with a facet that leaves matches out, if any does.
fn whole_facets(page: &Value, count: u64) -> Result<(), String> {
    for (facet, entries) in page["facets"].as_object().into_iter().flatten() {
        let counts =
            entries.as_array().unwrap().iter().map(|entry| entry["count"].as_u64().unwrap());
        let counted: u64 = counts.sum();
        if counted != count {
            return Err(format!("`{facet}` has {counted} of {count}"));
        }
    }
    Ok(())
}

fn script(path: &Path, body: &str) {
    fs::write(path, format!("#!/bin/sh\n{body}\n")).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn every_documented_command_works_and_finds_something() {
    let mut machine = Machine::new();
    let mut commands = documented_commands().unwrap();
    for arguments in
        [&["--help"][..], &["search", "--help"], &["keys", "--help"], &["update", "--help"]]
    {
        let help = String::from_utf8(run(machine.folder.path(), arguments).stdout).unwrap();
        let document = format!("outfall {}", arguments.join(" "));
        let in_help = commands_in_help(&help).into_iter();
        commands.extend(in_help.map(|command| Documented { document: document.clone(), command }));
    }
    commands
        .retain(|documented| !ELSEWHERE.iter().any(|start| documented.command.starts_with(start)));
    assert!(commands.len() > 20, "{commands:#?}");
    if Command::new("curl").arg("--version").output().is_err() {
        eprintln!("SKIPPED: `curl` is not installed, so the requests were not sent");
        commands.retain(|documented| !documented.command.starts_with("curl "));
    }
    let mut wrong = Vec::new();
    for Documented { document, command } in commands {
        if let Err(reason) = machine.type_in(&command) {
            wrong.push(format!("{document}: {reason}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    for name in ["outfall", "index-build"] {
        assert!(machine.folder.path().join("home/.local/bin").join(name).is_file(), "{name}");
    }
}
