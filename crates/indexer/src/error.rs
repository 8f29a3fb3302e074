//! Why a build stops. The faults of single rows are in [`crate::Reason`].

use std::io;
use std::path::PathBuf;

use outfall_records::TooLarge;

use crate::{FileReport, Shrinkage};

/// Why files could not be turned into records.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// No file was given.
    #[error("no file was given; name at least one NPRI or GHGRP file")]
    NoFiles,
    /// A file could not be opened or read.
    #[error("cannot read `{}`: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// A file is of no kind that can be read.
    #[error("`{}` is not a file that can be read: {reason}", path.display())]
    Refused {
        /// The file.
        path: PathBuf,
        /// What the file is instead, and which file to take.
        reason: String,
    },
    /// A file is of another kind than the flag before it says.
    #[error("`{}` is {found} by its header, not {claimed}", path.display())]
    WrongKind {
        /// The file.
        path: PathBuf,
        /// The kind by its header.
        found: &'static str,
        /// The kind that was claimed.
        claimed: &'static str,
    },
    /// A column that records need is not in the header.
    #[error(
        "`{}` has no column `{wanted}` in line 1; its columns are {}",
        path.display(),
        quoted(found)
    )]
    MissingColumn {
        /// The file.
        path: PathBuf,
        /// The name that was looked for.
        wanted: &'static str,
        /// The names that were found.
        found: Vec<String>,
    },
    /// A column occurs twice in the header.
    #[error("`{}` has the column `{column}` twice in line 1", path.display())]
    DoubledColumn {
        /// The file.
        path: PathBuf,
        /// The name.
        column: String,
    },
    /// More rows were rejected than allowed.
    #[error(
        "`{}`: more rows were rejected than the {allowed} allowed{}\n{report}",
        path.display(),
        stopped(*stopped_after)
    )]
    TooManyRejects {
        /// The file.
        path: PathBuf,
        /// The share allowed, as a percentage.
        allowed: String,
        /// The rows after which reading stopped, if there are more.
        stopped_after: Option<u64>,
        /// The report of its rows, with the first rejected ones of each reason.
        report: Box<FileReport>,
    },
    /// The rejected rows could not be written.
    #[error("cannot write `{}`: {source}", path.display())]
    WriteRejects {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// There is more of something than an index can number.
    #[error("there are more than {limit} {what}, which is far more than the official files have")]
    TooMany {
        /// What there is too much of.
        what: &'static str,
        /// The most that there may be.
        limit: usize,
    },
    /// The amounts of the records cannot be summed.
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
    /// The system starts no more threads.
    #[error("cannot start the threads that read files: {source}")]
    Threads {
        /// Why not.
        source: io::Error,
    },
}

/// Why a build stopped; what was served before is untouched. `E` is the error of its sink.
#[derive(Debug, thiserror::Error)]
pub enum BuildError<E> {
    /// The files could not be turned into records.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The files hold headers only.
    #[error("the files hold no row that became a record, so there is nothing to publish")]
    NoRecords,
    /// The build holds much less than the generation it would replace.
    #[error(
        "the build holds less than the served {generation}: {}; if that is right, give \
         `--allow-shrink`",
        listed(losses)
    )]
    Shrinks {
        /// The served generation, `gen-000042`.
        generation: String,
        /// The losses of each kind.
        losses: Vec<Shrinkage>,
    },
    /// The list of what changes could not be written.
    #[error("cannot write `{}`: {source}", path.display())]
    WriteChanges {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// The records could not be written or published.
    #[error(transparent)]
    Sink(E),
}

impl ReadError {
    /// The exit code of a command that this stops, after `sysexits.h`.
    #[must_use]
    pub const fn exit_code(&self) -> u8 {
        match self {
            Self::NoFiles | Self::WrongKind { .. } => 64,
            Self::TooManyRejects { .. } | Self::TooMany { .. } | Self::TooLarge(_) => 65,
            Self::Read { .. }
            | Self::Refused { .. }
            | Self::MissingColumn { .. }
            | Self::DoubledColumn { .. } => 66,
            Self::Threads { .. } => 71,
            Self::WriteRejects { .. } => 74,
        }
    }
}

impl<E> BuildError<E> {
    /// The exit code of a command that this stops; `of_sink` gives that of an error of the sink.
    pub fn exit_code(&self, of_sink: impl FnOnce(&E) -> u8) -> u8 {
        match self {
            Self::Read(error) => error.exit_code(),
            Self::NoRecords => 65,
            Self::WriteChanges { .. } => 74,
            Self::Shrinks { .. } => 77,
            Self::Sink(error) => of_sink(error),
        }
    }
}

fn stopped(after: Option<u64>) -> String {
    after.map_or_else(String::new, |rows| {
        format!(", whatever the rest holds; reading stopped after {rows} rows")
    })
}

fn listed(losses: &[Shrinkage]) -> String {
    let losses: Vec<String> = losses.iter().map(ToString::to_string).collect();
    losses.join("; ")
}

fn quoted(names: &[String]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    names.join(", ")
}
