//! Which files are read, in which forms, and which are refused.
#![allow(clippy::unwrap_used, reason = "tests")]

mod support;

use std::fs;

use outfall_indexer::{BuildOptions, FileKind, InputFile, ReadError, Silent, read};
use sha2::{Digest, Sha256};
use support::packed::{gzip, windows_1252, zip};
use support::{cesi, dataset, ghgrp, json, locations, npri, releases, try_read};

#[test]
fn the_same_table_in_every_form_gives_the_same_records() {
    let plain = npri(&[&[("facility", "L’Épiphanie, “usine”")], &[("year", "2019")]]);
    let text = String::from_utf8(plain.clone()).unwrap();
    let expected = releases(std::slice::from_ref(&plain));
    let tabs = text.replace("\",\"", "\"\t\"").into_bytes();
    let rows: Vec<&str> = text.lines().collect();
    let forms = [
        ("byte order mark", [b"\xef\xbb\xbf", plain.as_slice()].concat()),
        ("windows-1252", windows_1252(&plain)),
        ("crlf", text.replace('\n', "\r\n").into_bytes()),
        ("mixed", format!("{}\r\n{}\n{}", rows[0], rows[1], rows[2]).into_bytes()),
        ("blank lines", format!("\n\r\n{}\n\n{}\n\r\n{}\n\n", rows[0], rows[1], rows[2]).into()),
        ("tabs", tabs.clone()),
        ("tabs after a blank line", [b"\n", tabs.as_slice()].concat()),
        ("gzip", gzip(&plain)),
        ("gzip of two members", [gzip(&plain[..400]), gzip(&plain[400..])].concat()),
        ("gzip of windows-1252", gzip(&windows_1252(&plain))),
        ("zip", zip(&[("releases.csv", &plain)])),
        ("zip with a note", zip(&[("README.txt", b"hello"), ("data/R.CSV", &plain)])),
        ("zip of a mac", zip(&[("r.csv", &plain), ("__MACOSX/._r.csv", b"x")])),
        (
            "another column",
            text.replace("PROVINCE\"", "PROVINCE\",\"Note\"")
                .replace("\"QC\"", "\"QC\",\"x\"")
                .into_bytes(),
        ),
    ];
    for (form, bytes) in forms {
        assert_eq!(releases(&[bytes]), expected, "{form}");
    }
}

#[test]
fn the_hash_is_that_of_the_file_as_it_stands() {
    // More rows than are read at once.
    let plain = npri(&vec![&[] as &[(&str, &str)]; 4000]);
    for (form, bytes) in [
        ("plain", plain.clone()),
        ("byte order mark", [b"\xef\xbb\xbf", plain.as_slice()].concat()),
        ("gzip", gzip(&plain)),
        ("zip", zip(&[("releases.csv", &plain)])),
    ] {
        let hash = |bytes: &[u8]| -> String {
            Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
        };
        let expected = hash(&bytes);
        let is_packed = form == "gzip" || form == "zip";
        let unpacked = if is_packed { hash(&plain) } else { expected.clone() };
        let source = &dataset(&[bytes]).report.files[0].source;
        assert_eq!((source.sha256.as_str(), source.rows), (expected.as_str(), 4000), "{form}");
        assert_eq!(source.unpacked_sha256, unpacked, "{form}");
    }
}

#[test]
fn a_file_is_told_by_its_header() {
    for (bytes, kind, vintage) in [
        (npri(&[]), "npri-releases", "18 columns, from 2024 on"),
        (locations(&[]), "npri-locations", "6 columns"),
        (ghgrp(&[]), "ghgrp", "24 columns, from 2024 on"),
        (cesi(&[]), "cesi", "16 columns"),
        (
            b"LASTREPORT,NPRI_ID,COMP_NAME,FACI_NAME,CITY,LATI_DEC,LONG_DEC\n".to_vec(),
            "npri-locations",
            "7 columns",
        ),
    ] {
        let report = dataset(&[bytes]).report;
        let source = &report.files[0].source;
        assert_eq!((source.kind.as_str(), source.vintage.as_str()), (kind, vintage));
    }
    let report = dataset(&[b"LASTREPORT,NPRI_ID,CITY,LATI_DEC,LONG_DEC,New\n".to_vec()]).report;
    assert_eq!(report.files[0].unknown_columns, ["New"]);
}

