//! Recognises files that are not tables by their first lines.

use super::open::Container;

/// The advice for an Excel workbook.
pub(super) const EXCEL: &str = "it is an Excel workbook; save its sheet as CSV UTF-8";
/// The first bytes of `.xls` files, and of other documents of old Microsoft programs.
const COMPOUND_FILE: &[u8] = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1";

/// Says what a file is and what to do about it, if its first lines are not a readable table.
pub(crate) fn wrong_format(first_lines: &[u8]) -> Option<&'static str> {
    match first_lines {
        [0xff, 0xfe, 0, 0, ..]
        | [0, 0, 0xfe, 0xff, ..]
        | [1..=255, 0, 0, 0, ..]
        | [0, 0, 0, 1..=255, ..] => return Some("it is UTF-32; save it as UTF-8"),
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] | [0, 1..=255, ..] | [1..=255, 0, ..] => {
            return Some("it is UTF-16; save it as UTF-8");
        }
        _ => {}
    }
    if first_lines.starts_with(COMPOUND_FILE) {
        return Some(EXCEL);
    }
    if !matches!(Container::of(first_lines), Container::Plain) {
        return Some("it is packed twice; unpack it once");
    }
    let text = first_lines.trim_ascii();
    if text.starts_with(b"<") {
        return Some("it is a web page saved under that name; download the file itself");
    }
    if text.contains(&b'\r') && !text.contains(&b'\n') {
        return Some("its lines end with CR alone; save it with LF or CRLF");
    }
    let line = text.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let count = |wanted: u8| line.iter().filter(|byte| **byte == wanted).count();
    if count(b';') > count(b',').max(count(b'\t')) {
        return Some("its columns are separated by `;`; save it with commas or TABs");
    }
    None
}
