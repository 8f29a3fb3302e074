//! Adding and revoking keys.

use std::collections::HashSet;
use std::path::Path;
use std::time::Duration;

use sha2::{Digest, Sha256};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use super::error::KeyFileError;
use super::expiry::Expiry;
use super::file::{KeyEntry, KeyFile};
use super::key::{Key, PREFIX, shown};
use super::locked::LockedKeyFile;
use super::name::{ClientName, printable};

/// How long a command waits while others change the file. Each of them locks it for as long as the
/// disk takes to write it.
const PATIENCE: Duration = Duration::from_secs(30);

impl KeyFile {
    /// Adds a new key for a client, and creates the file if there is none.
    ///
    /// # Errors
    /// See [`KeyFileError`].
    pub fn add(
        path: &Path,
        name: &ClientName,
        expires_on: Option<Expiry>,
    ) -> Result<Key, KeyFileError> {
        let locked = LockedKeyFile::lock_or_create(path, PATIENCE)?;
        let mut file = locked.read()?;
        let key = file.unlisted_key(Key::generate)?;
        let now = OffsetDateTime::now_utc();
        file.keys.push(KeyEntry {
            id: key.id().to_string(),
            name: name.to_string(),
            sha256: hex(&Sha256::digest(key.as_str())),
            created_at: rfc3339(now.truncate_to_second()),
            is_disabled: false,
            expires_on,
        });
        locked.replace(&file)?;
        Ok(key)
    }

    /// A key whose id no other key has, so that the id alone identifies it.
    fn unlisted_key(
        &self,
        mut draw: impl FnMut() -> Result<Key, getrandom::Error>,
    ) -> Result<Key, KeyFileError> {
        loop {
            let key = draw().map_err(KeyFileError::NoRandomness)?;
            let id = key.id().to_string();
            if self.keys.iter().all(|entry| entry.id != id) {
                return Ok(key);
            }
        }
    }

    /// Disables a key, given by its id, its hash or the whole key, or every key of a client.
    /// Returns how many keys matched.
    ///
    /// # Errors
    /// See [`KeyFileError`].
    pub fn revoke(path: &Path, wanted: &str) -> Result<usize, KeyFileError> {
        let locked = LockedKeyFile::lock(path, PATIENCE)?;
        let mut file = locked.read()?;
        let hashes = file.hashes_of(wanted)?;
        for entry in &mut file.keys {
            entry.is_disabled |= entry.hash().is_some_and(|hash| hashes.contains(&hash));
        }
        locked.replace(&file)?;
        Ok(hashes.len())
    }

    /// The hashes of the keys that `wanted` means.
    fn hashes_of(&self, wanted: &str) -> Result<HashSet<[u8; 32]>, KeyFileError> {
        let of_whole: [u8; 32] = Sha256::digest(wanted).into();
        let is_exact = |entry: &&KeyEntry| {
            entry.hash() == Some(of_whole) || entry.sha256.eq_ignore_ascii_case(wanted)
        };
        if let Some(hash) = self.keys.iter().find(is_exact).and_then(KeyEntry::hash) {
            return Ok(HashSet::from([hash]));
        }
        let is_called = |entry: &&KeyEntry| entry.id == wanted || entry.name == wanted;
        let called: Vec<&KeyEntry> = self.keys.iter().filter(is_called).collect();
        let hashes: HashSet<_> = called.iter().filter_map(|entry| entry.hash()).collect();
        // A client may have several keys, but an id must mean one.
        if hashes.len() > 1 && called.iter().any(|entry| entry.id == wanted) {
            let names = called.iter().map(|entry| printable(&entry.name)).collect();
            return Err(KeyFileError::AmbiguousId { wanted: wanted.to_owned(), names });
        }
        match hashes.is_empty() {
            // Text that looks like a key may be one from another file, so it is not shown whole.
            true if wanted.starts_with(PREFIX) => {
                Err(KeyFileError::UnknownKey { wanted: shown(wanted) })
            }
            true => Err(KeyFileError::UnknownKey { wanted: wanted.to_owned() }),
            false => Ok(hashes),
        }
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[expect(clippy::expect_used, reason = "the years of a clock have four digits")]
fn rfc3339(time: OffsetDateTime) -> String {
    time.format(&Rfc3339).expect("a time of this era")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(key: &str, name: &str) -> KeyEntry {
        KeyEntry {
            id: shown(key),
            name: name.to_owned(),
            sha256: hex(&Sha256::digest(key)),
            created_at: String::new(),
            is_disabled: false,
            expires_on: None,
        }
    }

    #[test]
    fn an_id_is_drawn_again_when_another_key_has_it() {
        let [taken, free] = [Key::generate().unwrap(), Key::generate().unwrap()];
        let file = KeyFile { keys: vec![entry(taken.as_str(), "old")] };
        let mut drawn = [taken.clone(), taken, free.clone()].into_iter();
        assert_eq!(file.unlisted_key(|| Ok(drawn.next().unwrap())).unwrap(), free);
    }

    #[test]
    fn what_is_revoked_is_certain() {
        let keys = [("prk_same-1", "one"), ("prk_same-2", "two"), ("prk_other-3", "two")];
        let file = KeyFile { keys: keys.map(|(key, name)| entry(key, name)).to_vec() };
        let hash_of_second = file.keys[1].sha256.to_uppercase();
        for (wanted, expected) in [
            ("one", Ok(vec![0])),
            ("two", Ok(vec![1, 2])),
            ("prk_othe", Ok(vec![2])),
            ("prk_same-2", Ok(vec![1])),
            (&hash_of_second, Ok(vec![1])),
            ("prk_same", Err("is the id of 2 keys: one, two")),
            ("prk_same-3-of-another-file", Err("`prk_same`")),
            ("three", Err("`three`")),
            ("", Err("``")),
        ] {
            match (file.hashes_of(wanted), expected) {
                (Ok(hashes), Ok(expected)) => {
                    let keys =
                        expected.into_iter().filter_map(|place: usize| file.keys[place].hash());
                    assert_eq!(hashes, keys.collect(), "{wanted}");
                }
                (Err(error), Err(text)) => {
                    let error = error.to_string();
                    assert!(error.contains(text) && !error.contains("another"), "{error}");
                }
                (found, _) => panic!("{wanted}: {found:?}"),
            }
        }
    }
}
