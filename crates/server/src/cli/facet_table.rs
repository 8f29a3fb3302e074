//! Counts and sums by value as tables on a terminal.

use comfy_table::{CellAlignment, Table};
use outfall_records::RecordKind;
use outfall_request::{
    CrossedTable, FacetDetails, FacetEntry, FacetInfo, FacetPlace, FacetSum, FacetTable,
};

use super::table::styled;

/// The entries of one facet, in the order of the answer.
pub(super) fn facet_table(facet: &FacetTable, record_kind: RecordKind) -> Table {
    let name = facet.facet.name();
    let mut table = titled(&[name], record_kind);
    table.add_rows(facet.entries.iter().map(row));
    table.add_rows(left_out(facet.info, &[], ""));
    table
}

/// The entries of a crossed facet: a row for each entry of the outer one, then a row for each pair.
pub(super) fn crossed_table(facet: &CrossedTable, record_kind: RecordKind) -> Table {
    let (outer, inner) = (facet.crossed.outer().name(), facet.crossed.inner().name());
    let mut table = titled(&[outer, inner], record_kind);
    for entry in &facet.entries {
        let value = value(&entry.outer);
        let mut all = row(&entry.outer);
        all.insert(1, "(all)".to_owned());
        table.add_row(all);
        let rows = entry.inner.iter().map(|inner| [vec![value.clone()], row(inner)].concat());
        table.add_rows(rows);
    }
    table.add_rows(left_out(facet.info, &[String::new()], " pairs"));
    table
}

/// An empty table whose first columns have these titles.
fn titled(first: &[&str], record_kind: RecordKind) -> Table {
    let sums = FacetSum::zero(record_kind).parts();
    let mut titles = first.to_vec();
    titles.extend(["name", "count"]);
    titles.extend(sums.iter().map(|(name, _)| *name));
    let mut table = styled(&titles);
    for index in first.len() + 1..titles.len() {
        if let Some(column) = table.column_mut(index) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}

fn value(entry: &FacetEntry) -> String {
    entry.value.as_ref().map_or_else(String::new, |value| value.value.clone())
}

fn row(entry: &FacetEntry) -> Vec<String> {
    let mut row = vec![value(entry), name(entry), entry.count.to_string()];
    let sums = entry.sum.parts().into_iter();
    row.extend(sums.map(|(_, sum)| sum.map_or_else(String::new, |sum| sum.to_string())));
    row
}

/// The name of a value, with the place of a facility.
fn name(entry: &FacetEntry) -> String {
    let Some(value) = &entry.value else { return String::new() };
    let mut parts: Vec<&str> = value.label_en.as_deref().into_iter().collect();
    if let FacetDetails::Facility(FacetPlace { province, city, .. }) = &value.details {
        parts.extend(city.as_deref());
        parts.extend(province.map(outfall_records::Province::code));
    }
    parts.join(", ")
}

/// A row for the values that are not listed, if there are any.
fn left_out(info: FacetInfo, before: &[String], what: &str) -> Option<Vec<String>> {
    let FacetInfo { values, left_out, left_out_count } = info;
    let note = format!("{left_out} of {values}{what} left out");
    let own = ["…".to_owned(), note, left_out_count.to_string()];
    (left_out > 0).then(|| [before, &own].concat())
}
