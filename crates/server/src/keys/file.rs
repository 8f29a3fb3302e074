//! The key file: names, hashes and states.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use outfall_store::read_plain_file;
use serde::{Deserialize, Serialize};

use super::error::KeyFileError;
use super::expiry::Expiry;
use super::key::KeyId;

/// The maximum size of a key file, 16 MiB: about 60 000 keys.
pub(super) const MAX_BYTES: u64 = 16 << 20;

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
    /// Its last day; without one it is valid until it is disabled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_on: Option<Expiry>,
}

impl KeyFile {
    /// Reads a file. Refuses anything but a regular file, without waiting for it.
    ///
    /// # Errors
    /// See [`KeyFileError`].
    pub fn read(path: &Path) -> Result<Self, KeyFileError> {
        Self::parse_of(path, &Self::read_bytes(path)?)
    }

    /// The bytes of a file, or of the file that a link leads to.
    pub(super) fn read_bytes(path: &Path) -> Result<Vec<u8>, KeyFileError> {
        let read = resolved(path)?;
        read_plain_file(&read, MAX_BYTES).map_err(|source| KeyFileError::Io {
            action: "read",
            path: path.to_owned(),
            source,
        })
    }

    /// Reads the bytes of the file at `path`, and checks every entry.
    pub(super) fn parse_of(path: &Path, bytes: &[u8]) -> Result<Self, KeyFileError> {
        let damaged = |reason| KeyFileError::Damaged { path: path.to_owned(), reason };
        let mut file: Self =
            serde_json::from_slice(bytes).map_err(|error| damaged(error.to_string()))?;
        if let Some(entry) = file.keys.iter().find(|entry| entry.hash().is_none()) {
            let reason = format!("the hash of `{}` is not 64 hexadecimal digits", entry.id);
            return Err(damaged(reason));
        }
        file.apply_strictest_entries();
        Ok(file)
    }

    /// Makes all entries of one key alike: disabled if one is, and with the earliest last day.
    fn apply_strictest_entries(&mut self) {
        let mut strictest: HashMap<_, (bool, Option<Expiry>)> = HashMap::new();
        for entry in &self.keys {
            let (is_disabled, last_day) = strictest.entry(entry.hash()).or_default();
            *is_disabled |= entry.is_disabled;
            *last_day = last_day.iter().chain(&entry.expires_on).min().copied();
        }
        for entry in &mut self.keys {
            if let Some((is_disabled, last_day)) = strictest.get(&entry.hash()) {
                (entry.is_disabled, entry.expires_on) = (*is_disabled, *last_day);
            }
        }
    }
}

/// The file that a path leads to, with all links resolved.
pub(super) fn resolved(path: &Path) -> Result<PathBuf, KeyFileError> {
    let path = path.to_owned();
    match fs::canonicalize(&path) {
        Ok(target) => Ok(target),
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(KeyFileError::Io { action: "find", path, source: error })
        }
        Err(_) => match fs::read_link(&path) {
            Ok(target) => Err(KeyFileError::DanglingLink { path, target }),
            Err(_) => Err(KeyFileError::Missing { path }),
        },
    }
}

impl KeyEntry {
    /// The hash as bytes.
    pub(super) fn hash(&self) -> Option<[u8; 32]> {
        let digits = self.sha256.as_bytes();
        // `from_str_radix` would accept a sign.
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

    /// The id of the key, for limits and logs.
    pub(super) fn key_id(&self) -> Option<KeyId> {
        Some(KeyId::new(self.hash()?, &self.id))
    }
}
