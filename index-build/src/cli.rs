//! The flags and the exit codes.

use std::path::PathBuf;

use clap::{Parser, ValueEnum};
use outfall_indexer::{BuildOptions, FileKind, InputFile};

/// Exit codes after `sysexits.h`.
pub(crate) mod exit_code {
    use outfall_indexer::{BuildError, ReadError};
    use outfall_query::IndexError;
    use outfall_store::StoreError;

    /// Invalid command line.
    pub(crate) const USAGE: u8 = 64;
    /// Too many rows were rejected.
    const DATA: u8 = 65;
    /// A file cannot be read or is of no known kind; an index is not whole.
    const NO_INPUT: u8 = 66;
    /// Something failed that should not.
    const INTERNAL: u8 = 70;
    /// The system starts too few threads.
    const TOO_FEW_THREADS: u8 = 71;
    /// There is too little space for the index.
    const NO_SPACE: u8 = 73;
    /// The index cannot be written.
    const CANNOT_WRITE: u8 = 74;
    /// Another rebuild runs.
    const BUSY: u8 = 75;
    /// The build holds much less than the served index.
    const SHRINKS: u8 = 77;

    /// The exit code of whatever stopped the command.
    pub(crate) fn of(error: &anyhow::Error) -> u8 {
        match error.downcast_ref() {
            Some(BuildError::Read(error)) => of_reading(error),
            Some(BuildError::NoRecords) => DATA,
            Some(BuildError::Shrinks { .. }) => SHRINKS,
            Some(BuildError::Sink(error)) => of_index(error),
            None => error.downcast_ref().map_or(INTERNAL, of_index),
        }
    }

    const fn of_reading(error: &ReadError) -> u8 {
        match error {
            ReadError::NoFiles | ReadError::WrongKind { .. } => USAGE,
            ReadError::TooManyRejects { .. } | ReadError::TooManyDistinct { .. } => DATA,
            ReadError::Read { .. }
            | ReadError::Refused { .. }
            | ReadError::MissingColumn { .. }
            | ReadError::DoubledColumn { .. } => NO_INPUT,
            ReadError::WriteRejects { .. } => CANNOT_WRITE,
            ReadError::Threads { .. } => TOO_FEW_THREADS,
        }
    }

    const fn of_index(error: &IndexError) -> u8 {
        match error {
            IndexError::Threads { .. } => TOO_FEW_THREADS,
            IndexError::Store(StoreError::Io { .. } | StoreError::InTheWay { .. }) => CANNOT_WRITE,
            IndexError::Store(StoreError::NoSpace { .. }) => NO_SPACE,
            IndexError::Store(StoreError::Locked { .. }) => BUSY,
            IndexError::Store(
                StoreError::NoIndex { .. }
                | StoreError::Damaged { .. }
                | StoreError::NothingToRollBackTo { .. },
            ) => NO_INPUT,
            IndexError::Engine { .. } | IndexError::Disagrees { .. } => INTERNAL,
        }
    }
}

const EXAMPLES: &str = "\
Examples:
  index-build --data ./data \\
      NPRI-INRP_ReleasesRejets_1993-present.csv \\
      PDGES-GHGRP-GHGEmissionsGES-2004-Present.csv
  index-build --data ./data --check
  index-build --data ./data --rollback
  index-build --data ./data --npri releases.csv.gz \\
      --locations locations.zip --ghgrp ghgrp.csv --report json

Exit codes:
   0  published
  64  invalid command line, or a file is of another kind than its flag says
  65  more rows were rejected than --max-rejects allows, or no row became a record
  66  a file cannot be read, or is none of the four kinds; the index to check is not whole
  70  something failed that should not; please report it
  71  the system lets it start too few threads
  73  the file system of the data directory has too little space for the index
  74  the index cannot be written
  75  another rebuild runs on the same data directory
  77  the build loses more than 5 % of a kind's records, or a whole year, against
      the served index, and --allow-shrink was not given

