//! Files of more records than a group of Parquet has, over a backend that may fail half way.

use std::sync::atomic::{AtomicUsize, Ordering};

use ::parquet::file::reader::{FileReader, SerializedFileReader};
use ::parquet::record::RowAccessor;
use bytes::Bytes;
use outfall_records::{DatasetInfo, RecordKind};
use outfall_request::{Cursor, CursorKey, Page, SearchPage, Start};
use serde_json::Value;

use super::*;

/// Answers with made-up emissions, each with its position as its year; fails from a page on.
struct MadeUp {
    records: u64,
    pages: AtomicUsize,
    sound_pages: usize,
    dataset: DatasetInfo,
}

impl MadeUp {
    fn of(records: u64) -> Self {
        let (pages, dataset) = (AtomicUsize::new(0), DatasetInfo::default());
        Self { records, pages, sound_pages: usize::MAX, dataset }
    }
}

fn record(position: u64) -> String {
    let fields = RecordKind::Emission.fields().into_iter().map(|field| {
        let value = match field.name {
            "record_id" => format!("\"G{position}:2019\""),
            "year" => position.to_string(),
            "total_co2e" => format!("{position}.5"),
            _ if field.is_nullable => "null".to_owned(),
            _ => "\"text\"".to_owned(),
        };
        format!("\"{}\":{value}", field.name)
    });
    format!("{{{}}}", fields.collect::<Vec<_>>().join(","))
}

impl SearchBackend for MadeUp {
    fn search(&self, request: &SearchRequest) -> Result<SearchPage, SearchError> {
        if self.pages.fetch_add(1, Ordering::Relaxed) >= self.sound_pages {
            return Err(SearchError::Engine("a wanted failure".to_owned()));
        }
        let offset = match &request.page.start {
            Start::Offset(offset) => u64::from(*offset),
            Start::After(cursor) => cursor.position(),
        };
        let end = self.records.min(offset + u64::from(request.page.limit));
        let mut page = SearchPage { total: self.records, offset, ..SearchPage::default() };
        for position in offset..end {
            page.records.push_with(|json| json.extend_from_slice(record(position).as_bytes()));
        }
        let after = |position| Cursor::after(request, CursorKey::Year(0), String::new(), position);
        page.next = (end < self.records).then(|| after(end));
        Ok(page)
    }

    fn dataset(&self) -> &DatasetInfo {
        &self.dataset
    }
}

/// The file, in the pieces that it came in, and whether it is whole.
fn exported(backend: &MadeUp, format: Format) -> (Vec<Vec<u8>>, bool) {
    let mut search = SearchRequest::all(RecordKind::Emission);
    search.page.limit = u32::MAX;
    let mut pieces = Vec::new();
    let done = export(backend, search, format, |piece| {
        pieces.push(piece);
        true
    });
    (pieces, done.is_ok())
}

fn opened(file: Vec<u8>) -> Option<SerializedFileReader<Bytes>> {
    SerializedFileReader::new(Bytes::from(file)).ok()
}

#[test]
fn groups_of_parquet_follow_one_another_without_a_gap() {
    for (records, expected) in
        [(0, &[][..]), (1, &[1]), (32_000, &[32_000]), (33_001, &[32_000, 1001])]
    {
        let (pieces, is_whole) = exported(&MadeUp::of(records), Format::Parquet);
        assert!(is_whole && pieces.iter().all(|piece| piece.len() <= 1 << 20), "{records}");
        let file = opened(pieces.concat()).unwrap();
        let groups = file.metadata().row_groups().iter().map(|group| group.num_rows());
        assert_eq!(groups.collect::<Vec<_>>(), expected);
        let mut next = 0;
        for row in file.get_row_iter(None).unwrap() {
            assert_eq!(row.unwrap().get_int(6).unwrap(), next, "{records}");
            next += 1;
        }
        assert_eq!(next as u64, records);
    }
}

#[test]
fn a_feature_collection_has_every_record_between_its_ends() {
    for records in [0, 1, 1000, 2001] {
        let (pieces, is_whole) = exported(&MadeUp::of(records), Format::GeoJson);
        assert!(is_whole, "{records}");
        let file: Value = serde_json::from_slice(&pieces.concat()).unwrap();
        let ids = file["features"].as_array().unwrap().iter().map(|feature| feature["id"].clone());
        let expected: Vec<Value> =
            (0..records).map(|position| format!("G{position}:2019").into()).collect();
        assert_eq!(ids.collect::<Vec<_>>(), expected);
    }
}

#[test]
fn what_broke_off_is_no_file() {
    for (sound_pages, has_begun) in [(0, false), (1, false), (33, true)] {
        let broken = || MadeUp { sound_pages, ..MadeUp::of(33_001) };
        let (pieces, is_whole) = exported(&broken(), Format::Parquet);
        assert!(!is_whole && opened(pieces.concat()).is_none(), "{sound_pages}");
        assert_eq!(!pieces.is_empty(), has_begun, "{sound_pages}");
        let (pieces, is_whole) = exported(&broken(), Format::GeoJson);
        assert!(!is_whole && serde_json::from_slice::<Value>(&pieces.concat()).is_err());
    }
}

#[test]
fn nobody_searches_for_a_reader_that_has_gone() {
    for format in [Format::Ndjson, Format::Csv, Format::GeoJson, Format::Parquet] {
        let backend = MadeUp::of(200_000);
        let mut search = SearchRequest::all(RecordKind::Emission);
        search.page.limit = u32::MAX;
        assert!(export(&backend, search, format, |_| false).is_ok());
        let pages = backend.pages.load(Ordering::Relaxed);
        let most = if format == Format::Parquet { 32 } else { 1 };
        assert_eq!(pages, most, "{format:?}, of {} records each", Page::MAX_LIMIT);
    }
}
