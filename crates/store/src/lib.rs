//! Generations on disk as bytes: one folder each, that is written beside the others, verified,
//! published in one step, and never changed again.
//!
//! `CURRENT` names the generation that is served and the hash of its manifest; the manifest names
//! every other file with its length and hash. What the files mean is an engine's business.

mod current;
mod durable;
mod error;
mod file_info;
mod lock;
mod manifest;
mod plain_file;
mod staging;
mod switch;

pub use current::{Current, generation_names};
pub use error::StoreError;
pub use file_info::FileInfo;
pub use manifest::{Described, Manifest};
pub use plain_file::read_plain_file;
pub use staging::{Published, Staging};
pub use switch::roll_back;
