//! Matches as a table on a terminal.

use std::collections::BTreeMap;
use std::io::{self, Write};

use comfy_table::presets::UTF8_BORDERS_ONLY;
use comfy_table::{CellAlignment, ContentArrangement, Table};
use outfall_records::RecordKind;
use outfall_request::{SearchPage, SearchRequest};
use serde_json::value::RawValue;

use super::facet_table::{crossed_table, facet_table};

/// A field of a record, and the title of its column.
type TableColumn = (&'static str, &'static str);

const RELEASE: [TableColumn; 7] = [
    ("year", "year"),
    ("province", "prov."),
    ("facility_name", "facility"),
    ("substance_en", "substance"),
    ("medium_en", "medium"),
    ("quantity", "quantity"),
    ("units", "units"),
];
const EMISSION: [TableColumn; 6] = [
    ("year", "year"),
    ("province", "prov."),
    ("facility_name", "facility"),
    ("company_name", "company"),
    ("naics_en", "industry"),
    ("total_co2e", "t CO2e"),
];
/// The columns of numbers, aligned to compare by eye.
const NUMBERS: [&str; 2] = ["quantity", "total_co2e"];
/// The width of a table when that of the terminal is unknown.
const WIDTH: u16 = 100;

/// Writes a page as a table, then a table for each facet, then which part of the matches it shows.
///
/// # Errors
/// Those of `out`, and when a record is not a JSON object.
pub(super) fn write(
    request: &SearchRequest,
    page: &SearchPage,
    out: &mut impl Write,
) -> io::Result<()> {
    let columns: &[TableColumn] = match request.record_kind {
        RecordKind::Release => &RELEASE,
        RecordKind::Emission => &EMISSION,
    };
    if !page.records.is_empty() {
        writeln!(out, "{}", table(columns, page)?)?;
    }
    for facet in &page.facets.tables {
        writeln!(out, "{}", facet_table(facet, request.record_kind))?;
    }
    if let Some(facet) = &page.facets.crossed {
        writeln!(out, "{}", crossed_table(facet, request.record_kind))?;
    }
    let (kind, shown) = (request.record_kind, page.records.len() as u64);
    match (shown, page.total) {
        (0, 0) => writeln!(out, "no {kind} matches")?,
        (0, total) => writeln!(out, "{total} {kind}s match")?,
        (shown, total) => {
            let (first, last) = (page.offset + 1, page.offset + shown);
            writeln!(out, "{first} to {last} of {total} {kind}s")?;
        }
    }
    if page.next.is_some() {
        let next = page.offset + shown;
        writeln!(out, "more with --offset {next}, all of them with --format csv")?;
    }
    Ok(())
}

fn table(columns: &[TableColumn], page: &SearchPage) -> io::Result<Table> {
    let titles: Vec<&str> = columns.iter().map(|(_, title)| *title).collect();
    let mut table = styled(&titles);
    for record in page.records.iter() {
        let record: BTreeMap<&str, &RawValue> = serde_json::from_slice(record)?;
        let row: Result<Vec<String>, _> =
            columns.iter().map(|(field, _)| cell(record.get(field).copied())).collect();
        table.add_row(row?);
    }
    for (index, (field, _)) in columns.iter().enumerate() {
        if NUMBERS.contains(field)
            && let Some(column) = table.column_mut(index)
        {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    Ok(table)
}

/// An empty table with these titles, as wide as the terminal.
pub(super) fn styled(titles: &[&str]) -> Table {
    let mut table = Table::new();
    table
        .load_style(UTF8_BORDERS_ONLY)
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_width(terminal_size::terminal_size().map_or(WIDTH, |(width, _)| width.0))
        .set_header(titles);
    table
}

/// A value for people to read; numbers keep their decimal spelling.
fn cell(value: Option<&RawValue>) -> serde_json::Result<String> {
    match value.map_or("null", RawValue::get) {
        "null" => Ok(String::new()),
        text if text.starts_with('"') => serde_json::from_str(text),
        number => Ok(number.to_owned()),
    }
}
