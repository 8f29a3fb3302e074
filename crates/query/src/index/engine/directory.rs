//! The engine's view of the files of a generation: bytes that were read and verified before.
//!
//! Reading whole files into memory avoids the faults of memory maps (a file truncated under the
//! server kills it) and works on read-only mounts, where tantivy's own reader would write a lock.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tantivy::Directory;
use tantivy::directory::error::{DeleteError, LockError, OpenReadError, OpenWriteError};
use tantivy::directory::{
    DirectoryLock, FileHandle, Lock, OwnedBytes, WatchCallback, WatchHandle, WritePtr,
};

/// A read-only directory of these files.
#[derive(Clone, Debug)]
pub(crate) struct VerifiedDirectory {
    files: Arc<BTreeMap<PathBuf, OwnedBytes>>,
}

impl VerifiedDirectory {
    pub(crate) fn new(files: BTreeMap<String, OwnedBytes>) -> Self {
        let named = |(name, bytes)| (PathBuf::from(name), bytes);
        Self { files: Arc::new(files.into_iter().map(named).collect()) }
    }

    fn get(&self, path: &Path) -> Result<&OwnedBytes, OpenReadError> {
        self.files.get(path).ok_or_else(|| OpenReadError::FileDoesNotExist(path.to_owned()))
    }
}

fn read_only() -> io::Error {
    io::Error::from(io::ErrorKind::PermissionDenied)
}

impl Directory for VerifiedDirectory {
    fn get_file_handle(&self, path: &Path) -> Result<Arc<dyn FileHandle>, OpenReadError> {
        Ok(Arc::new(self.get(path)?.clone()))
    }

    fn exists(&self, path: &Path) -> Result<bool, OpenReadError> {
        Ok(self.files.contains_key(path))
    }

    fn atomic_read(&self, path: &Path) -> Result<Vec<u8>, OpenReadError> {
        Ok(self.get(path)?.as_slice().to_vec())
    }

    fn delete(&self, path: &Path) -> Result<(), DeleteError> {
        Err(DeleteError::IoError { io_error: Arc::new(read_only()), filepath: path.to_owned() })
    }

    fn open_write(&self, path: &Path) -> Result<WritePtr, OpenWriteError> {
        Err(OpenWriteError::wrap_io_error(read_only(), path.to_owned()))
    }

    fn atomic_write(&self, _path: &Path, _data: &[u8]) -> io::Result<()> {
        Err(read_only())
    }

    fn sync_directory(&self) -> io::Result<()> {
        Ok(())
    }

    fn acquire_lock(&self, _lock: &Lock) -> Result<DirectoryLock, LockError> {
        // Nothing can change, so there is nothing to lock.
        Ok(DirectoryLock::from(Box::new(())))
    }

    fn watch(&self, _callback: WatchCallback) -> tantivy::Result<WatchHandle> {
        Ok(WatchHandle::empty())
    }
}
