//! Allows one rebuild at a time.

use std::fs::{self, File, Metadata, TryLockError};
use std::io::{self, ErrorKind, Read, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::Path;

use rustix::fs::OFlags;

use crate::StoreError;
use crate::durable::create_synced;

/// The lock file, held by a rebuild for as long as it runs.
const LOCK: &str = "LOCK";
/// How many bytes of the lock file are read; a process id is shorter.
const MOST_HOLDER_BYTES: u64 = 64;

/// Takes the lock of a data directory, creating the directory if need be. The operating system frees
/// it when this process ends, even if it is killed.
///
/// # Errors
/// [`StoreError::Locked`] while another process holds it; [`StoreError::InTheWay`],
/// [`StoreError::Io`].
pub fn lock(data: &Path) -> Result<File, StoreError> {
    create_synced(data)?;
    let path = data.join(LOCK);
    let mut lock = open_own(&path)?;
    match lock.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            let mut holder = String::new();
            // The holder is only a hint, so failing to read it does not matter.
            let read = lock.take(MOST_HOLDER_BYTES).read_to_string(&mut holder);
            let holder = read.map_or_else(|_| String::new(), |_| holder.trim().to_owned());
            return Err(StoreError::Locked { path, holder });
        }
        Err(TryLockError::Error(source)) => {
            return Err(StoreError::Io { action: "lock", path, source });
        }
    }
    let holder = format!("{}\n", std::process::id());
    let written = lock.set_len(0).and_then(|()| lock.write_all(holder.as_bytes()));
    written.map_err(StoreError::io("write", &path))?;
    Ok(lock)
}

/// Opens a file to overwrite: a regular file without another hard link, or a new one. Links are not
/// followed and pipes are not waited for, because others may be able to write to the directory.
fn open_own(path: &Path) -> Result<File, StoreError> {
    match fs::symlink_metadata(path) {
        Ok(metadata) => require_own(path, &metadata)?,
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        Err(error) => return Err(StoreError::io("read", path)(error)),
    }
    let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY).bits();
    let mut options = File::options();
    options.create(true).truncate(false).read(true).write(true).custom_flags(flags.cast_signed());
    let file = options.open(path).map_err(StoreError::io("open", path))?;
    let metadata: io::Result<Metadata> = file.metadata();
    require_own(path, &metadata.map_err(StoreError::io("read", path))?)?;
    Ok(file)
}

fn require_own(path: &Path, metadata: &Metadata) -> Result<(), StoreError> {
    let reason = match metadata.is_file() {
        true if metadata.nlink() == 1 => return Ok(()),
        true => "it has a second name elsewhere; remove this one",
        false => "it is not a plain file; remove it",
    };
    Err(StoreError::in_the_way(path, reason))
}
