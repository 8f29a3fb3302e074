//! Generations on disk. Each is a folder that is written beside the others, verified, published in
//! one step, and never changed again.
//!
//! `CURRENT` holds the name of the served generation and the hash of its manifest; the manifest
//! lists every other file with its length and hash. Only the engine knows what the files mean.

#![cfg_attr(
    not(test),
    warn(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss)
)]

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
pub use lock::lock;
pub use manifest::{Described, Manifest};
pub use plain_file::read_plain_file;
pub use staging::{Published, Staging};
pub use switch::roll_back;
