//! The file of keys: names, hashes and states, written in one step.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use super::expiry::Expiry;
use super::key::{Key, KeyId};

/// The keys of all clients.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeyFile {
    /// In the order in which they were added.
    pub keys: Vec<KeyEntry>,
}

/// A key, of which only the hash is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeyEntry {
    /// The first 8 characters of the key.
    pub id: String,
    /// The client; several keys may have one name.
    pub name: String,
    /// SHA-256 of the key, in hexadecimal.
    pub sha256: String,
    /// When it was made, RFC 3339 in UTC.
    pub created_at: String,
    /// Whether it is refused.
    #[serde(default)]
    pub is_disabled: bool,
    /// Its last day; without one it is good until it is disabled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_on: Option<Expiry>,
}

/// Why a file of keys cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum KeyFileError {
    /// It does not exist.
    #[error("there is no key file `{}`; make a key with `outfall keys add NAME --keys {}`",
        path.display(), path.display())]
    Missing {
        /// The file.
        path: PathBuf,
    },
    /// The file system refused.
    #[error("cannot {action} the key file `{}`: {source}", path.display())]
    Io {
        /// What was tried.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// It is not a key file, or half of one.
    #[error("`{}` is not a key file: {reason}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Where it goes wrong.
        reason: String,
    },
    /// No key has that id or name.
    #[error("no key has the id or name `{wanted}`")]
    UnknownKey {
        /// What was looked for.
        wanted: String,
    },
    /// The operating system gives no randomness.
    #[error("no randomness for a new key: {0}")]
    NoRandomness(getrandom::Error),
}

impl KeyFile {
    /// Reads a file.
    ///
    /// # Errors
    /// See [`KeyFileError`].
    pub fn read(path: &Path) -> Result<Self, KeyFileError> {
        match fs::read(path) {
            Ok(bytes) => Self::parse(&bytes)
                .map_err(|reason| KeyFileError::Damaged { path: path.to_owned(), reason }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                Err(KeyFileError::Missing { path: path.to_owned() })
            }
            Err(source) => Err(KeyFileError::Io { action: "read", path: path.to_owned(), source }),
        }
    }

    /// Reads the bytes of a file, and checks every entry; the error says what is wrong.
    pub(super) fn parse(bytes: &[u8]) -> Result<Self, String> {
        let file: Self = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
        match file.keys.iter().find(|entry| entry.hash().is_none()) {
            Some(entry) => Err(format!("the hash of `{}` is not 64 hexadecimal digits", entry.id)),
            None => Ok(file),
        }
    }

    /// Adds a new key for a client; the file is made if there is none.
    ///
    /// # Errors
    /// See [`KeyFileError`].
    pub fn add(path: &Path, name: &str, expires_on: Option<Expiry>) -> Result<Key, KeyFileError> {
        let mut file = match Self::read(path) {
            Err(KeyFileError::Missing { .. }) => Self::default(),
            file => file?,
        };
        let key = Key::generate().map_err(KeyFileError::NoRandomness)?;
        file.keys.push(KeyEntry {
            id: key.id().to_string(),
            name: name.to_owned(),
            sha256: hex(&Sha256::digest(key.as_str())),
            created_at: OffsetDateTime::now_utc().format(&Rfc3339).unwrap_or_default(),
            is_disabled: false,
            expires_on,
        });
        file.write(path)?;
        Ok(key)
    }

    /// Disables every key of that id or name; tells how many there were.
    ///
    /// # Errors
    /// See [`KeyFileError`].
    pub fn revoke(path: &Path, wanted: &str) -> Result<usize, KeyFileError> {
        let mut file = Self::read(path)?;
        let mut count = 0;
        for entry in file.keys.iter_mut().filter(|it| it.id == wanted || it.name == wanted) {
            entry.is_disabled = true;
            count += 1;
        }
        if count == 0 {
            return Err(KeyFileError::UnknownKey { wanted: wanted.to_owned() });
        }
        file.write(path)?;
        Ok(count)
    }

    /// Writes the file so that a reader sees the old one or the new one, whole. Only its owner may
    /// read it.
    fn write(&self, path: &Path) -> Result<(), KeyFileError> {
        let failed = |source| KeyFileError::Io { action: "write", path: path.to_owned(), source };
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
        let parent = parent.unwrap_or(Path::new("."));
        fs::create_dir_all(parent).map_err(failed)?;
        // A temporary file is its owner's alone from the start.
        let mut new = tempfile::NamedTempFile::new_in(parent).map_err(failed)?;
        serde_json::to_writer_pretty(&mut new, self).map_err(|error| failed(error.into()))?;
        new.write_all(b"\n").map_err(failed)?;
        new.as_file().sync_all().map_err(failed)?;
        new.persist(path).map_err(|error| failed(error.error))?;
        Ok(())
    }
}

impl KeyEntry {
    /// The hash as bytes.
    pub(super) fn hash(&self) -> Option<[u8; 32]> {
        let digits = self.sha256.as_bytes();
        // A sign before a digit is a number to `from_str_radix`.
        if digits.len() != 64 || !digits.iter().all(u8::is_ascii_hexdigit) {
            return None;
        }
        let mut hash = [0; 32];
        for (byte, pair) in hash.iter_mut().zip(digits.chunks_exact(2)) {
            let pair = std::str::from_utf8(pair).ok()?;
            *byte = u8::from_str_radix(pair, 16).ok()?;
        }
        Some(hash)
    }

    /// The id as requests are logged with.
    pub(super) fn key_id(&self) -> KeyId {
        KeyId::new(&self.id)
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
