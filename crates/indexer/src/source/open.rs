//! Opens a file that is plain, gzip or a zip of one file, recognised by its first bytes.

use std::fs::{self, File, Metadata};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;

use flate2::read::MultiGzDecoder;
use zip::ZipArchive;

use super::content::Content;
use super::encoding::{Encoding, detect};
use super::unpacked::{Unpacked, most_unpacked};
use super::wrong_format::EXCEL;
use crate::ReadError;

/// An open file, decompressed, at its first byte after any byte order mark.
pub(crate) struct Opened {
    pub(crate) content: Content,
    pub(crate) encoding: Encoding,
    /// Bytes on disk.
    pub(crate) bytes: u64,
    /// The most bytes to parse.
    pub(crate) most_bytes: u64,
    /// To notice whether the file was written meanwhile.
    pub(crate) stamp: Stamp,
    /// Bytes on disk read so far.
    pub(crate) consumed: Arc<AtomicU64>,
}

/// A mark that changes when a file is written, or another is put in its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stamp {
    bytes: u64,
    modified: Option<SystemTime>,
    /// Device, inode and change time, which nobody can set back.
    #[cfg(unix)]
    identity: (u64, u64, i64, i64),
}

impl Stamp {
    pub(crate) fn of_path(path: &Path) -> io::Result<Self> {
        Ok(Self::of(&fs::metadata(path)?))
    }

    fn of(metadata: &Metadata) -> Self {
        #[cfg(unix)]
        use std::os::unix::fs::MetadataExt;
        Self {
            bytes: metadata.len(),
            modified: metadata.modified().ok(),
            #[cfg(unix)]
            identity: (metadata.dev(), metadata.ino(), metadata.ctime(), metadata.ctime_nsec()),
        }
    }
}

/// How a file is packed, by its first bytes.
pub(crate) enum Container {
    Plain,
    Gzip,
    Zip,
}

impl Container {
    pub(crate) const fn of(first_bytes: &[u8]) -> Self {
        match first_bytes {
            [0x1f, 0x8b, ..] => Self::Gzip,
            [b'P', b'K', 3 | 5, 4 | 6, ..] => Self::Zip,
            _ => Self::Plain,
        }
    }
}

/// Opens a file and finds out how it is packed and encoded.
pub(crate) fn open(path: &Path) -> Result<Opened, ReadError> {
    let failed = |source| ReadError::Read { path: path.to_owned(), source };
    let refused =
        |reason: &str| ReadError::Refused { path: path.to_owned(), reason: reason.to_owned() };
    let metadata = fs::metadata(path).map_err(failed)?;
    // A pipe could be read only once, and a directory not at all.
    if !metadata.is_file() {
        return Err(refused("it is not a regular file"));
    }
    if metadata.len() == 0 {
        return Err(refused("it is empty"));
    }
    let (content, _) = decompressed(path).map_err(failed)?;
    let (encoding, mark) = detect(content.reader).map_err(failed)?;
    let (mut content, consumed) = decompressed(path).map_err(failed)?;
    io::copy(&mut content.by_ref().take(mark as u64), &mut io::sink()).map_err(failed)?;
    let (bytes, most_bytes) = (metadata.len(), content.most_bytes);
    Ok(Opened { content, encoding, bytes, most_bytes, stamp: Stamp::of(&metadata), consumed })
}

fn decompressed(path: &Path) -> io::Result<(Content, Arc<AtomicU64>)> {
    let mut file = File::open(path)?;
    let packed = file.metadata()?.len();
    let container = container(&mut file)?;
    let consumed = Arc::new(AtomicU64::new(0));
    let counted = Counted { file, consumed: Arc::clone(&consumed) };
    let content = match container {
        Container::Plain => Content::on_disk(counted, packed),
        Container::Gzip => {
            let unpacked = Unpacked::new(MultiGzDecoder::new(counted), packed);
            Content::packed(unpacked, most_unpacked(packed))
        }
        Container::Zip => {
            let unpacked = only_member(counted, packed)?;
            let most_bytes = unpacked.metadata()?.len();
            Content::packed(unpacked, most_bytes)
        }
    };
    Ok((content, consumed))
}

fn container(file: &mut File) -> io::Result<Container> {
    let mut magic = Vec::new();
    file.take(4).read_to_end(&mut magic)?;
    file.seek(SeekFrom::Start(0))?;
    Ok(Container::of(&magic))
}

/// The only CSV file in an archive. A member borrows its archive, so its bytes pass through an
/// unnamed temporary file.
fn only_member(file: Counted, packed: u64) -> io::Result<File> {
    let mut archive = ZipArchive::new(file).map_err(io::Error::other)?;
    let refused = |message: String| io::Error::new(io::ErrorKind::InvalidData, message);
    // `.xlsx`, `.xlsm` and `.xlsb` files are archives that hold one of this name.
    if archive.file_names().flatten().any(|name| name.starts_with("xl/workbook.")) {
        return Err(refused(EXCEL.to_owned()));
    }
    let mut members = Vec::new();
    for index in 0..archive.len() {
        let member = archive.by_index(index).map_err(io::Error::other)?;
        let name = member.name_raw().to_ascii_lowercase();
        // The archiver of macOS adds a folder of its own.
        if member.is_file() && name.ends_with(b".csv") && !name.starts_with(b"__macosx/") {
            members.push(index);
        }
    }
    let [only] = members.as_slice() else {
        let count = members.len();
        return Err(refused(format!(
            "the archive holds {count} files named .csv; it must hold one"
        )));
    };
    let member = archive.by_index(*only).map_err(io::Error::other)?;
    let mut member = Unpacked::new(member, packed);
    let mut unpacked = tempfile::tempfile()?;
    io::copy(&mut member, &mut unpacked)?;
    unpacked.seek(SeekFrom::Start(0))?;
    Ok(unpacked)
}

/// Counts the bytes read of a file, for progress.
struct Counted {
    file: File,
    consumed: Arc<AtomicU64>,
}

impl Read for Counted {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(buffer)?;
        self.consumed.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}

impl Seek for Counted {
    fn seek(&mut self, position: SeekFrom) -> io::Result<u64> {
        self.file.seek(position)
    }
}
