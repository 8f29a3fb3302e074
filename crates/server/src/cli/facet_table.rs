//! Counts and sums by value as a table on a terminal.

use comfy_table::{CellAlignment, Table};
use outfall_records::RecordKind;
use outfall_request::{FacetEntry, FacetSum, FacetTable};

use super::table::styled;

/// The entries of one facet, the largest count first.
pub(super) fn facet_table(facet: &FacetTable, record_kind: RecordKind) -> Table {
    let sums = FacetSum::zero(record_kind).parts();
    let mut titles = vec![facet.facet.name(), "name", "count"];
    titles.extend(sums.iter().map(|(name, _)| *name));
    let mut table = styled(&titles);
    table.add_rows(facet.entries.iter().map(row));
    for index in 2..titles.len() {
        if let Some(column) = table.column_mut(index) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}

fn row(entry: &FacetEntry) -> Vec<String> {
    let value = entry.value.as_ref();
    let text = |text: Option<&String>| text.cloned().unwrap_or_default();
    let name = value.and_then(|value| value.label_en.as_ref());
    let mut row = vec![text(value.map(|value| &value.value)), text(name), entry.count.to_string()];
    let sums = entry.sum.parts().into_iter();
    row.extend(sums.map(|(_, sum)| sum.map_or_else(String::new, |sum| sum.to_string())));
    row
}
