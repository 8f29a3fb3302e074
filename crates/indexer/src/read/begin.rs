//! The beginning of a file: its header, and by it its kind.

use std::path::Path;

use crate::header::{FileKind, Header};
use crate::source::{Block, Blocks, Content, CsvRows, Encoding, Opened, wrong_format};
use crate::{ReadError, source};

/// A file whose header is read.
pub(super) struct Begun {
    pub(super) header: Header,
    pub(super) delimiter: u8,
    /// The lines after the header that were read with it.
    pub(super) rest: Block,
    /// What comes after these.
    pub(super) blocks: Blocks<Content>,
}

/// The kind of a file, plain or packed, by its header.
///
/// # Errors
/// [`ReadError::WrongKind`] if it is not of the kind `claimed`, [`ReadError::Refused`] for a file of
/// no kind that is read, [`ReadError::MissingColumn`], [`ReadError::DoubledColumn`] and
/// [`ReadError::Read`].
pub fn recognise(path: &Path, claimed: Option<FileKind>) -> Result<FileKind, ReadError> {
    let Opened { content, encoding, .. } = source::open(path)?;
    Ok(begin(path, content, encoding, claimed)?.header.kind)
}

/// Reads the header of a file, and makes sure that it is of the kind that the caller says it is.
pub(super) fn begin(
    path: &Path,
    content: Content,
    encoding: Encoding,
    claimed: Option<FileKind>,
) -> Result<Begun, ReadError> {
    let mut blocks = Blocks::new(content);
    let refused =
        |reason: &str| ReadError::Refused { path: path.to_owned(), reason: reason.to_owned() };
    let first = blocks.next();
    let first = first.map_err(|source| ReadError::Read { path: path.to_owned(), source })?;
    let first = first.ok_or_else(|| refused("it is empty"))?;
    if let Some(reason) = wrong_format(&first.bytes) {
        return Err(refused(reason));
    }
    let delimiter = delimiter(&first.bytes);
    let (header, rest) = bind_header(path, &first, encoding, delimiter)?;
    if let Some(claimed) = claimed.filter(|claimed| *claimed != header.kind) {
        return Err(ReadError::WrongKind {
            path: path.to_owned(),
            found: header.kind.described(),
            claimed: claimed.described(),
        });
    }
    Ok(Begun { header, delimiter, rest, blocks })
}

/// TAB if the first line that is not blank has more TABs than commas, else a comma.
fn delimiter(bytes: &[u8]) -> u8 {
    let mut lines = bytes.split(|byte| *byte == b'\n');
    let line = lines.find(|line| !line.trim_ascii().is_empty());
    let line = line.unwrap_or(bytes);
    let count = |wanted: u8| line.iter().filter(|byte| **byte == wanted).count();
    if count(b'\t') > count(b',') { b'\t' } else { b',' }
}

/// The header, and the lines of the block after it.
fn bind_header(
    path: &Path,
    block: &Block,
    encoding: Encoding,
    delimiter: u8,
) -> Result<(Header, Block), ReadError> {
    let mut rows = CsvRows::new(&block.bytes, block.first_line, delimiter, None, true);
    let fields = rows.next().and_then(|row| row.fields.ok()).ok_or_else(|| ReadError::Refused {
        path: path.to_owned(),
        reason: "its first line is not a header of comma-separated names".to_owned(),
    })?;
    let header = Header::bind(path, &fields, encoding)?;
    let (rest, first_line) = rows.rest();
    Ok((header, Block { bytes: rest.to_vec(), first_line }))
}
