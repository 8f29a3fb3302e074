//! The keys of a running service, which follow changes of the file.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use arc_swap::{ArcSwap, ArcSwapOption};
use sha2::{Digest, Sha256};
use subtle::{Choice, ConditionallySelectable, ConstantTimeEq};

use super::error::KeyFileError;
use super::expiry::Expiry;
use super::file::KeyFile;
use super::key::KeyId;
use crate::watcher::Watcher;

/// How often the file is checked.
const POLL: Duration = Duration::from_secs(1);

/// The result of looking a key up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeyCheck {
    /// It is valid.
    Active(KeyId),
    /// It was disabled.
    Disabled(KeyId),
    /// Its last day is over.
    Expired(KeyId),
    /// There is no such key.
    Unknown,
}

/// The known keys.
#[derive(Debug, Default)]
pub struct KeyStore {
    known: ArcSwap<Vec<KeyEntry>>,
    /// Why the file cannot be read.
    trouble: ArcSwapOption<String>,
    /// The thread that checks the file.
    watcher: Watcher,
}

#[derive(Debug)]
struct KeyEntry {
    id: KeyId,
    hash: [u8; 32],
    is_disabled: bool,
    expires_on: Option<Expiry>,
}

impl KeyStore {
    /// No key at all, for a service that needs none.
    #[must_use]
    pub fn empty() -> Self {
        Self::default()
    }

    /// The keys of a file, as it is now.
    ///
    /// # Errors
    /// See [`KeyFileError`].
    pub fn reading(path: &Path) -> Result<Self, KeyFileError> {
        let known = ArcSwap::from_pointee(known(&KeyFile::read(path)?));
        Ok(Self { known, ..Self::default() })
    }

    /// The keys of a file, which follow its changes. If it can no longer be read, the keys stay as
    /// they were.
    ///
    /// # Errors
    /// See [`KeyFileError`]; a service does not start on a broken file.
    pub fn watching(path: &Path) -> Result<Arc<Self>, KeyFileError> {
        let store = Arc::new(Self::default());
        let mut file = WatchedFile { path: path.to_owned(), last: None };
        file.look(&store)?;
        let watching =
            store.watcher.start("key file", POLL, &store, move |store| file.follow(store));
        watching.map_err(KeyFileError::Thread)?;
        Ok(store)
    }

    /// Checks the file at once instead of within a second.
    pub fn look_now(&self) {
        self.watcher.look_now();
    }

    /// Why the file cannot be read, if it cannot.
    #[must_use]
    pub fn trouble(&self) -> Option<Arc<String>> {
        self.trouble.load_full()
    }

    /// How many keys are valid, and how many are known but refused.
    pub(crate) fn counts(&self) -> (usize, usize) {
        let known = self.known.load();
        let active = known.iter().filter(|key| key.may_ask()).count();
        (active, known.len() - active)
    }

    /// Looks a key up. It is always compared with every known hash, so that the time reveals
    /// nothing.
    #[must_use]
    pub fn check(&self, presented: &[u8]) -> KeyCheck {
        let hash: [u8; 32] = Sha256::digest(presented).into();
        let known = self.known.load();
        let mut place = u32::MAX;
        for (index, key) in (0..).zip(known.iter()) {
            let is_same: Choice = key.hash.ct_eq(&hash);
            place.conditional_assign(&index, is_same);
        }
        match known.get(place as usize) {
            Some(key) if key.is_disabled => KeyCheck::Disabled(key.id.clone()),
            Some(key) if key.expires_on.is_some_and(Expiry::is_over) => {
                KeyCheck::Expired(key.id.clone())
            }
            Some(key) => KeyCheck::Active(key.id.clone()),
            None => KeyCheck::Unknown,
        }
    }
}

impl KeyEntry {
    fn may_ask(&self) -> bool {
        !self.is_disabled && !self.expires_on.is_some_and(Expiry::is_over)
    }
}

/// Lists each key once; all entries of a key are alike.
fn known(file: &KeyFile) -> Vec<KeyEntry> {
    let mut seen = HashSet::new();
    let keys = file.keys.iter().filter_map(|entry| {
        let (hash, id) = (entry.hash()?, entry.key_id()?);
        let (is_disabled, expires_on) = (entry.is_disabled, entry.expires_on);
        seen.insert(hash).then_some(KeyEntry { id, hash, is_disabled, expires_on })
    });
    keys.collect()
}

/// A key file that is watched.
struct WatchedFile {
    path: PathBuf,
    /// The bytes that the keys in force were read from.
    last: Option<Vec<u8>>,
}

impl WatchedFile {
    /// Puts the keys of the file in force if it has changed.
    fn look(&mut self, store: &KeyStore) -> Result<(), KeyFileError> {
        let bytes = KeyFile::read_bytes(&self.path)?;
        if self.last.as_ref() != Some(&bytes) {
            let file = KeyFile::parse_of(&self.path, &bytes)?;
            store.known.store(Arc::new(known(&file)));
            self.last = Some(bytes);
            tracing::info!(keys = file.keys.len(), "the key file was read");
        }
        Ok(())
    }
    /// Puts the keys of the file in force if it has changed, and reports once if it cannot be read.
    fn follow(&mut self, store: &KeyStore) {
        let trouble = self.look(store).err().map(|error| error.to_string());
        // Logs each change once, not once a second.
        if store.trouble.load().as_deref() == trouble.as_ref() {
            return;
        }
        match &trouble {
            Some(reason) => {
                tracing::error!(reason, "the key file cannot be read; the keys stay as they are");
            }
            None => tracing::info!("the key file can be read again"),
        }
        store.trouble.store(trouble.map(Arc::new));
    }
}
