//! The keys of clients, of which only hashes are kept.

mod change;
mod error;
mod expiry;
mod file;
mod key;
mod locked;
mod name;
mod redact;
mod store;

pub use error::KeyFileError;
pub(crate) use expiry::parse_new_expiry;
pub use expiry::{Expiry, ExpiryError};
pub use file::{KeyEntry, KeyFile};
pub(crate) use key::DEMO_KEY;
pub use key::{Key, KeyId};
pub(crate) use name::printable;
pub use name::{ClientName, ClientNameError};
pub(crate) use redact::{holds_key, without_keys};
pub use store::{KeyCheck, KeyStore};
