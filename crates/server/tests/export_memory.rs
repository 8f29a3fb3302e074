//! A file of more than a million records takes no more memory than a few pages, in any format.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod process;

use std::fs::{self, File};
use std::io::{Read, Write};

use outfall_fixtures::{ReleasesEdition, Shape, write_releases};
use outfall_indexer::{BuildOptions, Silent};
use outfall_query::Staging;
use parquet::file::reader::{FileReader, SerializedFileReader};
use process::Service;

/// Rows that fold into at least [`RECORDS`].
const ROWS: u64 = 1_500_000;
const RECORDS: u64 = 1_200_000;
/// How much memory an export may take on top of what the service takes anyway.
const CEILING: u64 = 48 << 20;

#[test]
fn an_export_of_everything_takes_the_memory_of_a_few_pages() {
    let dir = tempfile::tempdir().unwrap();
    let source = dir.path().join("releases.csv");
    let shape = Shape::sized(ROWS, 3);
    write_releases(&shape, ReleasesEdition::TwoTitles, File::create(&source).unwrap()).unwrap();
    let mut options = BuildOptions::of_files([source.clone()]);
    options.max_rejects = 0.1;
    outfall_indexer::build(&options, Staging::begin(&dir.path().join("data")).unwrap(), &Silent)
        .unwrap();
    fs::remove_file(source).unwrap();

    let serve = ["serve", "--data", "data", "--listen", "127.0.0.1:0", "--auth", "off"];
    let service = Service::start(dir.path(), &serve);
    service.wait_for("/health/ready", "", 200);
    let (_, page) = service.get("/release?limit=0", "");
    let page: serde_json::Value = serde_json::from_str(&page).unwrap();
    let expected = page["count"].as_u64().unwrap();
    assert!(expected >= RECORDS, "only {expected} records");
    for format in ["ndjson", "csv", "geojson", "parquet"] {
        let before = service.memory("VmRSS");
        service.forget_peak();
        let mut file = tempfile::tempfile().unwrap();
        let mut lines = 0;
        let mut body = service.stream(&format!("/release?format={format}"));
        let mut buffer = vec![0; 1 << 20];
        loop {
            let read = body.read(&mut buffer).unwrap();
            if read == 0 {
                break;
            }
            match format {
                "parquet" => file.write_all(&buffer[..read]).unwrap(),
                _ => lines += buffer[..read].iter().filter(|byte| **byte == b'\n').count() as u64,
            }
        }
        let taken = service.memory("VmHWM").saturating_sub(before);
        assert!(taken < CEILING, "{format}: {taken} bytes above {before}");
        let records = match format {
            "csv" => lines - 1,
            // The ends of the collection have lines of their own.
            "geojson" => lines - 2,
            "parquet" => rows(file),
            _ => lines,
        };
        assert_eq!(records, expected, "{format}");
    }
}

/// The number of rows of a Parquet file.
fn rows(file: File) -> u64 {
    let file = SerializedFileReader::new(file).unwrap();
    u64::try_from(file.metadata().file_metadata().num_rows()).unwrap()
}
