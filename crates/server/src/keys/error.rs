//! Errors of the key file.

use std::io;
use std::path::PathBuf;

use super::file::MAX_BYTES;

/// Why a key file cannot be read or changed.
#[derive(Debug, thiserror::Error)]
pub enum KeyFileError {
    /// It does not exist.
    #[error("there is no key file `{}`; make a key with `outfall keys add NAME --keys {}`",
        path.display(), path.display())]
    Missing {
        /// The file.
        path: PathBuf,
    },
    /// It is a link to a file that does not exist.
    #[error("the key file `{}` is a link to `{}`, which does not exist",
        path.display(), target.display())]
    DanglingLink {
        /// The link.
        path: PathBuf,
        /// Where it leads.
        target: PathBuf,
    },
    /// The file system refused, or it is not a regular file.
    #[error("cannot {action} the key file `{}`: {source}", path.display())]
    Io {
        /// The attempt, as a verb.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// The user who runs the command may not change it without taking it over from its owner.
    #[error(
        "cannot change the key file `{}`, which belongs to the user with the id {owner}: {source}. \
         Run this command as that user or as root; nothing was changed",
        path.display()
    )]
    NotPermitted {
        /// The file.
        path: PathBuf,
        /// The id of the user who owns it.
        owner: u32,
        /// Why not.
        source: io::Error,
    },
    /// Another command has been changing it for too long.
    #[error(
        "another command has been changing the keys for {seconds} s and holds `{}`; nothing was \
         changed, try again",
        path.display()
    )]
    Locked {
        /// The lock.
        path: PathBuf,
        /// How long this command has waited.
        seconds: u64,
    },
    /// The lock cannot be taken.
    #[error("cannot lock the key file with `{}`: {source}; nothing was changed", path.display())]
    Lock {
        /// The lock.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// It is not a key file, or only a part of one.
    #[error("`{}` is not a key file: {reason}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// One more key would make it too long to be read.
    #[error(
        "the key file `{}` would be longer than {MAX_BYTES} bytes; take revoked keys out of it",
        path.display()
    )]
    Full {
        /// The file.
        path: PathBuf,
    },
    /// No key has the given id, name or hash, or is the given key.
    #[error("no key has the id or name `{wanted}`, nor is that a whole key")]
    UnknownKey {
        /// The text that was looked for; of a key, only its first characters.
        wanted: String,
    },
    /// Several keys have the id.
    #[error(
        "`{wanted}` is the id of {} keys: {}. Give the whole key, or its `sha256` in the key file",
        names.len(), names.join(", ")
    )]
    AmbiguousId {
        /// The id.
        wanted: String,
        /// The clients that the keys belong to.
        names: Vec<String>,
    },
    /// The operating system provides no randomness.
    #[error("no randomness for a new key: {0}")]
    NoRandomness(getrandom::Error),
    /// The operating system does not start a thread.
    #[error("cannot start a thread: {0}")]
    Thread(io::Error),
}
