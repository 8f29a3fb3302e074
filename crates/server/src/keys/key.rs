//! A key: `prk_`, 32 characters of chance and 6 that check them.

use std::fmt;

use sha2::{Digest, Sha256};

pub(super) const PREFIX: &str = "prk_";
const RANDOM: usize = 32;
const CHECK: usize = 6;
/// What a key's id shows of it.
pub(super) const ID: usize = 8;
/// The key that everybody has, where there is one; it is its own id.
pub(crate) const DEMO_KEY: &str = "DEMO_KEY";
const BASE62: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// A key as its client holds it. It is shown once, when it is made, and never by `{:?}`.
#[derive(Clone, PartialEq, Eq)]
pub struct Key(String);

/// The first characters of a key: they name it in logs and lists and tell nothing of the rest.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct KeyId(String);

impl Key {
    /// A new key.
    ///
    /// # Errors
    /// When the operating system gives no randomness.
    pub fn generate() -> Result<Self, getrandom::Error> {
        let mut key = PREFIX.to_owned();
        let mut bytes = [0; 64];
        while key.len() < PREFIX.len() + RANDOM {
            getrandom::fill(&mut bytes)?;
            // 248 is the largest multiple of 62 in a byte; what is above would favour some.
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
        KeyId(self.0[..ID].to_owned())
    }
}

fn digit(byte: u8) -> char {
    char::from(BASE62[usize::from(byte) % BASE62.len()])
}

/// Tells a mistyped key from a wrong one, for people who look for their mistake.
fn check(key: &str) -> String {
    Sha256::digest(key).iter().take(CHECK).map(|byte| digit(*byte)).collect()
}

impl KeyId {
    pub(crate) fn new(id: &str) -> Self {
        Self(id.to_owned())
    }

    /// That of the key that everybody has, where there is one.
    pub(crate) fn demo() -> Self {
        Self(DEMO_KEY.to_owned())
    }

    pub(crate) fn is_demo(&self) -> bool {
        self.0 == DEMO_KEY
    }

    /// The characters.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for KeyId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Key({}…)", &self.0[..ID])
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
}
