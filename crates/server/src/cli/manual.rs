//! `outfall manual`: the manual pages and shell completions that packages contain.

use std::path::PathBuf;

use clap::{Args, CommandFactory};

use super::{Cli, CommandError};

/// Where to write the manual.
#[derive(Debug, Args)]
pub struct ManualArgs {
    /// The folder that has `share/man`, or gets it.
    #[arg(value_name = "DIR")]
    pub prefix: PathBuf,
}

/// Writes the manual pages and the shell completions.
///
/// # Errors
/// [`CommandError::Failed`] when the file system fails.
pub fn run(args: &ManualArgs) -> Result<(), CommandError> {
    Ok(outfall_manual::write(Cli::command(), &args.prefix)?)
}
