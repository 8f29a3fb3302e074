//! Every match as a file, in the order of the request.

mod cells;
mod csv;
mod geojson;
mod pages;
mod parquet;

use std::fmt::Display;

use outfall_request::{RecordsJson, SearchBackend, SearchError, SearchRequest};

use self::geojson::Features;
use self::pages::Pages;
use crate::Format;

/// Passes every match to `take`, a piece of the file at a time, until there are no more or `take`
/// returns `false`.
///
/// # Errors
/// Those of the backend, and when a record has no exact place in the format. The output so far is
/// then incomplete.
pub fn export(
    backend: &dyn SearchBackend,
    search: SearchRequest,
    format: Format,
    take: impl FnMut(Vec<u8>) -> bool,
) -> Result<(), SearchError> {
    let columns = cells::columns(search.record_kind);
    let pages = Pages::new(backend, search);
    match format {
        Format::Json | Format::Ndjson => {
            let append = |chunk: &mut Vec<u8>, records: &RecordsJson| {
                append_lines(chunk, records);
                Ok(())
            };
            write_text(pages, Vec::new(), append, b"", take)
        }
        Format::Csv => {
            let head = csv::head(&columns).map_err(broken)?;
            let append = |chunk: &mut Vec<u8>, records: &RecordsJson| {
                csv::append(chunk, &columns, records.iter()).map_err(broken)
            };
            write_text(pages, head, append, b"", take)
        }
        Format::GeoJson => {
            let mut features = Features::default();
            let append = |chunk: &mut Vec<u8>, records: &RecordsJson| {
                features.append(chunk, records.iter()).map_err(broken)
            };
            write_text(pages, geojson::HEAD.to_vec(), append, geojson::TAIL, take)
        }
        Format::Parquet => parquet::write(&columns, pages, take),
    }
}

/// Writes a format in which records follow one another, between a head and a tail; each piece is a
/// page.
fn write_text(
    mut pages: Pages<'_>,
    head: Vec<u8>,
    mut append: impl FnMut(&mut Vec<u8>, &RecordsJson) -> Result<(), SearchError>,
    tail: &[u8],
    mut take: impl FnMut(Vec<u8>) -> bool,
) -> Result<(), SearchError> {
    let mut chunk = head;
    while let Some(records) = pages.next()? {
        chunk.reserve(records.joined().len() + records.len());
        append(&mut chunk, &records)?;
        if !chunk.is_empty() && !take(std::mem::take(&mut chunk)) {
            return Ok(());
        }
    }
    if !tail.is_empty() {
        take(tail.to_vec());
    }
    Ok(())
}

/// Appends a line for each record.
fn append_lines(chunk: &mut Vec<u8>, records: &RecordsJson) {
    for record in records.iter() {
        chunk.extend_from_slice(record);
        chunk.push(b'\n');
    }
}

fn broken(error: impl Display) -> SearchError {
    SearchError::Engine(error.to_string())
}

#[cfg(test)]
mod tests;
