//! A key file that one command changes while the others wait.

use std::fs::{self, File, Permissions, TryLockError};
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;
use tempfile::NamedTempFile;

use super::error::KeyFileError;
use super::file::{KeyFile, MAX_BYTES, resolved};

/// How long to wait before a lock that is taken is tried again.
const RETRY: Duration = Duration::from_millis(10);

/// A key file that no other command changes for as long as this is held.
#[derive(Debug)]
pub(super) struct LockedKeyFile {
    place: Place,
    _lock: File,
}

/// Where the file is, links resolved.
#[derive(Debug)]
struct Place {
    path: PathBuf,
    folder: PathBuf,
}

/// The owner of a file, and who may read it.
#[derive(Clone, Copy, Debug)]
struct Owner {
    /// User and group; `None` for those of the process.
    ids: Option<(u32, u32)>,
    mode: u32,
}

impl LockedKeyFile {
    /// Locks a file that exists.
    ///
    /// # Errors
    /// See [`KeyFileError`].
    pub(super) fn lock(path: &Path, patience: Duration) -> Result<Self, KeyFileError> {
        let path = resolved(path)?;
        let folder = path.parent().unwrap_or(Path::new("/")).to_owned();
        Place { path, folder }.lock(patience)
    }

    /// Locks a file, or the place of one that does not exist yet.
    ///
    /// # Errors
    /// See [`KeyFileError`].
    pub(super) fn lock_or_create(path: &Path, patience: Duration) -> Result<Self, KeyFileError> {
        match Self::lock(path, patience) {
            Err(KeyFileError::Missing { .. }) => {}
            locked => return locked,
        }
        let failed = |source| KeyFileError::Io { action: "create", path: path.to_owned(), source };
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
        let parent = parent.unwrap_or(Path::new("."));
        fs::create_dir_all(parent).map_err(failed)?;
        let folder = fs::canonicalize(parent).map_err(failed)?;
        let name = path.file_name().ok_or_else(|| failed(ErrorKind::InvalidFilename.into()))?;
        Place { path: folder.join(name), folder }.lock(patience)
    }

    /// The current contents of the file; no keys if it does not exist.
    ///
    /// # Errors
    /// See [`KeyFileError`].
    pub(super) fn read(&self) -> Result<KeyFile, KeyFileError> {
        match KeyFile::read(&self.place.path) {
            Err(KeyFileError::Missing { .. }) => Ok(KeyFile::default()),
            read => read,
        }
    }

    /// Replaces the file so that a reader sees the old one or the new one, whole. Owner, group and
    /// mode stay.
    ///
    /// # Errors
    /// See [`KeyFileError`].
    pub(super) fn replace(&self, file: &KeyFile) -> Result<(), KeyFileError> {
        let Place { path, folder } = &self.place;
        let failed = |source: io::Error| self.place.refused("write", source);
        let mut text = serde_json::to_vec_pretty(file).map_err(|error| failed(error.into()))?;
        text.push(b'\n');
        if text.len() as u64 > MAX_BYTES {
            return Err(KeyFileError::Full { path: path.clone() });
        }
        let mut new = NamedTempFile::new_in(folder).map_err(failed)?;
        new.write_all(&text).map_err(failed)?;
        self.place.owner().and_then(|owner| owner.give(new.as_file())).map_err(failed)?;
        new.as_file().sync_all().map_err(failed)?;
        new.persist(path).map_err(|error| failed(error.error))?;
        // A power cut must not bring a revoked key back.
        File::open(folder).and_then(|folder| folder.sync_all()).map_err(failed)
    }
}

impl Place {
    /// Waits for the lock, which is a file beside the key file. The key file itself is replaced at
    /// each change, so a lock on the old one would not protect the new one.
    fn lock(self, patience: Duration) -> Result<LockedKeyFile, KeyFileError> {
        let mut path = self.path.clone().into_os_string();
        path.push(".lock");
        let path = PathBuf::from(path);
        let started = Instant::now();
        loop {
            let failed = |source| self.refused_lock(&path, source);
            let lock = self.open_lock(&path).map_err(failed)?;
            match lock.try_lock() {
                // Someone may have removed the lock in the meantime, and another command may hold a
                // new one.
                Ok(()) if is_at(&lock, &path) => {
                    return Ok(LockedKeyFile { place: self, _lock: lock });
                }
                Ok(()) => {}
                Err(TryLockError::WouldBlock) if started.elapsed() < patience => {
                    thread::sleep(RETRY);
                }
                Err(TryLockError::WouldBlock) => {
                    let seconds = patience.as_secs();
                    return Err(KeyFileError::Locked { path, seconds });
                }
                Err(TryLockError::Error(source)) => return Err(failed(source)),
            }
        }
    }

