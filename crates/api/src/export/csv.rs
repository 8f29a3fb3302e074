//! Records as rows of CSV (RFC 4180): a header, UTF-8 with a byte order mark so that spreadsheets
//! read the accents, null as an empty cell. The breakdown, a list, is left out.

use std::io;

use outfall_records::RecordKind;
use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";
/// The only field that does not fit in a cell.
const NESTED: &str = "breakdown";

/// The byte order mark and the header row.
///
/// # Errors
/// Never in practice: writing to a growing buffer does not fail.
pub(crate) fn head(record_kind: RecordKind) -> csv::Result<Vec<u8>> {
    let mut head = BYTE_ORDER_MARK.to_vec();
    let columns =
        record_kind.fields().into_iter().map(|field| field.name).filter(|name| *name != NESTED);
    writer(&mut head).write_record(columns)?;
    Ok(head)
}

/// Appends the rows of some records; numbers keep their decimal spelling.
///
/// # Errors
/// When a record is not a JSON object.
pub(crate) fn append<'r>(
    chunk: &mut Vec<u8>,
    records: impl Iterator<Item = &'r [u8]>,
) -> csv::Result<()> {
    let mut writer = writer(chunk);
    for record in records {
        let Cells(cells) = serde_json::from_slice(record).map_err(io::Error::from)?;
        for cell in cells {
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

/// The values of a record in order, without the nested field.
struct Cells(Vec<Box<RawValue>>);

impl<'de> Deserialize<'de> for Cells {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct CellsVisitor;

        impl<'de> Visitor<'de> for CellsVisitor {
            type Value = Cells;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("a record")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Cells, A::Error> {
                let mut cells = Vec::new();
                while let Some((name, value)) = map.next_entry::<String, Box<RawValue>>()? {
                    if name != NESTED {
                        cells.push(value);
                    }
                }
                Ok(Cells(cells))
            }
        }

        deserializer.deserialize_map(CellsVisitor)
    }
}
