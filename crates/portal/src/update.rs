//! Brings an index up to date: downloads what has changed, and builds if anything has.

use std::collections::BTreeSet;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use outfall_indexer::{
    BuildError, BuildOptions, BuildReport, Compared, InputFile, Progress, build,
};
use outfall_request::RecordSink;
use serde::Serialize;

use crate::{Downloaded, Downloads, Listing, Portal, PortalError, UpdateError};

/// The name of the folder of downloads in a data directory.
pub const DOWNLOADS: &str = "downloads";
/// The file in the folder of downloads whose time is that of the last update that succeeded.
const MARK: &str = "updated";

/// How an index is brought up to date.
#[derive(Clone, Debug)]
pub struct Update {
    /// Where the official files are listed.
    pub portal: Portal,
    /// The folder that they are downloaded to.
    pub downloads: PathBuf,
    /// How the index is built; the files of the portal take the place of its files.
    pub options: BuildOptions,
}

/// An index that is up to date.
#[derive(Clone, Debug, Serialize)]
pub struct Updated {
    /// The generation that is published now.
    pub generation: String,
    /// Whether it was built now; otherwise the files are those that it was built from before.
    pub is_new: bool,
    /// The official files, as they are on the disk.
    pub downloads: Vec<Downloaded>,
    /// The report of the build; `None` if there was nothing to build.
    pub build: Option<BuildReport>,
}

impl Update {
    /// The files that would be downloaded. Downloads nothing.
    ///
    /// # Errors
    /// See [`PortalError`].
    pub fn listing(&self) -> Result<Listing, PortalError> {
        Ok(Listing::of(&self.portal, self.portal.find()?))
    }

    /// Downloads what has changed, and builds into the sink that `begin` makes, unless what is
    /// served there was built from exactly these files.
    ///
    /// # Errors
    /// See [`UpdateError`]; what was served before then stays served, and what was downloaded is
    /// kept.
    pub fn run<S: RecordSink<Error: Send> + Send>(
        &self,
        begin: impl FnOnce() -> Result<S, S::Error>,
        progress: &dyn Progress,
    ) -> Result<Updated, UpdateError<S::Error>> {
        // Held to the end, so that nobody changes the files while they are read.
        let folder = Downloads::open(&self.downloads)?;
        let downloads = self.portal.find()?.into_iter();
        let downloads = downloads.map(|found| self.portal.download(&found, &folder, progress));
        let downloads = downloads.collect::<Result<Vec<_>, PortalError>>()?;
        let sink = begin().map_err(BuildError::Sink)?;
        // The sink keeps others from publishing, so this does not change before the build is done.
        let served = sink.served().map_err(BuildError::Sink)?.filter(|served| {
            let built_from = served.sources.iter().map(|source| source.sha256.as_str());
            let now = downloads.iter().map(|file| file.sha256.as_str());
            built_from.collect::<BTreeSet<_>>() == now.collect::<BTreeSet<_>>()
        });
        let updated = match served {
            Some(served) => {
                Updated { generation: served.name, is_new: false, downloads, build: None }
            }
            None => {
                let files = downloads.iter();
                let files =
                    files.map(|file| InputFile { path: file.path.clone(), kind: Some(file.kind) });
                let options = BuildOptions { files: files.collect(), ..self.options.clone() };
                let report = build(&options, sink, progress)?;
                let generation = report.generation.clone();
                Updated { generation, is_new: true, downloads, build: Some(report) }
            }
        };
        // Without the mark, a service that is started again updates once more.
        drop(self.mark());
        Ok(updated)
    }

    /// Records the time of this update.
    fn mark(&self) -> Result<(), PortalError> {
        let path = self.downloads.join(MARK);
        let written = tempfile::NamedTempFile::new_in(&self.downloads);
        let written = written.and_then(|file| file.persist(&path).map_err(|error| error.error));
        written.map(drop).map_err(PortalError::io("write", path))
    }
}

/// When the last update with a folder of downloads succeeded; `None` if none has.
#[must_use]
pub fn last_update(downloads: &Path) -> Option<SystemTime> {
    fs::symlink_metadata(downloads.join(MARK)).and_then(|mark| mark.modified()).ok()
}

/// The report for people.
impl fmt::Display for Updated {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { generation, downloads, build, .. } = self;
        for Downloaded { kind, url, bytes, is_new, .. } in downloads {
            let state = if *is_new { "downloaded" } else { "unchanged" };
            writeln!(formatter, "{}: {state}, {bytes} bytes, {url}", kind.name())?;
        }
        let Some(report) = build else {
            let told = "was built from these files before; there is nothing to do";
            return writeln!(formatter, "{generation} {told}");
        };
        write!(formatter, "{report}")?;
        if let Some(Compared::With(changes)) = &report.changes {
            // Its first line is in the report.
            let changes = changes.to_string();
            let details = changes.split_once('\n').map_or("", |(_, details)| details);
            write!(formatter, "{details}")?;
        }
        writeln!(formatter, "published {generation}")
    }
}
