//! The flags and the exit codes.

use std::path::PathBuf;

use clap::error::ErrorKind;
use clap::{Args, CommandFactory, Parser, ValueEnum};
use outfall_indexer::{BuildOptions, FileKind, InputFile};
use outfall_opensearch::{Client, ClusterError, ConnectionFiles, Layout, LoadOptions, Names};

/// Exit codes after `sysexits.h`.
pub(crate) mod exit_code {
    use outfall_indexer::{BuildError, ReadError};
    use outfall_opensearch::ClusterError;
    use outfall_query::IndexError;
    use outfall_store::StoreError;

    /// Invalid command line.
    pub(crate) const USAGE: u8 = 64;
    /// Too many rows were rejected.
    const DATA: u8 = 65;
    /// A file cannot be read or is of no known kind; an index is not whole.
    const NO_INPUT: u8 = 66;
    /// The cluster cannot be reached, or is too busy.
    const UNAVAILABLE: u8 = 69;
    /// Something failed that should not.
    const INTERNAL: u8 = 70;
    /// The system starts too few threads.
    const TOO_FEW_THREADS: u8 = 71;
    /// There is too little space for the index.
    const NO_SPACE: u8 = 73;
    /// The index cannot be written.
    const CANNOT_WRITE: u8 = 74;
    /// Another rebuild runs, or was published since this one began.
    const BUSY: u8 = 75;
    /// The build holds much less than the served index.
    const SHRINKS: u8 = 77;
    /// The cluster refuses the user, or what is needed to connect is missing.
    const REFUSED: u8 = 78;

    /// The exit code of whatever stopped the command.
    pub(crate) fn of(error: &anyhow::Error) -> u8 {
        if let Some(error) = error.downcast_ref() {
            return of_build(error, of_index);
        }
        if let Some(error) = error.downcast_ref() {
            return of_build(error, of_cluster);
        }
        let of_cluster = || error.downcast_ref().map_or(INTERNAL, of_cluster);
        error.downcast_ref().map_or_else(of_cluster, of_index)
    }

    fn of_build<E>(error: &BuildError<E>, of_sink: fn(&E) -> u8) -> u8 {
        match error {
            BuildError::Read(error) => of_reading(error),
            BuildError::NoRecords => DATA,
            BuildError::Shrinks { .. } => SHRINKS,
            BuildError::Sink(error) => of_sink(error),
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

    const fn of_cluster(error: &ClusterError) -> u8 {
        match error {
            ClusterError::Unavailable { .. } | ClusterError::TimedOut => UNAVAILABLE,
            ClusterError::Refused { .. }
            | ClusterError::Certificates { .. }
            | ClusterError::Connection { .. } => REFUSED,
            ClusterError::Overtaken => BUSY,
            ClusterError::NotServable { .. } => NO_INPUT,
            ClusterError::BadRecord { .. } => DATA,
            ClusterError::Unexpected { .. } | ClusterError::Disagrees { .. } => INTERNAL,
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
  index-build --to opensearch --url https://search.example.org:9200 --user loader \\
      --password-file /etc/outfall/loader.password releases.csv ghgrp.csv

Exit codes:
   0  published
  64  invalid command line, or a file is of another kind than its flag says
  65  more rows were rejected than --max-rejects allows, or no row became a record
  66  a file cannot be read, or is none of the four kinds; the index to check is not whole
  69  the cluster cannot be reached, or is too busy
  70  something failed that should not; please report it
  71  the system lets it start too few threads
  73  the file system of the data directory has too little space for the index
  74  the index cannot be written
  75  another rebuild runs on the same data directory, or was published to the
      cluster since this one began
  77  the build loses more than 5 % of a kind's records, or a whole year, against
      the served index, and --allow-shrink was not given
  78  the cluster refuses the user or the request, or a password or certificate is missing

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
    #[arg(long, value_name = "DIR", required_unless_present_any = ["url", "to"], conflicts_with = "url")]
    pub(crate) data: Option<PathBuf>,
    /// The engine to build for.
    #[arg(long, value_enum, default_value_t = Engine::Embedded)]
    pub(crate) to: Engine,
    /// The cluster to publish to, with `--to opensearch`.
    #[command(flatten)]
    pub(crate) cluster: ClusterArgs,
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

/// The engine that answers requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Engine {
    /// An index in a data directory.
    Embedded,
    /// An OpenSearch cluster.
    Opensearch,
}

/// A cluster, and how the index is laid out in it.
#[derive(Debug, Args)]
pub(crate) struct ClusterArgs {
    /// The address of a node of the OpenSearch cluster. For several, repeat the flag or separate
    /// them with commas.
    #[arg(long, value_name = "URL", value_delimiter = ',')]
    url: Vec<String>,
    /// The user of the cluster; the password is in a file or in OUTFALL_OPENSEARCH_PASSWORD.
    #[arg(long, value_name = "NAME", requires = "url")]
    user: Option<String>,
    /// The file that holds the password.
    #[arg(long, value_name = "FILE", requires = "user")]
    password_file: Option<PathBuf>,
    /// The file that holds an API key, instead of a user; or OUTFALL_OPENSEARCH_API_KEY.
    #[arg(long, value_name = "FILE", requires = "url", conflicts_with = "user")]
    api_key_file: Option<PathBuf>,
    /// The certificate authorities of the cluster, in PEM, instead of the public ones.
    #[arg(long, value_name = "FILE", requires = "url")]
    ca: Option<PathBuf>,
    /// How the names of indexes and aliases begin.
    #[arg(long, value_name = "NAME", default_value = "outfall", value_parser = prefix)]
    prefix: Names,
    /// The parts that each kind of record is spread over: one for two or three million records.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=64))]
    shards: u16,
    /// Further copies of each part.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(0..=8))]
    replicas: u16,
    /// The folder for the list of rejected rows, `outfall-gen-000042.rejects.csv`.
    #[arg(long, value_name = "DIR", default_value = ".")]
    rejects_in: PathBuf,
}

impl ClusterArgs {
    /// Whether a cluster is named.
    pub(crate) fn is_named(&self) -> bool {
        !self.url.is_empty()
    }

    pub(crate) fn client(&self) -> Result<Client, ClusterError> {
        let files = ConnectionFiles {
            urls: self.url.clone(),
            user: self.user.clone(),
            password: self.password_file.clone(),
            api_key: self.api_key_file.clone(),
            authorities: self.ca.clone(),
        };
        Client::new(&files.read()?)
    }

    pub(crate) const fn names(&self) -> &Names {
        &self.prefix
    }

    pub(crate) fn load_options(&self) -> LoadOptions {
        LoadOptions {
            names: self.prefix.clone(),
            layout: Layout { shards: self.shards, replicas: self.replicas },
            rejects_in: self.rejects_in.clone(),
        }
    }
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
    /// Parses the arguments of the program.
    pub(crate) fn of_arguments() -> Result<Self, clap::Error> {
        let cli = Self::try_parse()?;
        let fault = match (cli.to, cli.cluster.is_named()) {
            (Engine::Embedded, true) => "--url is of a cluster; give `--to opensearch` too",
            (Engine::Embedded, false) if cli.data.is_none() => "`--to embedded` needs --data",
            (Engine::Opensearch, false) => "`--to opensearch` needs the --url of a cluster",
            _ => return Ok(cli),
        };
        Err(Self::command().error(ErrorKind::MissingRequiredArgument, fault))
    }

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

fn prefix(text: &str) -> Result<Names, String> {
    let allowed = "not lower-case letters, digits and hyphens that begin with a letter";
    Names::with_prefix(text).ok_or_else(|| allowed.to_owned())
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
