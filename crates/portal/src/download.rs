//! Downloads a file: only if it has changed, and from where it broke off.

use std::path::PathBuf;

use outfall_indexer::{FileKind, Progress, recognise};
use serde::{Serialize, Serializer};

use crate::folder::{Place, Whole};
use crate::transfer::{Outcome, Transfer};
use crate::{Downloads, Found, Portal, PortalError, Resource};

/// An official file on the disk.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Downloaded {
    /// Its kind, by its header.
    #[serde(serialize_with = "name_of")]
    pub kind: FileKind,
    /// Where it is.
    pub path: PathBuf,
    /// Where it came from.
    pub url: String,
    /// Its length.
    pub bytes: u64,
    /// Its SHA-256, in hexadecimal.
    pub sha256: String,
    /// Whether it was downloaded now; otherwise the server said that the earlier file is still
    /// current.
    pub is_new: bool,
}

fn name_of<S: Serializer>(kind: &FileKind, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(kind.name())
}

impl Portal {
    /// Downloads an official file, unless it is there already and has not changed. If the likeliest
    /// resource turns out to be another file, the next one is tried.
    ///
    /// # Errors
    /// See [`PortalError`]. A download that broke off resumes at the next call.
    pub fn download(
        &self,
        found: &Found,
        to: &Downloads,
        progress: &dyn Progress,
    ) -> Result<Downloaded, PortalError> {
        let place = to.place(found.file.kind)?;
        let mut refused = None;
        for resource in &found.candidates {
            match self.download_one(found.file.kind, resource, &place, progress) {
                Err(
                    error @ (PortalError::WrongFile { .. }
                    | PortalError::Unexpected { .. }
                    | PortalError::Refused { .. }),
                ) => refused = refused.or(Some(error)),
                done => return done,
            }
        }
        Err(refused.unwrap_or_else(|| PortalError::unexpected(self.url(), "it lists no such file")))
    }

    fn download_one(
        &self,
        kind: FileKind,
        resource: &Resource,
        place: &Place,
        progress: &dyn Progress,
    ) -> Result<Downloaded, PortalError> {
        let url = resource.url.clone();
        let transfer = Transfer::new(self, kind, resource, place, progress)?;
        let outcome = self.persist(&url, || transfer.furthest(), || transfer.attempt())?;
        let (Whole { path, sha256, bytes, .. }, is_new) = match outcome {
            Outcome::Unchanged(whole) => (whole, false),
            Outcome::Complete(version) => {
                if let Err(source) = recognise(&place.part_path(), Some(kind)) {
                    place.discard()?;
                    return Err(PortalError::WrongFile { url, source });
                }
                (place.finish(version)?, true)
            }
        };
        Ok(Downloaded { kind, path, url, bytes, sha256, is_new })
    }
}
