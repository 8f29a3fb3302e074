//! The folder of downloads: for each kind of file the complete one, the part of one that broke off,
//! and what servers said about them.
//!
//! Others may be able to write there: links are not followed, and nothing is read without a bound.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use outfall_indexer::FileKind;
use outfall_store::{lock, read_plain_file};
use rustix::fs::OFlags;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::PortalError;

/// A folder of downloads, which no other process uses at the same time.
#[derive(Debug)]
pub struct Downloads {
    dir: PathBuf,
    _lock: File,
}

/// The place of a kind of file in the folder.
#[derive(Debug)]
pub(crate) struct Place {
    dir: PathBuf,
}

/// What a server said about a file, by which a later change is recognised.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Version {
    pub(crate) url: String,
    /// The name of the file.
    pub(crate) name: String,
    pub(crate) etag: Option<String>,
    pub(crate) last_modified: Option<String>,
    /// Its length in bytes, if the server gave it.
    pub(crate) bytes: Option<u64>,
    /// The hash of the whole file, in hexadecimal.
    pub(crate) sha256: Option<String>,
}

/// The part of a file downloaded so far, and the version that it belongs to.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    /// In bytes; at least one.
    pub(crate) length: u64,
    pub(crate) version: Version,
}

/// A file that is whole, and is still as it was downloaded.
#[derive(Clone, Debug)]
pub(crate) struct Whole {
    pub(crate) path: PathBuf,
    pub(crate) version: Version,
    pub(crate) sha256: String,
    /// Its length.
    pub(crate) bytes: u64,
}

/// The record of a whole file; that of a part is [`PART_RECORD`].
const RECORD: &str = "version.json";
const PART_RECORD: &str = "part.json";
const PART: &str = "part";
/// The longest record, in bytes: addresses and tags are far shorter.
const LONGEST_RECORD: u64 = 1 << 20;
/// How much of a file is hashed at a time, in bytes.
const PIECE: usize = 1 << 16;

impl Version {
    /// The validator of this version for `If-Range`, which allows no weak tag.
    pub(crate) fn validator(&self) -> Option<&str> {
        let strong = self.etag.as_deref().filter(|etag| !etag.starts_with("W/"));
        strong.or(self.last_modified.as_deref())
    }
}

impl Downloads {
    /// Uses a folder, creating it if need be.
    ///
    /// # Errors
    /// [`PortalError::Folder`] while another process uses it, or if it cannot be written.
    pub fn open(dir: &Path) -> Result<Self, PortalError> {
        Ok(Self { dir: dir.to_owned(), _lock: lock(dir)? })
    }

    /// The place of a kind of file, a folder that is created if need be. Anything else in its
    /// place, such as a link, is refused.
    pub(crate) fn place(&self, kind: FileKind) -> Result<Place, PortalError> {
        let dir = self.dir.join(kind.name());
        match fs::symlink_metadata(&dir) {
            Ok(found) if found.is_dir() => {}
            Ok(_) => {
                let source = io::Error::other("it is not a folder; remove it");
                return Err(PortalError::io("use", dir)(source));
            }
            Err(error) if error.kind() == ErrorKind::NotFound => {
                fs::create_dir(&dir).map_err(PortalError::io("create", &dir))?;
            }
            Err(error) => return Err(PortalError::io("read", dir)(error)),
        }
        Ok(Place { dir })
    }
}

impl Place {
    /// The whole file that was downloaded before, unless somebody changed it since.
    pub(crate) fn whole(&self) -> Result<Option<Whole>, PortalError> {
        let Some(version) = self.read(RECORD)? else { return Ok(None) };
        let path = self.dir.join(&version.name);
        let is_name = is_plain_name(&version.name);
        let hashed = if is_name { hash_of(&path).ok() } else { None };
        let hashed = hashed.filter(|(sha256, _)| version.sha256.as_ref() == Some(sha256));
        Ok(hashed.map(|(sha256, bytes)| Whole { path, version, sha256, bytes }))
    }

    /// The part of a file whose download broke off.
    pub(crate) fn part(&self) -> Result<Option<Part>, PortalError> {
        let Some(version) = self.read(PART_RECORD)? else { return Ok(None) };
        let found = fs::symlink_metadata(self.part_path()).ok();
        let length = found.filter(|found| found.is_file()).map_or(0, |found| found.len());
        Ok((length > 0).then_some(Part { length, version }))
    }

