//! Errors of generations on disk.

use std::io;
use std::path::PathBuf;

/// Why a generation could not be written, published or read.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The file system refused.
    #[error("cannot {action} `{}`: {source}", path.display())]
    Io {
        /// The attempt, as a verb: `read`, `create`, `sync`.
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// Another rebuild holds the lock.
    #[error("another rebuild holds `{}`: process {holder}", path.display())]
    Locked {
        /// The lock file.
        path: PathBuf,
        /// The process that holds it, according to the file.
        holder: String,
    },
    /// The file system has too little space for the build.
    #[error(
        "`{}` has too little space: about {needed} bytes are needed, {free} are free",
        path.display()
    )]
    NoSpace {
        /// The data directory.
        path: PathBuf,
        /// The estimated number of bytes needed.
        needed: u64,
        /// The number of bytes that are free.
        free: u64,
    },
    /// Something that does not belong to a rebuild is where the rebuild must write.
    #[error("`{}` is in the way: {reason}", path.display())]
    InTheWay {
        /// The path of the obstacle.
        path: PathBuf,
        /// The kind of obstacle, and what to do about it.
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
    /// A generation does not exist, or no longer exists.
    #[error(
        "`{}` does not keep {name}; it keeps {}, so name one of these",
        path.display(),
        listed(kept)
    )]
    NotKept {
        /// The data directory.
        path: PathBuf,
        /// The name of the generation.
        name: String,
        /// Those that are there, the newest first; at least one.
        kept: Vec<String>,
    },
    /// A published file differs from its manifest.
    #[error("`{}` is damaged: {reason}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The difference.
        reason: String,
    },
}

impl StoreError {
    /// The exit code of a command that this stops, after `sysexits.h`.
    #[must_use]
    pub const fn exit_code(&self) -> u8 {
        match self {
            Self::NoIndex { .. }
            | Self::NotKept { .. }
            | Self::Damaged { .. }
            | Self::NothingToRollBackTo { .. } => 66,
            Self::NoSpace { .. } => 73,
            Self::Io { .. } | Self::InTheWay { .. } => 74,
            Self::Locked { .. } => 75,
        }
    }

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

/// Names in a sentence.
fn listed(names: &[String]) -> String {
    match names {
        [others @ .., last] if !others.is_empty() => format!("{} and {last}", others.join(", ")),
        names => names.concat(),
    }
}