    /// Opens the lock, or creates it for the owner of the key file. It is never written to.
    fn open_lock(&self, path: &Path) -> io::Result<File> {
        loop {
            let flags = OFlags::RDWR | OFlags::CLOEXEC | OFlags::NOFOLLOW | OFlags::NONBLOCK;
            match rustix::fs::open(path, flags, Mode::empty()).map(File::from) {
                Ok(lock) if lock.metadata()?.is_file() => return Ok(lock),
                Ok(_) | Err(Errno::LOOP | Errno::ISDIR | Errno::NXIO) => {
                    let reason = "it is not a regular file";
                    return Err(io::Error::new(ErrorKind::InvalidInput, reason));
                }
                Err(Errno::NOENT) => {}
                Err(error) => return Err(error.into()),
            }
            let new = NamedTempFile::new_in(&self.folder)?;
            Owner { mode: 0o600, ..self.owner()? }.give(new.as_file())?;
            match new.persist_noclobber(path) {
                Err(error) if error.error.kind() == ErrorKind::AlreadyExists => {}
                made => return made.map_err(|error| error.error),
            }
        }
    }

    /// The owner of the key file. One that root creates belongs to the owner of its folder, or the
    /// service could not read it.
    fn owner(&self) -> io::Result<Owner> {
        match fs::metadata(&self.path) {
            Ok(file) => {
                Ok(Owner { ids: Some((file.uid(), file.gid())), mode: file.mode() & 0o7777 })
            }
            Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
            Err(_) if rustix::process::geteuid().is_root() => {
                let folder = fs::metadata(&self.folder)?;
                Ok(Owner { ids: Some((folder.uid(), folder.gid())), mode: 0o600 })
            }
            Err(_) => Ok(Owner { ids: None, mode: 0o600 }),
        }
    }

    fn refused(&self, action: &'static str, source: io::Error) -> KeyFileError {
        let path = self.path.clone();
        match self.denied_owner(&source) {
            Some(owner) => KeyFileError::NotPermitted { path, owner, source },
            None => KeyFileError::Io { action, path, source },
        }
    }

    fn refused_lock(&self, lock: &Path, source: io::Error) -> KeyFileError {
        match self.denied_owner(&source) {
            Some(owner) => KeyFileError::NotPermitted { path: self.path.clone(), owner, source },
            None => KeyFileError::Lock { path: lock.to_owned(), source },
        }
    }

    /// The user who owns the file, if something was refused because it is another user's.
    fn denied_owner(&self, source: &io::Error) -> Option<u32> {
        let is_denied = source.kind() == ErrorKind::PermissionDenied;
        let owner = is_denied.then(|| fs::metadata(&self.path).ok()).flatten()?.uid();
        (owner != rustix::process::geteuid().as_raw()).then_some(owner)
    }
}

impl Owner {
    /// Gives a file this owner and mode.
    fn give(self, file: &File) -> io::Result<()> {
        let made = file.metadata()?;
        if let Some((user, group)) = self.ids
            && (made.uid(), made.gid()) != (user, group)
        {
            fchown(file, Some(user), Some(group))?;
        }
        file.set_permissions(Permissions::from_mode(self.mode))
    }
}

/// Whether an open file is the one that a path names.
fn is_at(file: &File, path: &Path) -> bool {
    let id = |metadata: fs::Metadata| (metadata.dev(), metadata.ino());
    let (opened, named) = (file.metadata().ok(), fs::symlink_metadata(path).ok());
    opened.is_some() && opened.map(id) == named.map(id)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a_lock_that_is_held_or_is_no_file_is_refused_by_name() {
        let dir = tempfile::tempdir().unwrap();
        let (keys, lock) = (dir.path().join("keys.json"), dir.path().join("keys.json.lock"));
        let held = LockedKeyFile::lock_or_create(&keys, Duration::ZERO).unwrap();
        assert_eq!(fs::metadata(&lock).unwrap().mode() & 0o777, 0o600);
        let patience = Duration::from_millis(50);
        let refused = LockedKeyFile::lock_or_create(&keys, patience).unwrap_err();
        assert!(
            matches!(&refused, KeyFileError::Locked { path, .. } if *path == lock),
            "{refused}"
        );
        drop(held);
        LockedKeyFile::lock_or_create(&keys, Duration::ZERO).unwrap();

        fs::remove_file(&lock).unwrap();
        let target = dir.path().join("target");
        fs::write(&target, "untouched").unwrap();
        let plant_link = || symlink(&target, &lock).unwrap();
        let plant_folder = || fs::create_dir(&lock).unwrap();
        let plant_pipe = || {
            let kind = rustix::fs::FileType::Fifo;
            rustix::fs::mknodat(rustix::fs::CWD, &lock, kind, Mode::RUSR, 0).unwrap();
        };
        for plant in [&plant_link as &dyn Fn(), &plant_pipe, &plant_folder] {
            plant();
            let refused = LockedKeyFile::lock_or_create(&keys, Duration::ZERO).unwrap_err();
            assert!(matches!(&refused, KeyFileError::Lock { .. }), "{refused}");
            let shown = refused.to_string();
            assert!(shown.contains("keys.json.lock") && shown.contains("not a regular"), "{shown}");
            fs::remove_file(&lock).or_else(|_| fs::remove_dir(&lock)).unwrap();
        }
        assert_eq!(fs::read_to_string(&target).unwrap(), "untouched");
    }
}
