//! The list of changes as CSV, written and read.

use std::io::{self, Read, Write};
use std::str::FromStr;
use std::sync::Arc;

use outfall_records::{Decimal, Emission, Medium, RecordKind, ReportingYear, Unit};
use outfall_request::{Change, Edit, Quantity, RecordNames};

/// The columns; those that a record does not have are blank.
const COLUMNS: [&str; 12] = [
    "kind",
    "record_id",
    "change",
    "year",
    "facility_name",
    "substance_en",
    "substance_fr",
    "medium",
    "old_value",
    "old_units",
    "new_value",
    "new_units",
];

/// Writes a list of changes.
pub struct ChangeList<W: Write> {
    writer: csv::Writer<W>,
}

/// Why a list of changes cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ChangeListError {
    /// The file cannot be read, or is not CSV with these columns.
    #[error("cannot read the list of changes: {0}")]
    Read(#[from] csv::Error),
    /// A row is not one that [`ChangeList`] writes.
    #[error("row {row} of the list of changes makes no sense")]
    Row {
        /// The number of the row, the first after the header being 1.
        row: u64,
    },
}

impl<W: Write> ChangeList<W> {
    /// Begins a list with its header.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn begin(to: W) -> csv::Result<Self> {
        let mut writer = csv::Writer::from_writer(to);
        writer.write_record(COLUMNS)?;
        Ok(Self { writer })
    }

    /// Adds a change; numbers are written as they are published.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(&mut self, change: &Change) -> csv::Result<()> {
        let Change { record_kind, record_id, year, names, medium, edit } = change;
        let RecordNames { facility_name, substance_en, substance_fr } = names;
        let value = |quantity: Option<Quantity>| {
            quantity.map_or_else(String::new, |quantity| quantity.value.to_string())
        };
        let units = |quantity: Option<Quantity>| quantity.map_or("", |quantity| quantity.units());
        self.writer.write_record([
            record_kind.name(),
            record_id,
            edit.name(),
            &year.to_string(),
            facility_name.as_deref().unwrap_or_default(),
            substance_en.as_deref().unwrap_or_default(),
            substance_fr.as_deref().unwrap_or_default(),
            medium.map_or("", Medium::slug),
            &value(edit.before()),
            units(edit.before()),
            &value(edit.after()),
            units(edit.after()),
        ])
    }

    /// Ends the list.
    ///
    /// # Errors
    /// When its last rows cannot be written.
    pub fn finish(mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

/// The changes in a list that [`ChangeList`] wrote, one after the other.
pub fn read_changes(list: impl Read) -> impl Iterator<Item = Result<Change, ChangeListError>> {
    let rows = csv::Reader::from_reader(list).into_records();
    rows.zip(1..).map(|(row, number)| change(&row?).ok_or(ChangeListError::Row { row: number }))
}

fn change(row: &csv::StringRecord) -> Option<Change> {
    let mut cells = row.iter();
    let mut cell = || cells.next();
    let kind = cell()?;
    let record_kind = RecordKind::ALL.into_iter().find(|known| known.name() == kind)?;
    let record_id = cell()?.to_owned();
    let what = cell()?;
    let year = ReportingYear::parse(cell()?).ok()?;
    let mut name = || cell().map(|name| (!name.is_empty()).then(|| Arc::from(name)));
    let names =
        RecordNames { facility_name: name()?, substance_en: name()?, substance_fr: name()? };
    let slug = cell()?;
    let medium = Medium::ALL.into_iter().find(|known| known.slug() == slug);
    let edit = Edit::of(quantity(cell()?, cell()?)?, quantity(cell()?, cell()?)?)?;
    let is_whole = edit.name() == what && medium.is_some() == record_kind.has_substances();
    is_whole.then_some(Change { record_kind, record_id, year, names, medium, edit })
}

/// The quantity in two cells, if they are not blank; `None` if they make no sense.
fn quantity(value: &str, units: &str) -> Option<Option<Quantity>> {
    if value.is_empty() && units.is_empty() {
        return Some(None);
    }
    let value = Decimal::from_str(value).ok()?;
    let unit = match units {
        Emission::UNITS => None,
        units => Some(Unit::ALL.into_iter().find(|known| known.name() == units)?),
    };
    Some(Some(Quantity { value, unit }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_back() {
        let quantity = |value: &str, unit| Quantity { value: value.parse().unwrap(), unit };
        let year = ReportingYear::new(2020).unwrap();
        let release = |edit, medium, facility_name: Option<&str>| Change {
            record_kind: RecordKind::Release,
            record_id: "1:2020:71-43-2:air".to_owned(),
            year,
            names: RecordNames {
                facility_name: facility_name.map(Arc::from),
                substance_en: Some("Benzene".into()),
                substance_fr: None,
            },
            medium: Some(medium),
            edit,
        };
        let (kilograms, tonnes) = (
            quantity("1.000000000000001", Some(Unit::Kilograms)),
            quantity("0", Some(Unit::Tonnes)),
        );
        let old = quantity("3", Some(Unit::GramsTeq));
        let changes = [
            release(Edit::Added(kilograms), Medium::AllMedia, Some("Usine \"A\", n\u{ba}\n1")),
            release(Edit::Changed { old, new: tonnes }, Medium::Water, None),
            Change {
                record_kind: RecordKind::Emission,
                record_id: "G10001:2020".to_owned(),
                year,
                names: RecordNames::default(),
                medium: None,
                edit: Edit::Removed(quantity("52134.791", None)),
            },
        ];
        let mut bytes = Vec::new();
        let mut list = ChangeList::begin(&mut bytes).unwrap();
        changes.iter().for_each(|change| list.write(change).unwrap());
        list.finish().unwrap();
        let found: Result<Vec<Change>, _> = read_changes(&*bytes).collect();
        assert_eq!(found.unwrap(), changes);
        let text = String::from_utf8(bytes).unwrap();
        let last = "emission,G10001:2020,removed,2020,,,,,52134.791,tonnes CO2e,,";
        assert_eq!(text.lines().last(), Some(last));
        for (good, bad) in [
            ("release,", "disposal,"),
            (",added,", ",changed,"),
            (",2020,", ",20,"),
            (",all-media,", ",,"),
            ("g TEQ", "ounces"),
            ("52134.791", "many"),
            (",tonnes CO2e", ""),
        ] {
            let found = read_changes(text.replacen(good, bad, 1).as_bytes()).find_map(Result::err);
            assert!(found.is_some(), "{bad}");
        }
    }
}
