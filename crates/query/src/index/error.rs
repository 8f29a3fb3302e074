//! What can go wrong with an index on disk.

use std::io;
use std::path::PathBuf;

/// Why an index could not be written, published or opened.
#[derive(Debug, thiserror::Error)]
pub enum LayoutError {
    /// The file system refused.
    #[error("cannot {action} `{}`: {source}", path.display())]
    Io {
        /// What was tried, as a verb: `read`, `create`, `sync`.
        action: &'static str,
        /// On what.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// The system starts no more threads.
    #[error("cannot start the threads that work on an index: {source}")]
    Threads {
        /// Why not.
        source: io::Error,
    },
    /// The full-text engine failed.
    #[error("the full-text index in `{}` failed: {message}", path.display())]
    Engine {
        /// The index.
        path: PathBuf,
        /// What the engine says.
        message: String,
    },
    /// The JSON of a record has a field that the layout of bodies does not place.
    #[error("the layout of a record's JSON has no place for `{field}`")]
    UnknownField {
        /// The field.
        field: String,
    },
    /// Another rebuild holds the lock.
    #[error("another rebuild holds `{}`: process {holder}", path.display())]
    Locked {
        /// The lock file.
        path: PathBuf,
        /// The process that holds it, as it says itself.
        holder: String,
    },
    /// The file system has no room for what is to be written.
    #[error(
        "`{}` has too little space: about {needed} bytes are needed, {free} are free",
        path.display()
    )]
    NoSpace {
        /// The data directory.
        path: PathBuf,
        /// Bytes that are needed, as far as can be told before.
        needed: u64,
        /// Bytes that are free.
        free: u64,
    },
    /// Something stands in a data directory where a rebuild writes, and is not its own.
    #[error("`{}` is in the way: {reason}", path.display())]
    InTheWay {
        /// What stands there.
        path: PathBuf,
        /// What it is, and what to do.
        reason: String,
    },
    /// There is no whole generation before the served one.
    #[error("`{}` holds no whole generation before the served one", path.display())]
    NothingToRollBackTo {
        /// The data directory.
        path: PathBuf,
    },
    /// There is no published index.
    #[error("`{}` holds no published index", path.display())]
    NoIndex {
        /// The data directory.
        path: PathBuf,
    },
    /// What was built does not find what a scan of its records finds.
    #[error("the index of {kind} does not find the records that hold `{phrase}`")]
    Disagrees {
        /// The name of the kind.
        kind: &'static str,
        /// What was looked for.
        phrase: String,
    },
    /// A published file is not what its manifest says.
    #[error("`{}` is damaged: {reason}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What differs.
        reason: String,
    },
}

impl LayoutError {
    /// Whether trying again can help by itself: too few descriptors, too little memory, a disk that
    /// does not answer. What is damaged stays so until somebody mends it.
    #[must_use]
    pub const fn may_pass(&self) -> bool {
        matches!(self, Self::Io { .. } | Self::Threads { .. })
    }

    /// A failure of the index in `folder`.
    pub(crate) fn engine(folder: &str, error: &tantivy::TantivyError) -> Self {
        Self::Engine { path: folder.into(), message: error.to_string() }
    }

    pub(crate) fn damaged(path: impl Into<PathBuf>, reason: impl Into<String>) -> Self {
        Self::Damaged { path: path.into(), reason: reason.into() }
    }

    pub(crate) fn in_the_way(path: impl Into<PathBuf>, reason: impl Into<String>) -> Self {
        Self::InTheWay { path: path.into(), reason: reason.into() }
    }

    pub(crate) fn io(
        action: &'static str,
        path: impl Into<PathBuf>,
    ) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |source| Self::Io { action, path, source }
    }
}
