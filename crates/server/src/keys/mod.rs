//! Who may ask: keys, of which only hashes are kept.

mod expiry;
mod file;
mod key;
mod redact;
mod store;

pub use expiry::{Expiry, ExpiryError};
pub use file::{KeyEntry, KeyFile, KeyFileError};
pub(crate) use key::DEMO_KEY;
pub use key::{Key, KeyId};
pub(crate) use redact::{holds_key, without_keys};
pub use store::{KeyCheck, KeyStore};
