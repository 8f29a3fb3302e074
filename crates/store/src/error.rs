//! What can go wrong with generations on disk.

use std::io;
use std::path::PathBuf;

/// Why a generation could not be written, published or read.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
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
    /// A published file is not what its manifest says.
    #[error("`{}` is damaged: {reason}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What differs.
        reason: String,
    },
}

impl StoreError {
    /// A file that is not what it should be.
    pub fn damaged(path: impl Into<PathBuf>, reason: impl Into<String>) -> Self {
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