#[test]
fn other_official_files_are_refused_by_name() {
    let pivot = "\"Reporting_Year / Année\",\"NPRI_ID / No_INRP\",\"City\",\"Latitude\",\"Longitude\",\
        \"CAS_Number / No_CAS\",\"Units / Unités\",";
    for (header, expected) in [
        ("\"Année / Year\",\"ID INRP / NPRI ID\",\"Ville / City\"".to_owned(), "single year"),
        (format!("{pivot}\"Release to Air - Fugitive\",\"Releases to Land - Leaks\""), "pivot"),
        (format!("{pivot}\"Off-site Disposal - Landfill\""), "disposals"),
        (
            "\"Reporting_Year / Année\",\"Comment_Type_Name (English) Type_de_commentaire (Anglais)\""
                .to_owned(),
            "comments",
        ),
        (
            "Facility GHGRP ID No. / x,Reference Year / x,Emission Source / x,CO2 (tonnes)".to_owned(),
            "by source",
        ),
        ("name,age\nx,1".to_owned(), "not the header"),
        ("<!DOCTYPE html>\n<html lang=\"en\">".to_owned(), "web page"),
        ("\"never closed\n".to_owned(), "not a header"),
        ("\n\n".to_owned(), "not a header"),
        (String::new(), "empty"),
        ("\u{feff}".to_owned(), "empty"),
    ] {
        let error = try_read(&[header.clone().into_bytes()]).unwrap_err();
        assert!(matches!(error, ReadError::Refused { .. }), "{header}: {error}");
        assert!(error.to_string().contains(expected), "{header}: {error}");
    }
    let utf_16: Vec<u8> = "\u{feff}a,b\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert!(try_read(&[utf_16]).unwrap_err().to_string().contains("UTF-16"));
}

#[test]
fn a_header_must_have_every_column_once() {
    let text = String::from_utf8(npri(&[&[]])).unwrap();
    let missing = text.replace("\"Quantity / Quantité\"", "\"Amount / Montant\"");
    match try_read(&[missing.into_bytes()]) {
        Err(ReadError::MissingColumn { wanted, found, .. }) => {
            assert_eq!(wanted, "Quantity");
            assert!(found.contains(&"Amount / Montant".to_owned()));
        }
        other => panic!("{:?}", other.err()),
    }
    let doubled = text.replace("\"PROVINCE\"", "\"PROVINCE\",\"units\"");
    assert!(matches!(try_read(&[doubled.into_bytes()]), Err(ReadError::DoubledColumn { .. })));
}

#[test]
fn what_is_no_plain_file_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("damaged.gz"), &gzip(&npri(&[&[]]))[..200]).unwrap();
    fs::write(at("damaged.zip"), &zip(&[("a.csv", b"x")])[..40]).unwrap();
    fs::write(at("two.zip"), zip(&[("a.csv", b"x"), ("b.csv", b"y")])).unwrap();
    fs::write(at("none.zip"), zip(&[("a.txt", b"x")])).unwrap();
    for (name, expected) in [
        ("missing", "cannot read"),
        ("", "not a regular file"),
        ("damaged.gz", "cannot read"),
        ("damaged.zip", "cannot read"),
        ("two.zip", "holds 2 files"),
        ("none.zip", "holds 0 files"),
    ] {
        let error = read(&BuildOptions::of_files([at(name)]), &Silent).unwrap_err().to_string();
        assert!(error.contains(expected), "{name}: {error}");
    }
    #[cfg(unix)]
    {
        let made = std::process::Command::new("mkfifo").arg(at("pipe")).status();
        if made.is_ok_and(|status| status.success()) {
            let error = read(&BuildOptions::of_files([at("pipe")]), &Silent).unwrap_err();
            assert!(error.to_string().contains("not a regular file"));
        }
    }
    assert!(matches!(read(&BuildOptions::of_files([]), &Silent), Err(ReadError::NoFiles)));
}

#[test]
fn a_claim_that_the_header_does_not_bear_out_is_an_error() {
    let files = support::written(&[ghgrp(&[&[]])]);
    let claim = |kind| BuildOptions {
        files: vec![InputFile { path: files.paths[0].clone(), kind: Some(kind) }],
        ..BuildOptions::of_files([])
    };
    assert!(read(&claim(FileKind::Ghgrp), &Silent).is_ok());
    let error = read(&claim(FileKind::Cesi), &Silent).unwrap_err();
    assert!(matches!(error, ReadError::WrongKind { .. }), "{error}");
}

#[test]
fn a_damaged_sequence_after_a_byte_order_mark_rejects_its_row() {
    let mut bytes = b"\xef\xbb\xbf".to_vec();
    bytes.extend(npri(&[&[("facility", "XX")], &[("year", "2019")]]));
    let place = bytes.windows(2).position(|pair| pair == b"XX").unwrap();
    bytes[place] = 0xe9;
    let dataset = dataset(&[bytes]);
    assert_eq!(support::rejects(&dataset), ["2 invalid-text ="]);
    assert_eq!(json(&dataset.tables.releases).len(), 1);
}