    /// Where a file is until it is whole.
    pub(crate) fn part_path(&self) -> PathBuf {
        self.dir.join(PART)
    }

    /// Begins a file anew.
    pub(crate) fn begin(&self, version: &Version) -> Result<File, PortalError> {
        self.discard()?;
        let path = self.part_path();
        let file = File::create_new(&path).map_err(PortalError::io("create", path))?;
        self.write(PART_RECORD, version)?;
        Ok(file)
    }

    /// Opens the partial file, to append to it.
    pub(crate) fn go_on(&self) -> Result<File, PortalError> {
        let path = self.part_path();
        let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK).bits();
        let file = File::options().append(true).custom_flags(flags.cast_signed()).open(&path);
        file.map_err(PortalError::io("open", path))
    }

    /// Removes the partial file and its record.
    pub(crate) fn discard(&self) -> Result<(), PortalError> {
        for name in [PART_RECORD, PART] {
            remove(&self.dir.join(name))?;
        }
        Ok(())
    }

    /// Replaces the file downloaded before by the one that is now complete.
    pub(crate) fn finish(&self, version: Version) -> Result<Whole, PortalError> {
        let (part, path) = (self.part_path(), self.dir.join(&version.name));
        let before = self.read(RECORD)?.map(|before| before.name);
        let (sha256, bytes) = hash_of(&part).map_err(PortalError::io("read", &part))?;
        let version = Version { bytes: Some(bytes), sha256: Some(sha256.clone()), ..version };
        // A file without its record does not count as complete.
        remove(&self.dir.join(RECORD))?;
        fs::rename(&part, &path).map_err(PortalError::io("rename", part))?;
        self.write(RECORD, &version)?;
        remove(&self.dir.join(PART_RECORD))?;
        if let Some(name) = before.filter(|name| *name != version.name && is_plain_name(name)) {
            remove(&self.dir.join(name))?;
        }
        Ok(Whole { path, version, sha256, bytes })
    }

    /// A record; `None` if there is none, or only half of one.
    fn read(&self, name: &str) -> Result<Option<Version>, PortalError> {
        let path = self.dir.join(name);
        match read_plain_file(&path, LONGEST_RECORD) {
            Ok(text) => Ok(serde_json::from_slice(&text).ok()),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(PortalError::io("read", path)(error)),
        }
    }

    /// Writes a record in one step.
    fn write(&self, name: &str, version: &Version) -> Result<(), PortalError> {
        let path = self.dir.join(name);
        let written = tempfile::NamedTempFile::new_in(&self.dir).and_then(|mut file| {
            file.write_all(&serde_json::to_vec(version)?)?;
            file.as_file().sync_all()?;
            file.persist(&path).map_err(|error| error.error)
        });
        written.map(drop).map_err(PortalError::io("write", path))
    }
}

/// Whether a text is the name of a file of data and nothing else, and not one of a record.
pub(crate) fn is_plain_name(name: &str) -> bool {
    /// The longest name that a file gets, in bytes.
    const LONGEST: usize = 120;
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"._-".contains(&byte);
    let lower = name.to_ascii_lowercase();
    let is_data = [".csv", ".zip", ".gz"].iter().any(|ending| lower.ends_with(ending));
    name.len() <= LONGEST && name.bytes().all(is_plain) && is_data && !name.starts_with('.')
}

/// The SHA-256 of a file in hexadecimal, and its length in bytes.
fn hash_of(path: &Path) -> io::Result<(String, u64)> {
    let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK).bits();
    let mut file = File::options().read(true).custom_flags(flags.cast_signed()).open(path)?;
    if !file.metadata()?.is_file() {
        return Err(io::Error::other("it is not a regular file"));
    }
    let (mut hasher, mut bytes, mut piece) = (Sha256::new(), 0, vec![0; PIECE]);
    loop {
        match file.read(&mut piece) {
            Ok(0) => break,
            Ok(read) => {
                hasher.update(&piece[..read]);
                bytes += read as u64;
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok((hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect(), bytes))
}

fn remove(path: &Path) -> Result<(), PortalError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(PortalError::io("remove", path)(error))
        }
        _ => Ok(()),
    }
}
