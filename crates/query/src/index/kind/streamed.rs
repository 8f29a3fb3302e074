//! The records of a kind, read from the disk one after the other. Only what they share is in
//! memory, which hardly grows with their number.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use outfall_records::{Medium, RecordKind, RecordPart, ReportingYear};
use outfall_request::{EditionNames, EditionRecord, OwnValues, Quantity};
use outfall_store::StoreError;
use serde::Deserialize;

use super::head::Head;
use super::opened::YearBlock;
use crate::index::bytes::{ALIGNMENT, AlignedBytes, Decoder, FileDecoder, Strings};
use crate::index::record::{StoredRecord, Template};
use crate::index::{IndexError, Number};

/// How much is read first to find what records share: more than most indexes need.
const FIRST_READ: u64 = 8 << 20;
/// How much of each column is read at a time, in bytes.
const PIECE: usize = 128 << 10;
/// The longest encoding of a number.
const LONGEST_NUMBER: usize = 19;

/// The records of a kind, in canonical order.
pub(crate) struct StreamedKind {
    path: PathBuf,
    record_kind: RecordKind,
    names: EditionNames,
    media: Vec<Medium>,
    years: Vec<YearBlock>,
    columns: Columns,
    row: Vec<u8>,
    row_end: u32,
    /// The next record, and how many there are.
    next: u32,
    len: u32,
}

impl StreamedKind {
    /// Reads what the records in `file`, the tables of a kind, share.
    ///
    /// # Errors
    /// [`StoreError::Damaged`], [`StoreError::Io`].
    pub(crate) fn open(
        record_kind: RecordKind,
        path: &Path,
        file: File,
        bytes: u64,
    ) -> Result<Self, IndexError> {
        let read = read_head(record_kind, &file, bytes, FIRST_READ)
            .map_err(|error| failed(path, error))?;
        let (head, head_end) = read.ok_or_else(|| damaged(path))?;
        let places = ColumnPlaces { file: Arc::new(file), at: head_end, end: bytes };
        let columns = places.columns(record_kind, head.len).map_err(|error| failed(path, error))?;
        let names = names(&head).ok_or_else(|| damaged(path))?;
        // The years hold all records, whose numbers are of 32 bits.
        let len = head.years.last().map_or(0, |block| block.documents.end);
        if columns.count != head.len || len as usize != head.len {
            return Err(damaged(path));
        }
        Ok(Self {
            path: path.to_owned(),
            record_kind,
            names,
            media: head.media,
            years: head.years,
            columns,
            row: Vec::new(),
            row_end: 0,
            next: 0,
            len,
        })
    }

    /// The number of records.
    pub(crate) const fn len(&self) -> u32 {
        self.len
    }

    /// The next record; `None` if its bytes make no sense.
    fn read_next(&mut self) -> io::Result<Option<EditionRecord>> {
        let (row_start, row_end) =
            (self.row_end, u32::from_le_bytes(self.columns.row_ends.take()?));
        let length = row_end.checked_sub(row_start).filter(|_| row_end <= self.columns.row_bytes);
        let Some(length) = length else { return Ok(None) };
        self.row_end = row_end;
        self.row.resize(length as usize, 0);
        self.columns.rows.reader.read_exact(&mut self.row)?;
        let site = u32::from_le_bytes(self.columns.site_of.take()?);
        let (mut substance, mut medium) = (None, None);
        if self.record_kind.has_substances() {
            substance = Some(u16::from_le_bytes(self.columns.substance_of.take()?));
            let place = u32::from_le_bytes(self.columns.media_of.take()?);
            let Some(known) = self.media.get(place as usize) else { return Ok(None) };
            medium = Some(*known);
        }
        Ok(self.assemble(site, substance, medium))
    }

    fn assemble(
        &self,
        site: u32,
        substance: Option<u16>,
        medium: Option<Medium>,
    ) -> Option<EditionRecord> {
        let block = self.years.partition_point(|block| block.documents.end <= self.next);
        let year = ReportingYear::new(self.years.get(block)?.year).ok()?;
        let (value, unit) = StoredRecord::decode(self.record_kind, &self.row)?.quantity();
        let quantity = Quantity { value, unit };
        self.names.record(OwnValues { site, substance, medium, year, quantity })
    }
}

impl Iterator for StreamedKind {
    type Item = Result<EditionRecord, IndexError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.next == self.len {
            return None;
        }
        let read = self.read_next();
        self.next += 1;
        Some(match read {
            Ok(Some(record)) => Ok(record),
            Ok(None) => Err(damaged(&self.path)),
            Err(error) => Err(failed(&self.path, error)),
        })
    }
}

