//! A Parquet file as the table that CSV shows.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use bytes::Bytes;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;

/// The names of the columns, and the rows, each value as CSV writes it.
pub(crate) fn table(file: Vec<u8>) -> (Vec<String>, Vec<Vec<String>>) {
    let file = SerializedFileReader::new(Bytes::from(file)).unwrap();
    let columns = file.metadata().file_metadata().schema_descr().columns().iter();
    let header = columns.map(|column| column.name().to_owned()).collect();
    let rows = file.get_row_iter(None).unwrap().map(|row| {
        let row = row.unwrap();
        row.get_column_iter().map(|(_, field)| cell(field)).collect()
    });
    (header, rows.collect())
}

fn cell(field: &Field) -> String {
    match field {
        Field::Null => String::new(),
        Field::Str(text) => text.clone(),
        Field::Int(number) => number.to_string(),
        Field::Decimal(decimal) => {
            let bytes = decimal.data();
            let is_negative = bytes[0] >= 0x80;
            let mut extended = [if is_negative { 0xff } else { 0 }; 16];
            extended[16 - bytes.len()..].copy_from_slice(bytes);
            plain(i128::from_be_bytes(extended), decimal.scale() as usize)
        }
        other => panic!("{other:?} is in no column"),
    }
}

/// A decimal without the zeros that only fill its places.
fn plain(unscaled: i128, places: usize) -> String {
    let digits = format!("{:0>width$}", unscaled.unsigned_abs(), width = places + 1);
    let (whole, fraction) = digits.split_at(digits.len() - places);
    let sign = if unscaled < 0 { "-" } else { "" };
    let number = format!("{sign}{whole}.{fraction}");
    number.trim_end_matches('0').trim_end_matches('.').to_owned()
}
