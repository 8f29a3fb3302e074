//! Finds the official files on an open-data portal that speaks CKAN's API, downloads what has
//! changed, and builds from it.
//!
//! Downloads are kept in a folder, so that an unchanged file is not sent again, and a download that
//! broke off resumes where it stopped. The files in the folder are checked each time.

#![cfg_attr(
    not(test),
    warn(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss)
)]

mod catalogue;
mod choose;
mod client;
mod download;
mod error;
mod folder;
mod listing;
mod transfer;
mod update;

pub use catalogue::Resource;
pub use choose::{Found, OFFICIAL_FILES, OfficialFile};
pub use client::{Limits, Portal};
pub use download::Downloaded;
pub use error::{PortalError, PortalUrlError, UpdateError};
pub use folder::Downloads;
pub use listing::Listing;
pub use update::{DOWNLOADS, Update, Updated, last_update};
