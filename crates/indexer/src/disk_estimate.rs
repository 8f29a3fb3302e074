//! Estimates the room that a build needs, so that a full disk is reported at once and not at the
//! end.

use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

use crate::source::Container;

/// The bytes that any index takes, however small its files.
const LEAST: u64 = 1 << 20;
/// Official files unpack to at most this many times their length.
const UNPACKED: u64 = 16;
/// The index of a large file takes a quarter of its text. The list of changes takes as much if every
/// record changed.
const TEXT_PER_INDEX: u64 = 2;

/// The bytes that the index of these files will take, estimated high rather than low.
pub(crate) fn estimated<'a>(paths: impl Iterator<Item = &'a Path>) -> u64 {
    let text = paths.map(text_bytes).fold(0, u64::saturating_add);
    LEAST.saturating_add(text / TEXT_PER_INDEX)
}

/// A file that cannot be read counts as empty: reading it later gives the error.
fn text_bytes(path: &Path) -> u64 {
    let Ok(metadata) = fs::metadata(path) else {
        return 0;
    };
    // Opening a pipe would wait for its other end.
    if !metadata.is_file() {
        return 0;
    }
    let mut magic = Vec::new();
    let read = File::open(path).and_then(|file| file.take(4).read_to_end(&mut magic));
    match read.map(|_| Container::of(&magic)) {
        Ok(Container::Gzip | Container::Zip) => metadata.len().saturating_mul(UNPACKED),
        Ok(Container::Plain) | Err(_) => metadata.len(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_files_are_counted_as_what_they_unpack_to() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("plain"), vec![b'x'; 4_000]).unwrap();
        fs::write(at("packed"), [&b"\x1f\x8b"[..], &[0; 998]].concat()).unwrap();
        for (names, text) in [
            (&[][..], 0),
            (&["plain"], 4_000),
            (&["packed"], 16_000),
            (&["plain", "packed", "missing", "."], 20_000),
        ] {
            let paths: Vec<_> = names.iter().map(|name| at(name)).collect();
            let found = estimated(paths.iter().map(|path| path.as_path()));
            assert_eq!(found, LEAST + text / TEXT_PER_INDEX, "{names:?}");
        }
    }
}
