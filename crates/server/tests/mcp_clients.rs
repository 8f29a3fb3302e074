//! The official clients of the Model Context Protocol, in Python and in TypeScript, ask the real
//! binary in both ways and find what the API answers.
//!
//! `cargo xtask mcp` installs them. A client that is missing is shown as ignored.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod process;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use libtest_mimic::{Arguments, Trial};
use process::{Service, outfall, publish};

/// A client: its name, how it is probed, and its script with the program that runs it.
struct Client {
    name: &'static str,
    program: PathBuf,
    probe: [&'static str; 2],
    script: &'static str,
}

/// Where the clients are installed.
fn installed() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/mcp")
}

fn clients() -> [Client; 2] {
    [
        Client {
            name: "python",
            program: installed().join("bin/python3"),
            probe: ["-c", "import mcp"],
            script: "ask.py",
        },
        Client {
            name: "typescript",
            program: PathBuf::from("node"),
            probe: ["--eval", "require('@modelcontextprotocol/sdk/client')"],
            script: "ask.mjs",
        },
    ]
}

fn main() -> ExitCode {
    let trials = clients().map(|client| {
        let is_there = client.command().args(client.probe).status();
        let is_there = is_there.is_ok_and(|status| status.success());
        let name = format!("{}_finds_what_the_api_answers", client.name);
        let trial = Trial::test(name, move || {
            finds_what_the_api_answers(&client);
            Ok(())
        });
        match is_there {
            true => trial,
            false => trial
                .with_ignored_flag(true)
                .with_kind("the client is missing: `cargo xtask mcp` installs it"),
        }
    });
    libtest_mimic::run(&Arguments::from_args(), trials.into()).exit_code()
}

impl Client {
    fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        // Node finds packages from where it is started, or from where a script is.
        command.current_dir(installed()).stdout(Stdio::null()).stderr(Stdio::null());
        command
    }
}

fn finds_what_the_api_answers(client: &Client) {
    let folder = tempfile::tempdir().unwrap();
    publish(folder.path(), 1);
    let key = process::add_key(folder.path(), "agent");
    let mut flags = vec!["serve", "--data", "data", "--keys", "keys.json"];
    flags.extend(["--listen", "127.0.0.1:0", "--rate-limit", "0"]);
    let service = Service::start(folder.path(), &flags);
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mcp").join(client.script);
    let beside_packages = installed().join(client.script);
    fs::copy(script, &beside_packages).unwrap();
    let asked = client
        .command()
        .arg(beside_packages)
        .env("OUTFALL", outfall(folder.path(), &[]).get_program())
        .env("OUTFALL_DATA_OF_TEST", folder.path().join("data"))
        .env("OUTFALL_URL_OF_TEST", &service.base)
        .env("OUTFALL_KEY_OF_TEST", &key)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&asked.stdout);
    assert!(asked.status.success(), "{said}\n{}", String::from_utf8_lossy(&asked.stderr));
    assert!(said.trim_end().ends_with("both transports"), "{said}");
}
