//! What can go wrong with an index.

use std::io;
use std::path::PathBuf;

use outfall_store::StoreError;

/// Why an index could not be written, published or opened.
#[derive(Debug, thiserror::Error)]
pub enum IndexError {
    /// Its generation could not be written, published or read.
    #[error(transparent)]
    Store(#[from] StoreError),
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
    /// What was built does not find what a scan of its records finds.
    #[error("the index of {kind} does not find the records that hold `{phrase}`")]
    Disagrees {
        /// The name of the kind.
        kind: &'static str,
        /// What was looked for.
        phrase: String,
    },
}

impl IndexError {
    /// Whether trying again can help by itself: too few descriptors, too little memory, a disk that
    /// does not answer. What is damaged stays so until somebody mends it.
    #[must_use]
    pub const fn may_pass(&self) -> bool {
        matches!(self, Self::Store(StoreError::Io { .. }) | Self::Threads { .. })
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
