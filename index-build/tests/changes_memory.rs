//! Comparing two editions of a million records takes no more memory than their names.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::fs;
use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

use outfall_query::Staging;
use outfall_records::{
    Category, Decimal, FacilityId, Medium, NO_METHOD, NpriId, PartEntry, PerKind, RecordTable,
    ReleaseEntry, ReportingYear, Site, Substance, SubstanceId, Tables, Unit,
};
use outfall_request::RecordSink;

const FACILITIES: u32 = 8_000;
const SUBSTANCES: [&str; 4] = ["NA - 08", "NA - M10", "NA - M16", "NA - M08"];
const YEARS: std::ops::RangeInclusive<u16> = 1993..=2024;
/// Every fifth record is restated.
const RESTATED: usize = 5;
/// The tables of both editions take more.
const CEILING: u64 = 48 << 20;

/// Releases of every facility, year and substance.
fn releases(edition: i64) -> Tables {
    let mut facilities: Vec<String> = (1..=FACILITIES).map(|id| format!("{id}:")).collect();
    let mut substances: Vec<String> =
        SUBSTANCES.iter().map(|id| format!("{}:", SubstanceId::parse(id).unwrap())).collect();
    // Ids compare part by part, the colon included.
    facilities.sort_unstable();
    substances.sort_unstable();
    let id = |text: &str| text.trim_end_matches(':').to_owned();
    let site = |text: &String| {
        Arc::new(Site {
            facility_id: FacilityId::Npri(NpriId::parse(&id(text)).unwrap()),
            cross_reference: None,
            linked_ids: Vec::new(),
            facility_name: Some(format!("Works {text}")),
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
    let substance = |text: &String| {
        Arc::new(Substance {
            id: SubstanceId::parse(&id(text)).unwrap(),
            name_en: Some(format!("Substance {text}")),
            name_fr: None,
            every_name: Vec::new(),
        })
    };
    let (mut records, mut parts) = (Vec::new(), Vec::new());
    for year in YEARS.rev() {
        for site in 0..FACILITIES {
            for substance in 0..SUBSTANCES.len() as u16 {
                let place = records.len();
                let restated = if place.is_multiple_of(RESTATED) { edition } else { 0 };
                let quantity = Decimal::from(place as i64 + restated);
                parts.push(PartEntry { category: 0, method: NO_METHOD, quantity });
                records.push(ReleaseEntry {
                    site,
                    substance,
                    year: ReportingYear::new(year).unwrap(),
                    medium: Medium::Air,
                    unit: Unit::Kilograms,
                    quantity,
                    first_part: place as u32,
                });
            }
        }
    }
    Tables {
        sites: facilities.iter().map(site).collect(),
        rows: RecordTable::Release {
            substances: substances.iter().map(substance).collect(),
            categories: vec![Arc::new(Category { name_en: None, name_fr: None })],
            methods: Vec::new(),
            records,
            parts,
        },
    }
}

fn publish(data: &Path, edition: i64) {
    let emissions =
        Tables { sites: Vec::new(), rows: RecordTable::Emission { records: Vec::new() } };
    let mut staging = Staging::begin(data).unwrap();
    staging.write(PerKind { releases: releases(edition), emissions }).unwrap();
    staging.publish(Vec::new()).unwrap();
}

#[test]
fn comparing_takes_the_memory_of_names_and_pieces() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    publish(&data, 0);
    publish(&data, 1);
    let bytes = fs::metadata(data.join("gen-000002/release/tables.bin")).unwrap().len();
    assert!(2 * bytes > CEILING, "{bytes}");
    let mut child = Command::new(env!("CARGO_BIN_EXE_index-build"))
        .current_dir(folder.path())
        .args(["--data", "data", "--changes", "--since", "1", "--list"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut list = child.stdout.take().unwrap();
    let (mut buffer, mut lines, mut peak) = (vec![0; 64 << 10], 0, 0);
    loop {
        let read = list.read(&mut buffer).unwrap();
        if read == 0 {
            break;
        }
        lines += buffer[..read].iter().filter(|byte| **byte == b'\n').count();
        // It still has more to say than a pipe holds, so it is there to be asked, until near the end.
        if let Ok(status) = fs::read_to_string(format!("/proc/{}/status", child.id())) {
            let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
            let kibibytes = line.and_then(|line| line.split_whitespace().next());
            peak = peak.max(kibibytes.map_or(0, |text| text.parse::<u64>().unwrap() * 1024));
        }
    }
    assert!(child.wait().unwrap().success());
    let records = FACILITIES as usize * SUBSTANCES.len() * YEARS.count();
    assert_eq!(lines, 1 + records.div_ceil(RESTATED));
    assert!(0 < peak && peak < CEILING, "{peak} bytes at the peak, of {} in both", 2 * bytes);
}
