//! Records as rows of CSV (RFC 4180): a header, UTF-8 with a byte order mark so that spreadsheets
//! read the accents, null as an empty cell. The breakdown, a list, is left out.

use std::io;

use outfall_records::Field;

use super::cells::cells;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The byte order mark and the header row.
///
/// # Errors
/// Never in practice: writing to a growing buffer does not fail.
pub(super) fn head(columns: &[&'static Field]) -> csv::Result<Vec<u8>> {
    let mut head = BYTE_ORDER_MARK.to_vec();
    writer(&mut head).write_record(columns.iter().map(|field| field.name))?;
    Ok(head)
}

/// Appends the rows of some records; numbers keep their decimal spelling.
///
/// # Errors
/// When a record is not a JSON object with these fields.
pub(super) fn append<'r>(
    chunk: &mut Vec<u8>,
    columns: &[&'static Field],
    records: impl Iterator<Item = &'r [u8]>,
) -> csv::Result<()> {
    let mut writer = writer(chunk);
    for record in records {
        for cell in cells(record, columns).map_err(io::Error::from)? {
            match cell.get() {
                "null" => writer.write_field("")?,
                text if text.starts_with('"') => {
                    let text: String = serde_json::from_str(text).map_err(io::Error::from)?;
                    writer.write_field(text)?;
                }
                number => writer.write_field(number)?,
            }
        }
        writer.write_record(None::<&[u8]>)?;
    }
    Ok(writer.flush()?)
}

fn writer(chunk: &mut Vec<u8>) -> csv::Writer<&mut Vec<u8>> {
    csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).flexible(true).from_writer(chunk)
}