After any of them but 0, the index that was served stays served.";

/// Rebuilds the index of Outfall from the official NPRI and GHGRP files, and publishes it.
///
/// The kind of a file is read from its header. Files may be plain, .gz or .zip. If two files hold
/// the same record, the later file wins.
#[derive(Debug, Parser)]
#[command(name = "index-build", version, after_help = EXAMPLES)]
pub(crate) struct Cli {
    /// Files of any of the four kinds.
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Files of NPRI releases, the long table.
    #[arg(long, value_name = "FILE", num_args = 1..)]
    npri: Vec<PathBuf>,
    /// Files of GHGRP emissions by gas.
    #[arg(long, value_name = "FILE", num_args = 1..)]
    ghgrp: Vec<PathBuf>,
    /// Files of NPRI locations, for the city and the coordinates of releases.
    #[arg(long, value_name = "FILE", num_args = 1..)]
    locations: Vec<PathBuf>,
    /// Files of CESI large facilities; the GHGRP's own file counts more.
    #[arg(long, value_name = "FILE", num_args = 1..)]
    cesi: Vec<PathBuf>,
    /// The data directory that the index is published in.
    #[arg(long, value_name = "DIR")]
    pub(crate) data: PathBuf,
    /// The share of a file's rows that may be rejected, as `0.01` or `1%`.
    #[arg(long, value_name = "SHARE", default_value = "1%", value_parser = share)]
    max_rejects: f64,
    /// Publish even if more than 5 % of a kind's records, or a whole year, is lost.
    #[arg(long)]
    allow_shrink: bool,
    /// Build nothing: read every file of the published index, and tell whether it is whole.
    #[arg(long, conflicts_with_all = ["files", "npri", "ghgrp", "locations", "cesi", "rollback"])]
    pub(crate) check: bool,
    /// Build nothing: publish the newest whole generation before the served one again.
    #[arg(long, conflicts_with_all = ["files", "npri", "ghgrp", "locations", "cesi"])]
    pub(crate) rollback: bool,
    /// How many threads to use [default: as many as there are cores].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// The form of the report on standard output.
    #[arg(long, value_enum, default_value_t = ReportFormat::Text)]
    pub(crate) report: ReportFormat,
}

/// The form of the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReportFormat {
    /// For people.
    Text,
    /// For programs.
    Json,
}

impl Cli {
    pub(crate) fn options(&self) -> BuildOptions {
        let lists = [
            (&self.files, None),
            (&self.npri, Some(FileKind::NpriReleases)),
            (&self.ghgrp, Some(FileKind::Ghgrp)),
            (&self.locations, Some(FileKind::NpriLocations)),
            (&self.cesi, Some(FileKind::Cesi)),
        ];
        let files = lists.into_iter().flat_map(|(paths, kind)| {
            paths.iter().map(move |path| InputFile { path: path.clone(), kind })
        });
        BuildOptions {
            files: files.collect(),
            max_rejects: self.max_rejects,
            allow_shrink: self.allow_shrink,
            threads: self.threads.map(usize::from),
        }
    }
}

fn share(text: &str) -> Result<f64, String> {
    let (number, unit) = match text.strip_suffix('%') {
        Some(percent) => (percent.trim_end(), 100.0),
        None => (text, 1.0),
    };
    match number.parse::<f64>().map(|number| number / unit) {
        Ok(share) if (0.0..=1.0).contains(&share) => Ok(share),
        _ => Err("not a share such as `0.01` or `1%`".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_flags_are_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn shares_are_fractions_or_percentages() {
        for (text, expected) in
            [("0.01", Some(0.01)), ("1%", Some(0.01)), ("2.5 %", Some(0.025)), ("0", Some(0.0))]
        {
            assert_eq!(share(text).ok(), expected, "{text}");
        }
        for text in ["", "%", "-1%", "101%", "1.1", "NaN", "few"] {
            assert!(share(text).is_err(), "{text}");
        }
    }
}