/// Reads what records share, and where it ends; `None` if the bytes make no sense.
fn read_head(
    record_kind: RecordKind,
    file: &File,
    bytes: u64,
    first_read: u64,
) -> io::Result<Option<(Head, u64)>> {
    let mut length = first_read;
    loop {
        // Files are multiples of eight bytes long, and so is each of these pieces.
        let read = length.min(bytes);
        let mut memory = AlignedBytes::zeroed(usize::try_from(read).map_err(io::Error::other)?)?;
        file.read_exact_at(&mut memory, 0)?;
        let memory = memory.shared();
        let mut decoder = FileDecoder::new(&memory);
        if let Some(head) = Head::decode(&mut decoder, record_kind) {
            return Ok(Some((head, decoder.position() as u64)));
        }
        if read == bytes {
            return Ok(None);
        }
        length *= 2;
    }
}

/// The names that the sites and substances of an index show.
fn names(head: &Head) -> Option<EditionNames> {
    let mut names = EditionNames::default();
    let sites = Fragments::of(&head.template, RecordPart::Site, &head.site_fragments);
    for site in 0..head.site_ids.len() {
        let shown = sites.names(site)?;
        names.push_site(head.site_ids.get(site).to_owned(), shown.facility_name.as_deref());
    }
    let substances =
        Fragments::of(&head.template, RecordPart::Substance, &head.substance_fragments);
    for substance in 0..head.substance_ids.len() {
        let shown = substances.names(substance)?;
        let both = [shown.substance_en.as_deref(), shown.substance_fr.as_deref()];
        names.push_substance(head.substance_ids.get(substance).to_owned(), both);
    }
    Some(names)
}

/// The fragments of the sites or of the substances.
struct Fragments<'a> {
    texts: &'a Strings,
    /// How many each site or substance has.
    width: usize,
}

/// The names among the fields of records.
#[derive(Default, Deserialize)]
struct ShownNames {
    facility_name: Option<String>,
    substance_en: Option<String>,
    substance_fr: Option<String>,
}

impl<'a> Fragments<'a> {
    fn of(template: &Template, part: RecordPart, texts: &'a Strings) -> Self {
        let width = template.pieces.iter().find(|step| step.slot == part).map_or(0, |step| step.of);
        Self { texts, width }
    }

    /// The names in the fragments of a site or substance; `None` if they are not JSON.
    fn names(&self, number: usize) -> Option<ShownNames> {
        let mut names = ShownNames::default();
        for place in 0..self.width {
            let text = number.checked_mul(self.width)?.checked_add(place)?;
            let fields = self.texts.get(text).strip_prefix(',')?;
            let found: ShownNames = serde_json::from_str(&format!("{{{fields}}}")).ok()?;
            names.facility_name = names.facility_name.or(found.facility_name);
            names.substance_en = names.substance_en.or(found.substance_en);
            names.substance_fr = names.substance_fr.or(found.substance_fr);
        }
        Some(names)
    }
}

/// Finds the columns of a file, in the order in which [`super::Kind`] reads them.
struct ColumnPlaces {
    file: Arc<File>,
    at: u64,
    end: u64,
}

/// What records have of their own, column by column.
struct Columns {
    site_of: Span,
    substance_of: Span,
    media_of: Span,
    /// How many rows there are.
    count: usize,
    row_ends: Span,
    row_bytes: u32,
    rows: Span,
}

impl ColumnPlaces {
    /// The columns of that many records.
    fn columns(mut self, record_kind: RecordKind, len: usize) -> io::Result<Columns> {
        let of_release = if record_kind.has_substances() { len } else { 0 };
        let site_of = self.column::<u32>(len)?;
        let substance_of = self.column::<u16>(of_release)?;
        let media_of = self.column::<u32>(of_release)?;
        let count = self.number()?;
        let row_ends = self.column::<u32>(count)?;
        let row_bytes = self.number()?;
        let rows = self.column::<u8>(row_bytes)?;
        let row_bytes = u32::try_from(row_bytes).map_err(|_| io::ErrorKind::InvalidData)?;
        Ok(Columns { site_of, substance_of, media_of, count, row_ends, row_bytes, rows })
    }

