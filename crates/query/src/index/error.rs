//! The errors of an index.

use std::io;
use std::path::PathBuf;

use outfall_records::TooLarge;
use outfall_store::StoreError;

/// Why an index could not be written, published or opened.
#[derive(Debug, thiserror::Error)]
pub enum IndexError {
    /// The generation could not be written, published or read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The amounts of the records cannot be summed.
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
    /// There is more of something than an index can number.
    #[error("the {kind}s have {count} {what}, more than the {} that an index can number", u32::MAX)]
    TooMany {
        /// The name of the kind.
        kind: &'static str,
        /// What there is too much of.
        what: &'static str,
        /// How much there is.
        count: usize,
    },
    /// The system cannot start more threads.
    #[error("cannot start the threads that work on an index: {source}")]
    Threads {
        /// The system's error.
        source: io::Error,
    },
    /// The full-text engine failed.
    #[error("the full-text index in `{}` failed: {message}", path.display())]
    Engine {
        /// The folder of the index.
        path: PathBuf,
        /// The engine's message.
        message: String,
    },
    /// The new index does not find the records that a scan finds.
    #[error("the index of {kind} does not find the records that hold `{phrase}`")]
    Disagrees {
        /// The name of the kind.
        kind: &'static str,
        /// The phrase.
        phrase: String,
    },
}

impl IndexError {
    /// Whether trying again may help: too few descriptors, too little memory, a disk that does not
    /// answer. Damage stays until somebody repairs it.
    #[must_use]
    pub const fn may_pass(&self) -> bool {
        matches!(self, Self::Store(StoreError::Io { .. }) | Self::Threads { .. })
    }

    /// The exit code of a command that this stops, after `sysexits.h`.
    #[must_use]
    pub const fn exit_code(&self) -> u8 {
        match self {
            Self::Store(error) => error.exit_code(),
            Self::TooLarge(_) | Self::TooMany { .. } => 65,
            Self::Engine { .. } | Self::Disagrees { .. } => 70,
            Self::Threads { .. } => 71,
        }
    }

    /// A failure of the index in `folder`.
    pub(crate) fn engine(folder: &str, error: &tantivy::TantivyError) -> Self {
        Self::Engine { path: folder.into(), message: error.to_string() }
    }

    /// A file or folder that is not what its manifest says.
    pub fn damaged(path: impl Into<PathBuf>, reason: impl Into<String>) -> Self {
        StoreError::damaged(path, reason).into()
    }
}
