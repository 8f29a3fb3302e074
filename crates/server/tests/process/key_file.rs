//! Key files as tests write them, and commands without the rights of root.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

pub(crate) fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

/// The same command without root's right to read, change and give away other users' files.
pub(crate) fn without_override(command: Command) -> Command {
    if !is_root() {
        return command;
    }
    let mut limited = Command::new("setpriv");
    limited.arg("--bounding-set=-dac_override,-dac_read_search,-chown,-fowner");
    limited.arg(command.get_program()).args(command.get_args());
    limited.current_dir(command.get_current_dir().unwrap());
    for (name, _) in command.get_envs().filter(|(_, value)| value.is_none()) {
        limited.env_remove(name);
    }
    limited
}

/// An entry of a key file as an earlier version wrote it.
pub(crate) fn entry(key: &str, name: &str) -> Value {
    let sha256: String = Sha256::digest(key).iter().map(|byte| format!("{byte:02x}")).collect();
    json!({
        "id": key.get(..8), "name": name, "sha256": sha256,
        "created_at": "2026-01-02T03:04:05.678901234Z", "is_disabled": false,
    })
}

/// Writes a key file with these entries.
pub(crate) fn write_keys(path: &Path, entries: &[Value]) {
    fs::write(path, json!({ "keys": entries }).to_string()).unwrap();
}

/// Everything that a command printed.
pub(crate) fn text(output: &Output) -> String {
    [&output.stdout[..], &output.stderr].concat().iter().map(|byte| char::from(*byte)).collect()
}
