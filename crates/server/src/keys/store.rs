//! The keys of a running service; changes of the file are picked up.

use std::fs;
use std::path::Path;
use std::sync::{Arc, Weak};
use std::thread;
use std::time::Duration;

use arc_swap::ArcSwap;
use sha2::{Digest, Sha256};
use subtle::{Choice, ConditionallySelectable, ConstantTimeEq};

use super::expiry::Expiry;
use super::file::{KeyEntry, KeyFile, KeyFileError};
use super::key::KeyId;

/// How often the file is looked at.
const POLL: Duration = Duration::from_secs(1);

/// What is known of a key that was presented.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeyCheck {
    /// It may ask.
    Active(KeyId),
    /// It is known and refused.
    Disabled(KeyId),
    /// Its last day is over.
    Expired(KeyId),
    /// It is none.
    Unknown,
}

/// The keys that may ask.
#[derive(Debug)]
pub struct KeyStore {
    known: ArcSwap<Vec<Known>>,
}

#[derive(Debug)]
struct Known {
    id: KeyId,
    hash: [u8; 32],
    is_disabled: bool,
    expires_on: Option<Expiry>,
}

impl KeyStore {
    /// No key at all, for a service that needs none.
    #[must_use]
    pub fn empty() -> Self {
        Self { known: ArcSwap::default() }
    }

    /// The keys of a file, as it is now.
    ///
    /// # Errors
    /// See [`KeyFileError`].
    pub fn reading(path: &Path) -> Result<Self, KeyFileError> {
        Ok(Self { known: ArcSwap::from_pointee(known(&KeyFile::read(path)?)) })
    }

    /// The keys of a file, now and whenever the file changes. A file that cannot be read any more
    /// leaves the keys as they were.
    ///
    /// # Errors
    /// See [`KeyFileError`]; a service does not start on a broken file.
    pub fn watching(path: &Path) -> Result<Arc<Self>, KeyFileError> {
        let store = Arc::new(Self::reading(path)?);
        let (watched, path) = (Arc::downgrade(&store), path.to_owned());
        thread::spawn(move || watch(&watched, &path));
        Ok(store)
    }

    /// How many keys may ask, and how many are known and refused.
    pub(crate) fn counts(&self) -> (usize, usize) {
        let known = self.known.load();
        let active = known.iter().filter(|key| key.may_ask()).count();
        (active, known.len() - active)
    }

    /// Looks a key up. Every known hash is compared, whichever one matches, so that the time tells
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

impl Known {
    fn may_ask(&self) -> bool {
        !self.is_disabled && !self.expires_on.is_some_and(Expiry::is_over)
    }
}

fn known(file: &KeyFile) -> Vec<Known> {
    let keys = file.keys.iter();
    let known = keys.filter_map(|entry| {
        let hash = entry.hash()?;
        let KeyEntry { is_disabled, expires_on, .. } = *entry;
        Some(Known { id: entry.key_id(), hash, is_disabled, expires_on })
    });
    known.collect()
}

/// Looks at the file until nobody asks for its keys any more.
fn watch(store: &Weak<KeyStore>, path: &Path) {
    let mut seen = fs::read(path).ok();
    loop {
        thread::sleep(POLL);
        let Some(store) = store.upgrade() else { return };
        let now = fs::read(path).ok();
        if now == seen {
            continue;
        }
        match now.as_deref().map(KeyFile::parse) {
            Some(Ok(file)) => {
                store.known.store(Arc::new(known(&file)));
                tracing::info!(keys = file.keys.len(), "the key file was read again");
            }
            Some(Err(reason)) => {
                tracing::error!(path = %path.display(), reason, "the key file is broken; the keys stay");
            }
            None => {
                tracing::error!(path = %path.display(), "the key file cannot be read; the keys stay");
            }
        }
        seen = now;
    }
}
