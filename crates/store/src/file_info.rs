//! One file of a generation: what it must be, and reading it only if it is.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::ops::DerefMut;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use rustix::fs::OFlags;
use serde::{Deserialize, Serialize};

use crate::StoreError;

/// As much of a file is hashed at a time as still is in a core's cache after it was read.
const CHUNK: usize = 256 << 10;

/// One file of a generation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileInfo {
    /// Its length.
    pub bytes: u64,
    /// Its BLAKE3 hash, in hexadecimal.
    pub blake3: String,
}

impl FileInfo {
    /// Of all that a file holds, read piece by piece.
    pub(crate) fn of(mut file: impl Read) -> io::Result<Self> {
        let (mut hasher, mut bytes) = (blake3::Hasher::new(), 0);
        let mut chunk = vec![0; CHUNK];
        loop {
            match file.read(&mut chunk) {
                Ok(0) => break,
                Ok(read) => {
                    hasher.update(&chunk[..read]);
                    bytes += read as u64;
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(Self { bytes, blake3: hasher.finalize().to_hex().to_string() })
    }

    /// Reads the file at `path` once, into memory that `allocate` gives for its length.
    ///
    /// # Errors
    /// [`StoreError::Damaged`] when it is not this file, [`StoreError::Io`].
    pub fn read<M: DerefMut<Target = [u8]>>(
        &self,
        path: &Path,
        allocate: impl FnOnce(usize) -> io::Result<M>,
    ) -> Result<M, StoreError> {
        let file = self.open(path)?;
        let (memory, hash) =
            read_hashed(file, self.bytes, allocate).map_err(StoreError::io("read", path))?;
        if hash == self.blake3 { Ok(memory) } else { Err(differs(path)) }
    }

    /// Reads the file at `path` piece by piece, to learn whether it is this one.
    ///
    /// # Errors
    /// As for [`FileInfo::read`].
    pub fn verify(&self, path: &Path) -> Result<(), StoreError> {
        let file = self.open(path)?;
        // It may still grow while it is read.
        let all_and_one_more = file.take(self.bytes.saturating_add(1));
        let found = Self::of(all_and_one_more).map_err(StoreError::io("read", path))?;
        if found == *self { Ok(()) } else { Err(differs(path)) }
    }

    /// Opens a regular file of this length. A link is not followed, because it could lead anywhere,
    /// and a pipe is not waited for.
    fn open(&self, path: &Path) -> Result<File, StoreError> {
        let not_plain = || StoreError::damaged(path, "it is not a plain file");
        // Opening a device can have an effect by itself, so the path is looked at first.
        let metadata = fs::symlink_metadata(path).map_err(StoreError::io("read", path))?;
        if !metadata.is_file() {
            return Err(not_plain());
        }
        let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY).bits();
        let opened = File::options().read(true).custom_flags(flags as i32).open(path);
        let file = opened.map_err(StoreError::io("open", path))?;
        let metadata = file.metadata().map_err(StoreError::io("read", path))?;
        match metadata.is_file() {
            true if metadata.len() == self.bytes => Ok(file),
            true => Err(differs(path)),
            false => Err(not_plain()),
        }
    }
}

/// The first bytes of a file, and the hash of them.
fn read_hashed<M: DerefMut<Target = [u8]>>(
    mut file: File,
    bytes: u64,
    allocate: impl FnOnce(usize) -> io::Result<M>,
) -> io::Result<(M, String)> {
    let mut hasher = blake3::Hasher::new();
    let length = usize::try_from(bytes).map_err(io::Error::other)?;
    let mut memory = allocate(length)?;
    for chunk in memory[..length].chunks_mut(CHUNK) {
        file.read_exact(chunk)?;
        hasher.update(chunk);
    }
    Ok((memory, hasher.finalize().to_hex().to_string()))
}

fn differs(path: &Path) -> StoreError {
    StoreError::damaged(path, "its length or hash is not the manifest's")
}
