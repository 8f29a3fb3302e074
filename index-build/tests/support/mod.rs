//! The command as an operator runs it.

use std::path::Path;
use std::process::{Command, Output};

/// Runs the command to its end.
pub(crate) fn index_build(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_index-build"))
        .current_dir(folder)
        .args(arguments)
        .output()
        .expect("the command runs")
}

pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("text")
}
