//! Why official files could not be obtained, or no index could be made of them.

use std::io;
use std::path::PathBuf;

use outfall_indexer::{BuildError, ReadError};
use outfall_store::StoreError;

/// Why a text is not the address of a portal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not the address of a portal such as `https://open.canada.ca/data`")]
pub struct PortalUrlError;

/// Why an official file could not be found or downloaded. What was downloaded before is kept.
#[derive(Debug, thiserror::Error)]
pub enum PortalError {
    /// The server cannot be reached, breaks off, or is too busy, however often it is asked.
    #[error("`{url}` cannot be read: {reason}; try again later")]
    Unavailable {
        /// The address.
        url: String,
        /// What happened last.
        reason: String,
    },
    /// The server refuses the request.
    #[error("`{url}` is refused with status {status}; see whether a browser can open it")]
    Refused {
        /// The address.
        url: String,
        /// The HTTP status.
        status: u16,
    },
    /// What the server sends is not what was asked for.
    #[error(
        "`{url}` does not hold what it should: {reason}; if it stays like this, download the files \
         by hand and give them to `index-build`"
    )]
    Unexpected {
        /// The address.
        url: String,
        /// What it holds instead.
        reason: String,
    },
    /// No resource of the dataset looks like the file.
    #[error(
        "the dataset {dataset} on `{portal}` lists no file like `{wanted}`, only {listed}; download \
         the right one by hand and give it to `index-build`"
    )]
    NotListed {
        /// The portal.
        portal: String,
        /// The id of the dataset.
        dataset: &'static str,
        /// How the official file is named.
        wanted: &'static str,
        /// The names of what it lists.
        listed: String,
    },
    /// The file is not one that can be read, or is of another kind.
    #[error("`{url}` is not the official file: {source}")]
    WrongFile {
        /// The address.
        url: String,
        /// What is wrong with it.
        source: ReadError,
    },
    /// The folder of downloads cannot be read or written.
    #[error("cannot {action} `{}`: {source}", path.display())]
    Io {
        /// The attempt, as a verb.
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// Another download uses the folder, or it cannot be used.
    #[error(transparent)]
    Folder(#[from] StoreError),
}

impl PortalError {
    /// The exit code of a command that this stops, after `sysexits.h`.
    #[must_use]
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Refused { .. }
            | Self::Unexpected { .. }
            | Self::NotListed { .. }
            | Self::WrongFile { .. } => 66,
            Self::Unavailable { .. } => 69,
            Self::Io { source, .. } if source.kind() == io::ErrorKind::StorageFull => 73,
            Self::Io { .. } => 74,
            Self::Folder(error) => error.exit_code(),
        }
    }

    pub(crate) fn io(
        action: &'static str,
        path: impl Into<PathBuf>,
    ) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |source| Self::Io { action, path, source }
    }

    pub(crate) fn unexpected(url: &str, reason: impl Into<String>) -> Self {
        Self::Unexpected { url: url.to_owned(), reason: reason.into() }
    }
}

/// Why an index was not brought up to date; what was served before is untouched. `E` is the error
/// of the sink.
#[derive(Debug, thiserror::Error)]
pub enum UpdateError<E> {
    /// The files could not be found or downloaded.
    #[error(transparent)]
    Portal(#[from] PortalError),
    /// No index could be made of them.
    #[error(transparent)]
    Build(#[from] BuildError<E>),
}

impl<E> UpdateError<E> {
    /// The exit code of a command that this stops, after `sysexits.h`; `of_sink` gives that of an
    /// error of the sink.
    pub fn exit_code(&self, of_sink: impl FnOnce(&E) -> u8) -> u8 {
        match self {
            Self::Portal(error) => error.exit_code(),
            Self::Build(error) => error.exit_code(of_sink),
        }
    }
}
