//! Every match as a file, NDJSON or CSV, in the order of the request.

mod csv;

use outfall_request::{Page, RecordsJson, SearchBackend, SearchError, SearchRequest, Start};

use crate::Format;

/// Passes every match to `take`, a page at a time, until there are no more or `take` returns
/// `false`.
///
/// # Errors
/// Those of the backend. The output so far is then incomplete.
pub fn export(
    backend: &dyn SearchBackend,
    mut search: SearchRequest,
    format: Format,
    mut take: impl FnMut(Vec<u8>) -> bool,
) -> Result<(), SearchError> {
    let mut left = search.page.limit;
    let mut chunk = match format {
        Format::Csv => csv::head(search.record_kind).map_err(broken)?,
        Format::Json | Format::Ndjson => Vec::new(),
    };
    loop {
        search.page.limit = left.min(Page::MAX_LIMIT);
        let page = backend.search(&search)?;
        append(&mut chunk, &page.records, format)?;
        left -= page.records.len() as u32;
        let is_taken = chunk.is_empty() || take(chunk);
        match page.next {
            Some(next) if is_taken && left > 0 => search.page.start = Start::After(next),
            _ => return Ok(()),
        }
        chunk = Vec::new();
    }
}

fn append(chunk: &mut Vec<u8>, records: &RecordsJson, format: Format) -> Result<(), SearchError> {
    chunk.reserve(records.joined().len() + records.len());
    match format {
        Format::Csv => csv::append(chunk, records.iter()).map_err(broken)?,
        Format::Json | Format::Ndjson => {
            for record in records.iter() {
                chunk.extend_from_slice(record);
                chunk.push(b'\n');
            }
        }
    }
    Ok(())
}

fn broken(error: ::csv::Error) -> SearchError {
    SearchError::Engine(error.to_string())
}
