//! Finds the official files on an open-data portal that speaks CKAN's API, downloads what has
//! changed, and builds from it.
//!
//! What is downloaded stays in a folder, so that a file that has not changed is not sent again, and
//! one that broke off goes on where it stopped. The files that the folder has are checked each time.

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
