//! One rebuild at a time.

use std::fs::{self, File, TryLockError};
use std::io::Write;
use std::path::Path;

use super::durable::create_synced;
use crate::LayoutError;

/// Held by a rebuild for as long as it runs.
const LOCK: &str = "LOCK";

/// Takes the lock of a data directory, creating the directory if need be.
pub(super) fn lock(data: &Path) -> Result<File, LayoutError> {
    create_synced(data)?;
    let path = data.join(LOCK);
    let mut options = File::options();
    let lock = options.create(true).truncate(false).write(true).open(&path);
    let mut lock = lock.map_err(LayoutError::io("open", &path))?;
    match lock.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            let holder = fs::read_to_string(&path).unwrap_or_default().trim().to_owned();
            return Err(LayoutError::Locked { path, holder });
        }
        Err(TryLockError::Error(source)) => {
            return Err(LayoutError::Io { action: "lock", path, source });
        }
    }
    let holder = format!("{}\n", std::process::id());
    let written = lock.set_len(0).and_then(|()| lock.write_all(holder.as_bytes()));
    written.map_err(LayoutError::io("write", &path))?;
    Ok(lock)
}
