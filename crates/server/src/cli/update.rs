//! `outfall update`: brings the index of a data directory up to date.

use std::fmt::Display;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use outfall_indexer::{BuildOptions, TerminalProgress};
use outfall_portal::{DOWNLOADS, Portal, Update, UpdateError};
use serde::Serialize;

use super::{CommandError, DEFAULT_DATA};
use crate::engines::{self, IndexError};

const EXAMPLES: &str = "\
Examples:
  outfall update --data ./official
  outfall update --data ./official --dry-run

Exit codes:
   0  the index is up to date
  64  invalid command line
  65  too many rows of a file were rejected
  66  the portal does not have a file, or has another in its place
  69  the portal cannot be reached, or is too busy
  71  the system lets it start too few threads
  73  the file system has too little space for the index, or for the downloads
  74  the index or a download cannot be written
  75  another rebuild runs on the same data directory or downloads
  77  the build loses more than 5 % of a kind's records, or a whole year, against
      the served index, and --allow-shrink was not given

After any of them but 0, the index that was served stays served.";

/// The index to bring up to date, and from where.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct UpdateArgs {
    /// The data directory that the index is published in.
    #[arg(long, value_name = "DIR", env = "OUTFALL_DATA", default_value = DEFAULT_DATA)]
    data: PathBuf,
    /// Where the files come from.
    #[command(flatten)]
    portal: PortalArgs,
    /// Only list the files: download nothing, and build nothing.
    #[arg(long)]
    dry_run: bool,
    /// Publish even if more than 5 % of a kind's records, or a whole year, is lost.
    #[arg(long)]
    allow_shrink: bool,
    /// The form of the report on standard output.
    #[arg(long, value_enum, default_value_t = ReportFormat::Text)]
    report: ReportFormat,
}

/// Where the official files come from, and where they are kept.
#[derive(Clone, Debug, Args)]
pub struct PortalArgs {
    /// The address of the open-data portal, which speaks CKAN's API.
    #[arg(long, value_name = "URL", env = "OUTFALL_PORTAL", default_value = Portal::CANADA)]
    pub portal: Portal,
    /// The folder that files are downloaded to, and kept in [default: downloads in the data
    /// directory].
    #[arg(long, value_name = "DIR", env = "OUTFALL_DOWNLOAD_DIR")]
    pub download_dir: Option<PathBuf>,
}

/// The form of the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ReportFormat {
    /// For people.
    Text,
    /// For programs.
    Json,
}

impl PortalArgs {
    /// The folder of downloads of a data directory.
    pub(crate) fn downloads(&self, data: &Path) -> PathBuf {
        self.download_dir.clone().unwrap_or_else(|| data.join(DOWNLOADS))
    }
}

/// Brings the index up to date, and reports what changed.
///
/// # Errors
/// See [`CommandError`]; what was served before then stays served.
pub fn run(args: &UpdateArgs) -> Result<(), CommandError> {
    let update = Update {
        portal: args.portal.portal.clone(),
        downloads: args.portal.downloads(&args.data),
        options: BuildOptions {
            allow_shrink: args.allow_shrink,
            ..BuildOptions::of_files(Vec::new())
        },
    };
    if args.dry_run {
        let listing = update.listing().map_err(UpdateError::<IndexError>::Portal)?;
        return Ok(tell(args.report, &listing, &listing)?);
    }
    let updated = update.run(|| engines::begin(&args.data), &TerminalProgress::default())?;
    if let Err(error) = tell(args.report, &updated, &updated) {
        // The index is up to date all the same.
        let _ = writeln!(io::stderr(), "outfall: up to date, but not reported: {error}");
    }
    Ok(())
}

fn tell(format: ReportFormat, text: &impl Display, value: &impl Serialize) -> io::Result<()> {
    let mut out = io::stdout().lock();
    match format {
        ReportFormat::Text => write!(out, "{text}")?,
        ReportFormat::Json => writeln!(out, "{}", serde_json::to_string_pretty(value)?)?,
    }
    out.flush()
}
