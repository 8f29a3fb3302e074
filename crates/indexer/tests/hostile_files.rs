//! Files from spreadsheets, broken downloads and attackers: what is read from each, or why it is
//! refused.
#![allow(clippy::unwrap_used, reason = "tests")]

mod support;

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use outfall_indexer::{BuildOptions, Progress, ReadError, Silent, read};
use support::packed::{gzip, windows_1252, zip};
use support::{Changes, cesi, ghgrp, npri, try_read, written};

/// A name, a file and its outcome: how many rows are read and what becomes of them, or a part of
/// the error.
type Case = (&'static str, Vec<u8>, &'static str);

/// Three rows of releases, with `changes` made to the second.
fn second(changes: Changes<'_>) -> Vec<u8> {
    npri(&[&[], &[&[("year", "2019")], changes].concat(), &[("year", "2018")]])
}

/// Three good rows of releases, as text.
fn text() -> String {
    String::from_utf8(second(&[])).unwrap()
}

/// Three rows of releases, with `second` in place of the second.
fn line(second: &str) -> Vec<u8> {
    let text = text();
    let lines: Vec<&str> = text.lines().collect();
    [lines[0], lines[1], second, lines[3], ""].join("\n").into_bytes()
}

fn header() -> String {
    text().lines().next().unwrap().to_owned()
}

/// Reads a file; returns what became of its rows, or the error.
fn outcome(bytes: Vec<u8>) -> String {
    let dataset = match try_read(&[bytes]) {
        Ok(dataset) => dataset,
        Err(error) => return error.to_string(),
    };
    let file = &dataset.report.files[0];
    let source = &file.source;
    let rejected: u64 = source.rejected.values().sum();
    assert_eq!(source.accepted + rejected + file.superseded, source.rows);
    let mut told = format!("{} read, {} accepted", source.rows, source.accepted);
    if file.superseded > 0 {
        told += &format!(", {} superseded", file.superseded);
    }
    for (code, count) in &source.rejected {
        told += &format!(", {count} {code}");
    }
    told
}