    /// The next column, of `len` numbers.
    fn column<T: Number>(&mut self, len: usize) -> io::Result<Span> {
        self.at = self.at.next_multiple_of(ALIGNMENT as u64);
        let bytes = (len as u64).checked_mul(size_of::<T>() as u64);
        let end = bytes.and_then(|bytes| self.at.checked_add(bytes));
        let end = end.filter(|end| *end <= self.end).ok_or(io::ErrorKind::UnexpectedEof)?;
        let span = Span::new(Arc::clone(&self.file), self.at, end);
        self.at = end.next_multiple_of(ALIGNMENT as u64);
        Ok(span)
    }

    /// The next number.
    fn number(&mut self) -> io::Result<usize> {
        let mut bytes = [0; LONGEST_NUMBER];
        let length = at_most(bytes.len(), self.end.saturating_sub(self.at));
        self.file.read_exact_at(&mut bytes[..length], self.at)?;
        let mut decoder = Decoder::new(&bytes[..length]);
        let number = decoder.len().ok_or(io::ErrorKind::InvalidData)?;
        self.at += (length - decoder.left()) as u64;
        Ok(number)
    }
}

/// A part of a file, read from its beginning to its end.
struct Span {
    reader: BufReader<PartOfFile>,
}

impl Span {
    fn new(file: Arc<File>, at: u64, end: u64) -> Self {
        Self { reader: BufReader::with_capacity(PIECE, PartOfFile { file, at, end }) }
    }

    /// The bytes of the next number.
    fn take<const BYTES: usize>(&mut self) -> io::Result<[u8; BYTES]> {
        let mut bytes = [0; BYTES];
        self.reader.read_exact(&mut bytes)?;
        Ok(bytes)
    }
}

struct PartOfFile {
    file: Arc<File>,
    at: u64,
    end: u64,
}

impl Read for PartOfFile {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let wanted = at_most(bytes.len(), self.end - self.at);
        let read = self.file.read_at(&mut bytes[..wanted], self.at)?;
        self.at += read as u64;
        Ok(read)
    }
}

/// As many bytes as there is room for, of those that are left.
fn at_most(room: usize, left: u64) -> usize {
    usize::try_from(left).map_or(room, |left| left.min(room))
}

fn damaged(path: &Path) -> IndexError {
    IndexError::damaged(path, "its tables do not fit together")
}

fn failed(path: &Path, source: io::Error) -> IndexError {
    match source.kind() {
        io::ErrorKind::UnexpectedEof | io::ErrorKind::InvalidData => damaged(path),
        _ => StoreError::Io { action: "read", path: path.to_owned(), source }.into(),
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use outfall_records::{
        Decimal, EmissionEntry, FacilityId, Gases, GhgrpId, RecordTable, Site, Tables,
    };

    use super::super::{TABLES, encode};
    use super::*;

    #[test]
    fn what_records_share_is_found_however_much_is_read_first() {
        let site = |number: u32| {
            let id = GhgrpId::parse(&format!("G1{number:04}")).unwrap();
            Arc::new(Site {
                facility_id: FacilityId::Ghgrp(id),
                cross_reference: None,
                linked_ids: Vec::new(),
                facility_name: Some(format!("Usine {number}")),
                every_name: Vec::new(),
                company_name: None,
                trade_name: None,
                city: None,
                province: None,
                naics_code: None,
                naics_en: None,
                naics_fr: None,
                latitude: None,
                longitude: None,
            })
        };
        let year = ReportingYear::new(2020).unwrap();
        let row =
            |site| EmissionEntry { site, year, total_co2e: Decimal::ONE, gases: Gases::default() };
        let tables = Tables {
            sites: (0..50).map(site).collect(),
            rows: RecordTable::Emission { records: (0..50).map(row).collect() },
        };
        let mut file = tempfile::tempfile().unwrap();
        for piece in &encode(&tables).unwrap().files[TABLES] {
            file.write_all(piece).unwrap();
        }
        let bytes = file.metadata().unwrap().len();
        let end = |first| {
            let read = read_head(RecordKind::Emission, &file, bytes, first).unwrap();
            read.map(|(head, end)| (head.len, head.site_ids.len(), end))
        };
        let whole = end(FIRST_READ);
        assert!(whole.is_some_and(|(len, sites, end)| len == 50 && sites == 50 && end < bytes));
        for first in [8, 64, 4096] {
            assert_eq!(end(first), whole, "{first}");
        }
        // The file is cut within what records share.
        let cut = read_head(RecordKind::Emission, &file, 512, FIRST_READ).unwrap();
        assert!(cut.is_none());
    }
}
