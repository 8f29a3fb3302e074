//! Who may ask: keys, of which only hashes are kept.

mod expiry;
mod file;
mod key;
mod store;

pub use expiry::{Expiry, ExpiryError};
pub use file::{KeyEntry, KeyFile, KeyFileError};
pub(crate) use key::DEMO_KEY;
pub use key::{Key, KeyId};
pub use store::{KeyCheck, KeyStore};
