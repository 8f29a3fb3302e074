//! Reads small files that somebody may have replaced by something else.

use std::fs::{self, File, Metadata};
use std::io::{self, ErrorKind, Read};
use std::os::unix::fs::FileTypeExt;
use std::path::Path;

use rustix::fs::{Mode, OFlags};

use crate::StoreError;

/// Reads a regular file of at most `max_bytes`. It never waits for a pipe, never follows a link in
/// the last part of the path, and never uses more memory than the length that the file system
/// reports.
///
/// # Errors
/// [`ErrorKind::InvalidInput`] for anything but a regular file, [`ErrorKind::FileTooLarge`] for one
/// that is longer than `max_bytes` or than the file system reports, and those of the file system.
pub fn read_plain_file(path: &Path, max_bytes: u64) -> io::Result<Vec<u8>> {
    // Opening a pipe or a device can have an effect by itself, so the path is checked first.
    refuse_if_unfit(&fs::symlink_metadata(path)?, max_bytes)?;
    let flags =
        OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NONBLOCK | OFlags::NOFOLLOW | OFlags::NOCTTY;
    let file: File =
        rustix::io::retry_on_intr(|| rustix::fs::open(path, flags, Mode::empty()))?.into();
    // Something else may have taken the file's place since.
    let metadata = file.metadata()?;
    refuse_if_unfit(&metadata, max_bytes)?;
    let said = metadata.len();
    let mut bytes = Vec::new();
    // The file may grow while it is read, and files in `/proc` claim to be empty.
    file.take(said.saturating_add(1)).read_to_end(&mut bytes)?;
    match bytes.len() as u64 > said {
        true => Err(too_long(said)),
        false => Ok(bytes),
    }
}

/// Reads a regular file of at most `most` bytes; anything else in its place is damage.
pub(crate) fn read_bounded(path: &Path, most: u64) -> Result<Vec<u8>, StoreError> {
    read_plain_file(path, most).map_err(|error| match error.kind() {
        ErrorKind::InvalidInput | ErrorKind::FileTooLarge => {
            StoreError::damaged(path, error.to_string())
        }
        _ => StoreError::io("read", path)(error),
    })
}

fn refuse_if_unfit(metadata: &Metadata, max_bytes: u64) -> io::Result<()> {
    let kind = metadata.file_type();
    let found = match () {
        () if kind.is_file() && metadata.len() > max_bytes => return Err(too_long(max_bytes)),
        () if kind.is_file() => return Ok(()),
        () if kind.is_dir() => "a directory",
        () if kind.is_symlink() => "a symbolic link",
        () if kind.is_fifo() => "a pipe",
        () if kind.is_socket() => "a socket",
        () => "a device",
    };
    let reason = format!("it is {found}, not a regular file");
    Err(io::Error::new(ErrorKind::InvalidInput, reason))
}

fn too_long(max_bytes: u64) -> io::Error {
    let reason = format!("it is longer than {max_bytes} bytes");
    io::Error::new(ErrorKind::FileTooLarge, reason)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;
    use std::os::unix::net::UnixListener;

    use rustix::fs::{CWD, FileType};

    use super::*;

    #[test]
    fn only_short_regular_files_are_read() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        fs::write(at("short"), "1234").unwrap();
        fs::write(at("long"), "12345").unwrap();
        fs::create_dir(at("folder")).unwrap();
        symlink(at("short"), at("link")).unwrap();
        rustix::fs::mknodat(CWD, at("pipe"), FileType::Fifo, Mode::RUSR, 0).unwrap();
        let _socket = UnixListener::bind(at("socket")).unwrap();
        for (path, expected) in [
            (at("short"), Ok("1234")),
            (at("long"), Err((ErrorKind::FileTooLarge, "longer than 4 bytes"))),
            (at("folder"), Err((ErrorKind::InvalidInput, "a directory"))),
            (at("link"), Err((ErrorKind::InvalidInput, "a symbolic link"))),
            (at("pipe"), Err((ErrorKind::InvalidInput, "a pipe"))),
            (at("socket"), Err((ErrorKind::InvalidInput, "a socket"))),
            ("/dev/zero".into(), Err((ErrorKind::InvalidInput, "a device"))),
            (at("missing"), Err((ErrorKind::NotFound, "No such file"))),
            // It claims to be empty, but is not.
            ("/proc/self/status".into(), Err((ErrorKind::FileTooLarge, "longer than 0 bytes"))),
        ] {
            match (read_plain_file(&path, 4), expected) {
                (Ok(bytes), Ok(expected)) => assert_eq!(bytes, expected.as_bytes(), "{path:?}"),
                (Err(error), Err((kind, reason))) => {
                    assert_eq!(error.kind(), kind, "{path:?}: {error}");
                    assert!(error.to_string().contains(reason), "{path:?}: {error}");
                }
                (read, _) => panic!("{path:?}: {read:?}"),
            }
        }
    }
}
