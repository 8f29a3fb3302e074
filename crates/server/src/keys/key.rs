//! A key: `prk_`, 32 random characters and 6 check characters.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use sha2::{Digest, Sha256};

pub(super) const PREFIX: &str = "prk_";
const RANDOM: usize = 32;
const CHECK: usize = 6;
/// How many characters of a key its id shows.
pub(super) const ID: usize = 8;
/// The key that anybody may use, where the operator allows it; it is its own id.
pub(crate) const DEMO_KEY: &str = "DEMO_KEY";
const BASE62: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// A key as its client holds it. It is shown once, when it is made, and never by `{:?}`.
#[derive(Clone, PartialEq, Eq)]
pub struct Key(String);

/// Identifies a key by its hash, or by who may use it. It is shown as the first characters of the
/// key, which reveal nothing about the rest.
#[derive(Clone, Debug)]
pub struct KeyId {
    holder: Holder,
    shown: Arc<str>,
}

/// Who may use a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Holder {
    /// A client: SHA-256 of its key.
    Client([u8; 32]),
    /// Anybody, with `DEMO_KEY`.
    Visitor,
    /// The explorer, with its pass instead of a key.
    Page,
}

impl Key {
    /// A new key.
    ///
    /// # Errors
    /// When the operating system provides no randomness.
    pub fn generate() -> Result<Self, getrandom::Error> {
        let mut key = PREFIX.to_owned();
        let mut bytes = [0; 64];
        while key.len() < PREFIX.len() + RANDOM {
            getrandom::fill(&mut bytes)?;
            // 248 is the largest multiple of 62 in a byte; the bytes from there on would favour
            // some digits.
            let fair = bytes.iter().filter(|byte| **byte < 248);
            let missing = PREFIX.len() + RANDOM - key.len();
            key.extend(fair.take(missing).map(|byte| digit(*byte)));
        }
        let check = check(&key);
        Ok(Self(key + &check))
    }

    /// The key itself.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Its id.
    #[must_use]
    pub fn id(&self) -> KeyId {
        KeyId::new(Sha256::digest(&self.0).into(), &self.0)
    }
}

/// The first characters of a text, as many as may be shown of a key.
pub(super) fn shown(text: &str) -> String {
    text.chars().take(ID).collect()
}

fn digit(byte: u8) -> char {
    char::from(BASE62[usize::from(byte) % BASE62.len()])
}

/// The check characters, by which people can tell a mistyped key from a wrong one.
fn check(key: &str) -> String {
    Sha256::digest(key).iter().take(CHECK).map(|byte| digit(*byte)).collect()
}

impl KeyId {
    /// The id of the key with this hash. Of `shown`, it keeps only as many characters as may be
    /// shown of a key.
    pub(super) fn new(hash: [u8; 32], shown: &str) -> Self {
        Self { holder: Holder::Client(hash), shown: self::shown(shown).into() }
    }

    /// The id of `DEMO_KEY`.
    pub(crate) fn demo() -> Self {
        Self { holder: Holder::Visitor, shown: DEMO_KEY.into() }
    }

    /// The id of all requests of the explorer.
    pub(crate) fn page() -> Self {
        Self { holder: Holder::Page, shown: "explorer".into() }
    }

    /// The same caller as [`Self::page`], in a frame on another site.
    pub(crate) fn embed() -> Self {
        Self { holder: Holder::Page, shown: "embed".into() }
    }

    pub(crate) fn is_demo(&self) -> bool {
        self.holder == Holder::Visitor
    }

    pub(crate) fn is_page(&self) -> bool {
        self.holder == Holder::Page
    }

    #[cfg(test)]
    pub(crate) fn of_test(key: &str) -> Self {
        Self::new(Sha256::digest(key).into(), key)
    }
}

impl PartialEq for KeyId {
    fn eq(&self, other: &Self) -> bool {
        self.holder == other.holder
    }
}

impl Eq for KeyId {}

impl Hash for KeyId {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.holder.hash(state);
    }
}

impl fmt::Display for KeyId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.shown)
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Key({}…)", self.id())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_differ_and_check() {
        let (first, second) = (Key::generate().unwrap(), Key::generate().unwrap());
        assert_ne!(first, second);
        for key in [first, second] {
            let (body, sum) = key.as_str().split_at(PREFIX.len() + RANDOM);
            assert_eq!((key.as_str().len(), check(body).as_str()), (42, sum));
            assert!(key.as_str()[PREFIX.len()..].bytes().all(|byte| BASE62.contains(&byte)));
            assert!(!format!("{key:?}").contains(sum));
        }
    }

    #[test]
    fn keys_that_begin_alike_are_not_the_same() {
        let [first, second] = ["prk_1234-first", "prk_1234-second"].map(KeyId::of_test);
        assert_eq!((first.to_string(), second.to_string()), ("prk_1234".into(), "prk_1234".into()));
        assert_ne!(first, second);
        assert_ne!(KeyId::of_test(DEMO_KEY), KeyId::demo());
        assert_ne!(KeyId::page(), KeyId::demo());
        let renamed = KeyId::new(Sha256::digest("prk_1234-first").into(), "other");
        assert_eq!(renamed, first, "a key is its hash, whatever the file calls it");
    }
}