fn check(cases: Vec<Case>) {
    let mut wrong = Vec::new();
    for (name, bytes, expected) in cases {
        let found = outcome(bytes);
        let is_expected = match expected.contains(" read, ") {
            true => found == expected,
            false => found.contains(expected),
        };
        if !is_expected {
            wrong.push(format!("{name}: {found}, not {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn utf_16(text: &str, to_bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
    text.encode_utf16().flat_map(to_bytes).collect()
}

fn utf_32(text: &str, to_bytes: fn(u32) -> [u8; 4]) -> Vec<u8> {
    text.chars().map(u32::from).flat_map(to_bytes).collect()
}

#[test]
fn encodings() {
    let marked = |text: &str| [b"\xef\xbb\xbf", text.as_bytes()].concat();
    let lone = |mark: &[u8]| {
        let mut bytes = [mark, &second(&[("facility", "caf#")])].concat();
        let place = bytes.iter().position(|byte| *byte == b'#').unwrap();
        bytes[place] = 0xe9;
        bytes
    };
    check(vec![
        (
            "utf-16, little-endian",
            utf_16(&format!("\u{feff}{}", text()), u16::to_le_bytes),
            "it is UTF-16; save it as UTF-8",
        ),
        (
            "utf-16, big-endian",
            utf_16(&format!("\u{feff}{}", text()), u16::to_be_bytes),
            "it is UTF-16; save it as UTF-8",
        ),
        (
            "utf-16 without its mark",
            utf_16(&text(), u16::to_le_bytes),
            "it is UTF-16; save it as UTF-8",
        ),
        (
            "utf-16 in gzip",
            gzip(&utf_16(&format!("\u{feff}{}", text()), u16::to_le_bytes)),
            "it is UTF-16; save it as UTF-8",
        ),
        (
            "utf-32, little-endian",
            utf_32(&format!("\u{feff}{}", text()), u32::to_le_bytes),
            "it is UTF-32; save it as UTF-8",
        ),
        (
            "utf-32, big-endian",
            utf_32(&format!("\u{feff}{}", text()), u32::to_be_bytes),
            "it is UTF-32; save it as UTF-8",
        ),
        (
            "utf-32 without its mark",
            utf_32(&text(), u32::to_le_bytes),
            "it is UTF-32; save it as UTF-8",
        ),
        (
            "utf-32 without its mark, big-endian",
            utf_32(&text(), u32::to_be_bytes),
            "it is UTF-32; save it as UTF-8",
        ),
        ("a mark", marked(&text()), "3 read, 3 accepted"),
        ("two marks", marked(&format!("\u{feff}{}", text())), "3 read, 3 accepted"),
        ("a mark inside a cell", second(&[("facility", "\u{feff}Alma")]), "3 read, 3 accepted"),
        ("only a mark", marked(""), "it is empty"),
        ("a mark, then windows-1252", lone(b"\xef\xbb\xbf"), "3 read, 2 accepted, 1 invalid-text"),
        ("a byte of windows-1252 among utf-8", lone(b""), "3 read, 3 accepted"),
        (
            "bytes that windows-1252 has not",
            [windows_1252(&second(&[])), b"\x81\x8d\x8f\x90\x9d\n".to_vec()].concat(),
            "4 read, 3 accepted, 1 wrong-field-count",
        ),
        (
            "a sequence cut by the end",
            [second(&[]), b"\xe2\x82".to_vec()].concat(),
            "4 read, 3 accepted, 1 wrong-field-count",
        ),
        (
            "a direction override in a name",
            second(&[("company", "\u{202e}dtL")]),
            "3 read, 3 accepted",
        ),
    ]);
}

#[test]
fn lines_and_quotes() {
    let one = "\"2019\",\"1\"";
    let unquoted = text().replace('"', "");
    let many = |count: usize| format!("{one}{}", ",\"x\"".repeat(count));
    let long = "x".repeat((1 << 20) + 1);
    check(vec![
        ("empty", Vec::new(), "it is empty"),
        ("blank lines", b"\n\r\n\n".to_vec(), "not a header"),
        ("only the header", header().into_bytes(), "0 read, 0 accepted"),
        (
            "the header twice",
            format!("{}\n{}", header(), text()).into_bytes(),
            "4 read, 3 accepted, 1 invalid-year",
        ),
        ("the header again between", line(&header()), "3 read, 2 accepted, 1 invalid-year"),
        (
            "cr alone ends lines",
            text().replace('\n', "\r").into_bytes(),
            "its lines end with CR alone; save it with LF or CRLF",
        ),
        (
            "cr alone, no quotes",
            text().replace('\n', "\r").replace('"', "").into_bytes(),
            "its lines end with CR alone; save it with LF or CRLF",
        ),
        ("two crs and lf", text().replace('\n', "\r\r\n").into_bytes(), "not a header"),
        ("no line break at the end", text().trim_end().as_bytes().to_vec(), "3 read, 3 accepted"),
        (
            "ctrl-z at the end",
            [second(&[]), b"\x1a".to_vec()].concat(),
            "4 read, 3 accepted, 1 wrong-field-count",
        ),
        ("nothing is quoted", unquoted.into_bytes(), "3 read, 3 accepted"),
        (
            "apostrophes for quotes",
            text().replace('"', "'").into_bytes(),
            "3 read, 0 accepted, 3 invalid-year",
        ),
        ("curly quotes", text().replace("\",\"", "”,“").into_bytes(), "not the header"),
        (
            "semicolons",
            text().replace("\",\"", "\";\"").into_bytes(),
            "its columns are separated by `;`; save it with commas or TABs",
        ),
        (
            "semicolons, no quotes",
            text().replace("\",\"", ";").replace('"', "").into_bytes(),
            "its columns are separated by `;`; save it with commas or TABs",
        ),
        ("pipes", text().replace("\",\"", "|").replace('"', "").into_bytes(), "not the header"),
        ("tabs", text().replace("\",\"", "\"\t\"").into_bytes(), "3 read, 3 accepted"),
        ("spaces after commas", text().replace("\",\"", "\", \"").into_bytes(), "not a header"),
        (
            "one stray quote",
            text().replacen("Alma", "Al\"a", 1).into_bytes(),
            "3 read, 2 accepted, 1 stray-quote",
        ),
        (
            "a quote that nothing closes",
            line(&format!("{one},\"x")),
            "3 read, 2 accepted, 1 stray-quote",
        ),
        (
            "backslashes before quotes",
            line(&format!("{one},\"\\\"x\\\"\"")),
            "3 read, 2 accepted, 1 stray-quote",
        ),
        ("a field too few", line(&many(15)), "3 read, 2 accepted, 1 wrong-field-count"),
        ("a field too many", line(&many(17)), "3 read, 2 accepted, 1 wrong-field-count"),
        (
            "a hundred thousand fields",
            line(&many(100_000)),
            "3 read, 2 accepted, 1 wrong-field-count",
        ),
        (
            "a million commas",
            line(&",".repeat(1_000_000)),
            "3 read, 2 accepted, 1 wrong-field-count",
        ),
        ("a row of more than a mebibyte", line(&long), "3 read, 2 accepted, 1 row-too-long"),
        (
            "a cell of more than a mebibyte",
            second(&[("company", &long)]),
            "3 read, 2 accepted, 1 row-too-long",
        ),
        (
            "a cell of half a mebibyte",
            second(&[("company", &long[..1 << 19])]),
            "3 read, 3 accepted",
        ),
        (
            "a line of eight mebibytes at the end",
            [second(&[]), vec![b'x'; 8 << 20]].concat(),
            "4 read, 3 accepted, 1 row-too-long",
        ),
        (
            "a header of more than a mebibyte",
            format!("{},\"{long}\"\n", header()).into_bytes(),
            "not a header",
        ),
        ("nuls", line(&"\0".repeat(10_000)), "3 read, 2 accepted, 1 control-character"),
        ("nuls for all of the file", vec![0; 1 << 20], "not a header"),
        (
            "a nul in a name",
            second(&[("facility", "Al\0ma")]),
            "3 read, 2 accepted, 1 control-character",
        ),
        (
            "a hole in the middle of a download",
            [
                second(&[]),
                vec![0; 4096],
                b"\n".to_vec(),
                npri(&[&[("year", "2017")]]).split_off(header().len() + 1),
            ]
            .concat(),
            "5 read, 4 accepted, 1 control-character",
        ),
        (
            "a line break inside a year",
            second(&[("year", "20\n19")]),
            "3 read, 2 accepted, 1 control-character",
        ),
        (
            "a line break inside a quantity",
            second(&[("quantity", "1\n5")]),
            "3 read, 2 accepted, 1 control-character",
        ),
        ("a line break inside a name", second(&[("facility", "Alma\nMill")]), "3 read, 3 accepted"),
        (
            "a cell of seventy lines",
            second(&[("facility", &"x\n".repeat(70))]),
            "73 read, 2 accepted, 2 stray-quote, 69 wrong-field-count",
        ),
    ]);
}

#[test]
fn headers() {
    let renamed = |from: &str, to: &str| text().replace(from, to).into_bytes();
    let columns = format!("{},{}", header(), ",".repeat(50_000));
    check(vec![
        ("a web page", b"<!DOCTYPE html>\n<html><body>503</body></html>".to_vec(), "web page"),
        ("a web page after its mark", "\u{feff}  <html>".into(), "web page"),
        ("xml", b"<?xml version=\"1.0\"?>\n<Workbook/>".to_vec(), "web page"),
        ("json", b"{\"records\": [1, 2]}\n".to_vec(), "not a header"),
        ("json of one word", b"[]".to_vec(), "not the header"),
        (
            "a pointer to a large file",
            b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n".to_vec(),
            "not the header",
        ),
        ("a pdf", b"%PDF-1.7\n%\xe2\xe3\n".to_vec(), "not the header"),
        (
            "a workbook of an old Excel",
            b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0\0".to_vec(),
            "it is an Excel workbook; save its sheet as CSV UTF-8",
        ),
        (
            "no header",
            text().lines().skip(1).collect::<Vec<_>>().join("\n").into_bytes(),
            "not the header",
        ),
        (
            "a title before the header",
            format!("NPRI releases\n{}", text()).into_bytes(),
            "not the header",
        ),
        (
            "a separator before the header",
            format!("sep=,\n{}", text()).into_bytes(),
            "not the header",
        ),
        ("a column renamed", renamed("Quantity / Quantité", "Amount"), "no column `Quantity`"),
        (
            "a column twice",
            renamed("\"PROVINCE\"", "\"PROVINCE\",\"Units / Unités\""),
            "has the column `Units / Unités` twice",
        ),
        (
            "a column in upper case",
            renamed("Quantity / Quantité", "QUANTITY / QUANTITÉ"),
            "3 read, 3 accepted",
        ),
        ("a name with outer spaces", renamed("PROVINCE", "  PROVINCE  "), "3 read, 3 accepted"),
        ("no name for any column", format!("{}\n", ",".repeat(17)).into_bytes(), "not the header"),
        ("fifty thousand columns", columns.into_bytes(), "0 read, 0 accepted"),
    ]);
}

#[test]
fn cells_of_releases() {
    let bad = |column: &'static str, value: &'static str, code: &'static str| {
        let expected: &'static str = Box::leak(format!("3 read, 2 accepted, 1 {code}").into());
        (value, second(&[(column, value)]), expected)
    };
    let good = |column: &'static str, value: &'static str| {
        (value, second(&[(column, value)]), "3 read, 3 accepted")
    };
    check(vec![
        bad("quantity", "NaN", "invalid-number"),
        bad("quantity", "inf", "invalid-number"),
        bad("quantity", "-Infinity", "invalid-number"),
        bad("quantity", "1e400", "invalid-number"),
        bad("quantity", "1e-400", "invalid-number"),
        bad("quantity", "1e999999999999", "invalid-number"),
        bad("quantity", "-1.5", "invalid-number"),
        bad("quantity", "1,047.65", "invalid-number"),
        bad("quantity", "1,5", "invalid-number"),
        bad("quantity", "1.047,65", "invalid-number"),
        bad("quantity", "0x1F", "invalid-number"),
        bad("quantity", "1_000", "invalid-number"),
        bad("quantity", "$5", "invalid-number"),
        bad("quantity", "5 tonnes", "invalid-number"),
        bad("quantity", "1.5.2", "invalid-number"),
        bad("quantity", "=1+1", "invalid-number"),
        bad("quantity", "#REF!", "invalid-number"),
        bad("quantity", "١٢", "invalid-number"),
        bad("quantity", "99999999999999999999999999999999", "invalid-number"),
        bad("quantity", "", "missing-value"),
        bad("quantity", "N/A", "missing-value"),
        good("quantity", "1 047.65"),
        good("quantity", "1\u{a0}047.65"),
        good("quantity", "4.00E-06"),
        good("quantity", "0"),
        bad("year", "1850", "invalid-year"),
        bad("year", "3000", "invalid-year"),
        bad("year", "2019.5", "invalid-year"),
        bad("year", "2019-01-01", "invalid-year"),
        bad("year", "", "invalid-year"),
        good("year", " 2019 "),
        bad("id", "0", "invalid-facility-id"),
        bad("id", "-7", "invalid-facility-id"),
        bad("id", "2020-01-01", "invalid-facility-id"),
        bad("id", "1e5", "invalid-facility-id"),
        bad("id", "99999999999999999999", "invalid-facility-id"),
        bad("id", "=1", "invalid-facility-id"),
        bad("cas", "01-Jan-83", "invalid-substance"),
        bad("cas", "12/13/7783", "invalid-substance"),
        bad("cas", "71-43-3-2", "invalid-substance"),
        bad("cas", "NA - ../..", "invalid-substance"),
        bad("cas", "", "invalid-substance"),
        (
            "a medium that is none",
            second(&[("group", "Releases to Space"), ("group_fr", "")]),
            "3 read, 2 accepted, 1 invalid-medium",
        ),
        (
            "a medium that is none in English",
            second(&[("group", "Releases to Space")]),
            "3 read, 3 accepted",
        ),
        bad("units", "barrels", "invalid-units"),
        (
            "a mass and a toxicity",
            npri(&[&[], &[("units", "g TEQ")]]),
            "2 read, 1 accepted, 1 mixed-teq",
        ),
        bad("province", "ZZ", "invalid-province"),
        bad("naics", "32x", "invalid-naics"),
        good("company", "=HYPERLINK(\"http://example.org\",\"x\")"),
        good("company", "'; DROP TABLE release; --"),
        good("company", "<script>alert(1)</script>"),
        good("facility", "((((((((((((((((((((((((((((((((((((((((("),
    ]);
}

#[test]
fn cells_of_emissions() {
    let of = |table: fn(&[Changes<'_>]) -> Vec<u8>, changes: Changes<'_>| {
        table(&[&[], &[&[("year", "2016")], changes].concat()])
    };
    check(vec![
        (
            "the same facility and year twice",
            ghgrp(&[&[], &[("total", "7")]]),
            "2 read, 1 accepted, 1 superseded",
        ),
        (
            "a total that is none",
            of(ghgrp, &[("total", "NaN")]),
            "2 read, 1 accepted, 1 invalid-number",
        ),
        ("a blank total", of(ghgrp, &[("total", "")]), "2 read, 1 accepted, 1 missing-value"),
        ("a negative gas", of(ghgrp, &[("ch4", "-1")]), "2 read, 1 accepted, 1 invalid-number"),
        (
            "an id without digits",
            of(ghgrp, &[("id", "G")]),
            "2 read, 1 accepted, 1 invalid-facility-id",
        ),
        (
            "an id that is a date",
            of(ghgrp, &[("id", "Jan-01")]),
            "2 read, 1 accepted, 1 invalid-facility-id",
        ),
        (
            "a province misspelt",
            of(ghgrp, &[("province", "Qubec")]),
            "2 read, 1 accepted, 1 invalid-province",
        ),
        (
            "a year before the programme",
            of(ghgrp, &[("year", "1066")]),
            "2 read, 1 accepted, 1 invalid-year",
        ),
        (
            "a total with a comma",
            of(cesi, &[("total", "1,047.65")]),
            "2 read, 1 accepted, 1 invalid-number",
        ),
        ("a total of n/a", of(cesi, &[("total", "n/a")]), "2 read, 1 accepted, 1 missing-value"),
    ]);
}

#[test]
fn packed_files() {
    let plain = second(&[]);
    let packed = gzip(&plain);
    let archive = zip(&[("a.csv", &plain)]);
    let patched = |bytes: &[u8], place: usize| {
        let mut bytes = bytes.to_vec();
        bytes[place] ^= 0xff;
        bytes
    };
    let encrypted = {
        let mut bytes = archive.clone();
        // The first bit of the flags, in the member's own header and in the archive's list.
        bytes[6] |= 1;
        let listed = bytes.windows(4).position(|window| window == b"PK\x01\x02").unwrap();
        bytes[listed + 8] |= 1;
        bytes
    };
    let bomb = [plain.as_slice(), &vec![b'\n'; 8 << 20]].concat();
    let vast = [plain.as_slice(), &vec![b'"'; 8 << 20]].concat();
    check(vec![
        ("gzip", packed.clone(), "3 read, 3 accepted"),
        ("gzip cut in the middle", packed[..packed.len() / 2].to_vec(), "cannot read"),
        ("gzip without its last byte", packed[..packed.len() - 1].to_vec(), "cannot read"),
        ("gzip of a wrong checksum", patched(&packed, packed.len() - 8), "cannot read"),
        ("gzip with a byte flipped", patched(&packed, packed.len() / 2), "cannot read"),
        ("only the magic of gzip", b"\x1f\x8b".to_vec(), "cannot read"),
        ("gzip, then something else", [packed.as_slice(), b"trailing"].concat(), "cannot read"),
        ("gzip of nothing", gzip(b""), "it is empty"),
        ("gzip in gzip", gzip(&packed), "it is packed twice"),
        ("zip in gzip", gzip(&archive), "it is packed twice"),
        ("a bomb of gzip", gzip(&bomb), "it unpacks to more than 100 times its length"),
        ("a bomb of quotes", gzip(&vast), "it unpacks to more than 100 times its length"),
        ("zip", archive.clone(), "3 read, 3 accepted"),
        ("zip cut in the middle", archive[..archive.len() / 2].to_vec(), "cannot read"),
        ("zip without its list", archive[..archive.len() - 60].to_vec(), "cannot read"),
        ("zip with a byte flipped", patched(&archive, archive.len() / 3), "cannot read"),
        ("zip of nothing", zip(&[]), "the archive holds 0 files named .csv; it must hold one"),
        (
            "zip of two files",
            zip(&[("a.csv", &plain), ("b.csv", &plain)]),
            "the archive holds 2 files named .csv; it must hold one",
        ),
        (
            "zip of another file",
            zip(&[("a.xlsx", &plain)]),
            "the archive holds 0 files named .csv; it must hold one",
        ),
        (
            "a workbook of Excel",
            zip(&[("[Content_Types].xml", b"<Types/>"), ("xl/workbook.xml", b"<workbook/>")]),
            "it is an Excel workbook; save its sheet as CSV UTF-8",
        ),
        ("zip that is encrypted", encrypted, "cannot read"),
        (
            "zip in zip",
            zip(&[("a.zip", &archive)]),
            "the archive holds 0 files named .csv; it must hold one",
        ),
        ("zip in zip under another name", zip(&[("a.csv", &archive)]), "it is packed twice"),
        ("gzip in zip", zip(&[("a.csv", &packed)]), "it is packed twice"),
        (
            "zip with a path that leaves it",
            zip(&[("../../../tmp/a.csv", &plain)]),
            "3 read, 3 accepted",
        ),
        ("a bomb of zip", zip(&[("a.csv", &bomb)]), "it unpacks to more than 100 times its length"),
        ("something before the zip", [b"junk\n".as_slice(), &archive].concat(), "not the header"),
    ]);
}

/// Calls `act` once, when the reading of a file begins.
struct OnceReading<F: Fn() + Sync> {
    act: F,
    is_done: AtomicBool,
}

impl<F: Fn() + Sync> Progress for OnceReading<F> {
    fn begin(&self, stage: &str, _bytes: Option<u64>) {
        if stage.starts_with("reading") && !self.is_done.swap(true, Ordering::Relaxed) {
            (self.act)();
        }
    }
    fn advance(&self, _bytes: u64, _rows: u64) {}
    fn end(&self) {}
}

#[test]
fn a_file_that_changes_while_it_is_read_is_refused() {
    fn appended(path: &Path) {
        fs::write(path, [second(&[]), b"\n".to_vec()].concat()).unwrap();
    }
    fn touched(path: &Path) {
        let file = fs::File::options().write(true).open(path).unwrap();
        file.set_modified(std::time::SystemTime::UNIX_EPOCH).unwrap();
    }
    fn truncated(path: &Path) {
        fs::File::create(path).unwrap();
    }
    fn replaced(path: &Path) {
        let new = path.with_extension("new");
        fs::write(&new, second(&[])).unwrap();
        let modified = fs::metadata(path).unwrap().modified().unwrap();
        fs::File::options().write(true).open(&new).unwrap().set_modified(modified).unwrap();
        fs::rename(&new, path).unwrap();
    }
    fn removed(path: &Path) {
        fs::remove_file(path).unwrap();
    }
    for (name, act) in [
        ("appended", appended as fn(&Path)),
        ("touched", touched),
        ("truncated", truncated),
        ("replaced by one of the same length and time", replaced),
        ("removed", removed),
    ] {
        let files = written(&[second(&[])]);
        let path = &files.paths[0];
        let progress = OnceReading { act: || act(path), is_done: AtomicBool::new(false) };
        let options = BuildOptions::of_files([path.clone()]);
        match read(&options, &progress) {
            Err(ReadError::Refused { path: named, reason }) => {
                assert_eq!((&named, reason.as_str()), (path, "it changed while it was read"));
            }
            other => panic!("{name}: {other:?}"),
        }
    }
}

#[test]
fn what_is_no_file_is_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::create_dir(at("folder.csv")).unwrap();
    std::os::unix::fs::symlink(at("nowhere"), at("link.csv")).unwrap();
    let made = std::process::Command::new("mkfifo").arg(at("pipe.csv")).status().unwrap();
    assert!(made.success());
    let _socket = std::os::unix::net::UnixListener::bind(at("socket.csv")).unwrap();
    for (name, expected) in [
        ("folder.csv", "it is not a regular file"),
        ("pipe.csv", "it is not a regular file"),
        ("socket.csv", "it is not a regular file"),
        ("link.csv", "cannot read"),
        ("missing.csv", "cannot read"),
    ] {
        let error = read(&BuildOptions::of_files([at(name)]), &Silent).unwrap_err().to_string();
        assert!(error.contains(expected) && error.contains(name), "{name}: {error}");
    }
    let error = read(&BuildOptions::of_files(["/dev/zero".into()]), &Silent).unwrap_err();
    assert!(error.to_string().contains("`/dev/zero`"), "{error}");
}
