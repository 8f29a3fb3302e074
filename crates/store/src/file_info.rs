//! One file of a generation: its length and hash, which are checked when it is read.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read, Seek};
use std::ops::DerefMut;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use rustix::fs::OFlags;
use serde::{Deserialize, Serialize};

use crate::StoreError;

/// How many bytes are read at a time before they are hashed, so that they are still in the core's
/// cache.
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
    /// The length and hash of a file, read piece by piece.
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

    /// Reads the file at `path` once, into memory of its length from `allocate`.
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

    /// Checks that the file at `path` is this one, reading it piece by piece.
    ///
    /// # Errors
    /// As for [`FileInfo::read`].
    pub fn verify(&self, path: &Path) -> Result<(), StoreError> {
        self.verified(path).map(drop)
    }

    /// The file at `path`, open at its beginning and checked as by [`FileInfo::verify`].
    ///
    /// # Errors
    /// As for [`FileInfo::read`].
    pub fn verified(&self, path: &Path) -> Result<File, StoreError> {
        let mut file = self.open(path)?;
        // It may still grow while it is read.
        let all_and_one_more = (&file).take(self.bytes.saturating_add(1));
        let found = Self::of(all_and_one_more).map_err(StoreError::io("read", path))?;
        if found != *self {
            return Err(differs(path));
        }
        file.rewind().map_err(StoreError::io("read", path))?;
        Ok(file)
    }

    /// Opens a regular file of this length. A link is not followed, because it could lead anywhere,
    /// and a pipe is not waited for.
    fn open(&self, path: &Path) -> Result<File, StoreError> {
        let not_plain = || StoreError::damaged(path, "it is not a plain file");
        // Opening a device can have an effect by itself, so the path is checked first.
        let metadata = fs::symlink_metadata(path).map_err(StoreError::io("read", path))?;
        if !metadata.is_file() {
            return Err(not_plain());
        }
        let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY).bits();
        let opened = File::options().read(true).custom_flags(flags.cast_signed()).open(path);
        let file = opened.map_err(StoreError::io("open", path))?;
        let metadata = file.metadata().map_err(StoreError::io("read", path))?;
        match metadata.is_file() {
            true if metadata.len() == self.bytes => Ok(file),
            true => Err(differs(path)),
            false => Err(not_plain()),
        }
    }
}

/// The first `bytes` bytes of a file, and their hash.
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
