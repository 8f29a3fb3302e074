//! The flags and the exit codes.

use std::path::{Path, PathBuf};

use clap::error::ErrorKind;
use clap::{Args, CommandFactory, Parser, ValueEnum};
use outfall_indexer::{BuildOptions, FileKind, InputFile};
use outfall_opensearch::{Client, ClusterError, ConnectionFiles, Layout, LoadOptions, Names};
use outfall_portal::{DOWNLOADS, Portal, Update};

const EXAMPLES: &str = "\
Examples:
  index-build --data ./data \\
      NPRI-INRP_ReleasesRejets_1993-present.csv \\
      PDGES-GHGRP-GHGEmissionsGES-2004-Present.csv
  index-build --data ./data --from-portal
  index-build --data ./data --check
  index-build --data ./data --rollback
  index-build --data ./data --changes
  index-build --data ./data --npri releases.csv.gz \\
      --locations locations.zip --ghgrp ghgrp.csv --report json
  index-build --to opensearch --url https://search.example.org:9200 --user loader \\
      --password-file /etc/outfall/loader.password releases.csv ghgrp.csv

Exit codes:
   0  published, or with --from-portal nothing was to be done
  64  invalid command line, or a file is of another kind than its flag says
  65  more rows were rejected than --max-rejects allows, or no row became a record
  66  a file cannot be read, or is none of the four kinds; the portal does not
      have it; the index to check is not whole, or a generation to compare is not there
  69  the cluster or the portal cannot be reached, or is too busy
  70  something failed that should not; please report it
  71  the system lets it start too few threads
  73  the file system has too little space for the index, or for the downloads
  74  the index or a download cannot be written
  75  another rebuild runs on the same data directory or downloads, or was published to the
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
    #[arg(long, value_name = "DIR", required_unless_present_any = ["url", "to", "manual"], conflicts_with = "url")]
    pub(crate) data: Option<PathBuf>,
    /// The engine to build for.
    #[arg(long, value_enum, default_value_t = Engine::Embedded)]
    pub(crate) to: Engine,
    /// The cluster to publish to, with `--to opensearch`.
    #[command(flatten)]
    pub(crate) cluster: ClusterArgs,
    /// Find the official files on the open-data portal, download those that have changed, and build
    /// from them; build nothing if none has.
    #[arg(long, conflicts_with_all = ["files", "npri", "ghgrp", "locations", "cesi", "check", "rollback", "changes"])]
    from_portal: bool,
    /// With `--from-portal`: the address of the portal, which speaks CKAN's API.
    #[arg(long, value_name = "URL", requires = "from_portal", default_value = Portal::CANADA)]
    portal: Portal,
    /// With `--from-portal`: the folder that files are downloaded to, and kept in [default:
    /// downloads in the data directory].
    #[arg(long, value_name = "DIR", requires = "from_portal")]
    download_dir: Option<PathBuf>,
    /// With `--from-portal`: only list the files.
    #[arg(long, requires = "from_portal")]
    pub(crate) dry_run: bool,
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
    /// Build nothing: tell what changed in the published index since the one that it replaced.
    #[arg(long, conflicts_with_all = ["files", "npri", "ghgrp", "locations", "cesi", "check", "rollback"])]
    changes: bool,
    /// With `--changes`: what changed since this generation, `41` or `gen-000041`, if it is kept.
    #[arg(long, value_name = "GENERATION", requires = "changes", value_parser = generation)]
    since: Option<String>,
    /// With `--since`: what changed up to this generation, instead of the published one.
    #[arg(long, value_name = "GENERATION", requires = "since", value_parser = generation)]
    until: Option<String>,
    /// With `--changes`: print every change as a row of CSV, instead of a summary.
    #[arg(long, requires = "changes", conflicts_with = "report")]
    list: bool,
    /// How many threads to use [default: as many as there are cores].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// The form of the report on standard output.
    #[arg(long, value_enum, default_value_t = ReportFormat::Text)]
    pub(crate) report: ReportFormat,
    /// Build nothing: write the manual page and shell completions below a folder, as packages do.
    #[arg(long, value_name = "DIR", exclusive = true, hide = true)]
    pub(crate) manual: Option<PathBuf>,
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

/// The changes that `--changes` asks for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ChangesArgs<'a> {
    pub(crate) data: &'a Path,
    /// The older generation; `None` for the one that the published one replaced.
    pub(crate) since: Option<&'a str>,
    /// The newer generation; `None` for the published one.
    pub(crate) until: Option<&'a str>,
    /// Whether to print the list instead of a summary.
    pub(crate) is_list: bool,
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
    /// Parses the arguments of the program.
    pub(crate) fn of_arguments() -> Result<Self, clap::Error> {
        let cli = Self::try_parse()?;
        let fault = match (cli.to, cli.cluster.is_named()) {
            _ if cli.manual.is_some() => return Ok(cli),
            (Engine::Embedded, true) => "--url is of a cluster; give `--to opensearch` too",
            (Engine::Embedded, false) if cli.data.is_none() => "`--to embedded` needs --data",
            (Engine::Opensearch, false) => "`--to opensearch` needs the --url of a cluster",
            (Engine::Opensearch, true) if cli.changes => {
                "--changes reads a data directory; give --data instead of --url"
            }
            (Engine::Opensearch, true) if cli.from_portal && cli.download_dir.is_none() => {
                "--from-portal needs the --download-dir to keep files in"
            }
            _ => return Ok(cli),
        };
        Err(Self::command().error(ErrorKind::MissingRequiredArgument, fault))
    }

    /// The changes that `--changes` asks for, if it is given.
    pub(crate) fn changes(&self) -> Option<ChangesArgs<'_>> {
        let data = self.data.as_deref().filter(|_| self.changes)?;
        let (since, until) = (self.since.as_deref(), self.until.as_deref());
        Some(ChangesArgs { data, since, until, is_list: self.list, report: self.report })
    }

    /// The update that `--from-portal` asks for, if it is given.
    pub(crate) fn update(&self) -> Option<Update> {
        let in_data = || self.data.as_deref().map(|data| data.join(DOWNLOADS));
        let downloads = self.download_dir.clone().or_else(in_data).filter(|_| self.from_portal)?;
        Some(Update { portal: self.portal.clone(), downloads, options: self.options() })
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

/// The name of a generation, from its number or its name.
fn generation(text: &str) -> Result<String, String> {
    let digits = text.strip_prefix("gen-").unwrap_or(text);
    let number =
        digits.parse::<u32>().ok().filter(|_| digits.bytes().all(|byte| byte.is_ascii_digit()));
    number.map_or_else(
        || Err("not a generation such as `41` or `gen-000041`".to_owned()),
        |number| Ok(format!("gen-{number:06}")),
    )
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
