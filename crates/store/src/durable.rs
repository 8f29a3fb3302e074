//! Writes files and folders that survive a power cut.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::Path;

use crate::{FileInfo, StoreError};

pub(crate) fn names_in(dir: &Path) -> Result<impl Iterator<Item = String>, StoreError> {
    let entries = fs::read_dir(dir).map_err(StoreError::io("read", dir))?;
    let names: Result<Vec<_>, _> =
        entries.map(|entry| entry.map(|entry| entry.file_name())).collect();
    let names = names.map_err(StoreError::io("read", dir))?;
    Ok(names.into_iter().filter_map(|name| name.into_string().ok()))
}

/// Syncs every file and folder below `dir`, and records the length and hash of each file. Files in
/// `written` are already synced; their recorded hashes are trusted here and verified when the
/// generation is opened.
pub(crate) fn sync_tree(
    dir: &Path,
    prefix: &str,
    written: &BTreeMap<String, FileInfo>,
    files: &mut BTreeMap<String, FileInfo>,
) -> Result<(), StoreError> {
    for name in names_in(dir)? {
        let path = dir.join(&name);
        let below = format!("{prefix}{name}");
        if path.is_dir() {
            sync_tree(&path, &format!("{below}/"), written, files)?;
            continue;
        }
        let info = match written.get(&below) {
            Some(info) => info.clone(),
            None => {
                let file = File::open(&path).map_err(StoreError::io("open", &path))?;
                file.sync_all().map_err(StoreError::io("sync", &path))?;
                FileInfo::of(file).map_err(StoreError::io("read", &path))?
            }
        };
        files.insert(below, info);
    }
    sync_dir(dir)
}

/// Creates a folder and its missing parents, so that they survive a power cut.
pub(crate) fn create_synced(dir: &Path) -> Result<(), StoreError> {
    let is_missing = |path: &&Path| !path.as_os_str().is_empty() && !path.exists();
    let missing: Vec<&Path> = dir.ancestors().take_while(is_missing).collect();
    fs::create_dir_all(dir).map_err(StoreError::io("create", dir))?;
    for parent in missing.into_iter().filter_map(Path::parent) {
        // The parent of a relative path such as `data` is empty and means the working directory.
        sync_dir(if parent.as_os_str().is_empty() { Path::new(".") } else { parent })?;
    }
    Ok(())
}

pub(crate) fn sync_dir(dir: &Path) -> Result<(), StoreError> {
    let synced = File::open(dir).and_then(|dir| dir.sync_all());
    synced.map_err(StoreError::io("sync", dir))
}

/// Removes a file, a link, or a folder with all its contents, if there is one. Links are not
/// followed.
pub(crate) fn remove_any(path: &Path) -> Result<(), StoreError> {
    let removed = match fs::symlink_metadata(path) {
        Ok(metadata) if metadata.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path),
        Err(error) => Err(error),
    };
    match removed {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(StoreError::io("remove", path)(error))
        }
        _ => Ok(()),
    }
}

/// Writes a new file; fails if the name is taken.
pub(crate) fn write_synced(path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    write_pieces_synced(path, vec![bytes]).map(drop)
}

/// Writes a new file and returns its length and hash, so that it need not be read again. Each piece
/// is freed once it is written.
pub(crate) fn write_pieces_synced(
    path: &Path,
    pieces: Vec<impl AsRef<[u8]>>,
) -> Result<FileInfo, StoreError> {
    let mut file = File::create_new(path).map_err(StoreError::io("create", path))?;
    let (mut length, mut hasher) = (0, blake3::Hasher::new());
    for piece in pieces {
        let piece = piece.as_ref();
        file.write_all(piece).map_err(StoreError::io("write", path))?;
        hasher.update(piece);
        length += piece.len() as u64;
    }
    file.sync_all().map_err(StoreError::io("sync", path))?;
    Ok(FileInfo { bytes: length, blake3: hasher.finalize().to_hex().to_string() })
}
