//! Targets that read files: the government's, the operator's, and our own from a failing disk.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::sync::OnceLock;

use outfall_indexer::{BuildOptions, ReadError, Silent};
use outfall_query::{Generation, Staging};
use outfall_server::keys::{KeyCheck, KeyStore};
use tempfile::{NamedTempFile, TempDir};

/// A file of any bytes: it is refused, or every row of it is accounted for.
pub fn csv_file(data: &[u8]) {
    read(data);
}

/// A row of any bytes in a file of releases, between two other rows.
pub fn csv_row(data: &[u8]) {
    let [header, first, last] = sample();
    let rows = [header.as_slice(), first, data, b"\r\n", last].concat();
    read(&rows);
}

/// Reads a file, allowing every row to be rejected, so that no rejects end the reading.
fn read(bytes: &[u8]) {
    let mut file = NamedTempFile::new().expect("a temporary file");
    file.write_all(bytes).expect("room for the file");
    let mut options = BuildOptions::of_files([file.path().to_owned()]);
    options.max_rejects = 1.0;
    options.threads = Some(1);
    let dataset = match outfall_indexer::read(&options, &Silent) {
        Ok(dataset) => dataset,
        Err(error) => {
            return assert!(!matches!(error, ReadError::TooManyRejects { .. }), "{error}");
        }
    };
    for file in &dataset.report.files {
        let rejected: u64 = file.source.rejected.values().sum();
        let known = file.source.accepted + rejected + file.superseded;
        assert_eq!(known, file.source.rows, "{file}");
    }
}

/// The header and two rows of the committed releases.
fn sample() -> &'static [Vec<u8>; 3] {
    static SAMPLE: OnceLock<[Vec<u8>; 3]> = OnceLock::new();
    SAMPLE.get_or_init(|| {
        let path = outfall_fixtures::committed_dir().join(outfall_fixtures::RELEASES);
        let bytes = fs::read(path).expect("the committed releases");
        let mut lines = bytes.split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec);
        [(); 3].map(|()| lines.next().expect("a header and two rows"))
    })
}

/// A manifest whose hash in `CURRENT` is right. Bytes that begin with `{` are the manifest
/// themselves; any others replace bytes of the real one: each replacement is a place of two bytes,
/// then the byte to put there.
pub fn manifest(data: &[u8]) {
    let (dir, real) = generation();
    let mut text = real.clone();
    match data.first() {
        Some(b'{') => text = data.to_vec(),
        _ => {
            for patch in data.chunks_exact(3) {
                let place = usize::from(u16::from_le_bytes([patch[0], patch[1]])) % text.len();
                text[place] = patch[2];
            }
        }
    }
    let is_real = text == *real;
    publish(dir.path(), &text);
    let opened = Generation::open(dir.path());
    assert!(opened.is_ok() || !is_real, "{opened:?}");
}

/// A small published index, and its manifest.
fn generation() -> &'static (TempDir, Vec<u8>) {
    static GENERATION: OnceLock<(TempDir, Vec<u8>)> = OnceLock::new();
    GENERATION.get_or_init(|| {
        let dir = tempfile::tempdir().expect("a temporary folder");
        let source = dir.path().join("releases.csv");
        fs::write(&source, sample().concat()).expect("room for the file");
        let options = BuildOptions::of_files([source]);
        outfall_indexer::build(
            &options,
            Staging::begin(dir.path()).expect("an empty folder"),
            &Silent,
        )
        .expect("an index of two rows");
        let manifest = fs::read(dir.path().join("gen-000001/manifest.json"));
        (dir, manifest.expect("a manifest"))
    })
}

fn publish(dir: &Path, manifest: &[u8]) {
    let current = format!("gen-000001 {}\n", blake3::hash(manifest).to_hex());
    fs::write(dir.join("gen-000001/manifest.json"), manifest).expect("room for the manifest");
    fs::write(dir.join("CURRENT"), current).expect("room for `CURRENT`");
}

/// A key file of any bytes: it is refused as a whole, or the same bytes are not a key in it.
pub fn key_file(data: &[u8]) {
    let mut file = NamedTempFile::new().expect("a temporary file");
    file.write_all(data).expect("room for the file");
    let Ok(store) = KeyStore::reading(file.path()) else { return };
    assert_eq!(store.check(data), KeyCheck::Unknown);
}
