//! What the records of an edition share: the ids that make up theirs, and the names they show.

use std::sync::Arc;

use outfall_records::{Medium, RecordTable, ReportingYear, Tables};

use super::{EditionRecord, Quantity};

/// The names that a record shows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecordNames {
    /// The name of the facility.
    pub facility_name: Option<Arc<str>>,
    /// The English name of the substance of a release.
    pub substance_en: Option<Arc<str>>,
    /// The French one.
    pub substance_fr: Option<Arc<str>>,
}

/// The ids and names of sites and substances, by number.
#[derive(Clone, Debug, Default)]
pub struct EditionNames {
    sites: Vec<(String, Option<Arc<str>>)>,
    substances: Vec<(String, [Option<Arc<str>>; 2])>,
}

/// The values of one record; those that it shares with others are given by number.
#[derive(Clone, Copy, Debug)]
pub struct OwnValues {
    /// The number of its site.
    pub site: u32,
    /// The number of the substance of a release.
    pub substance: Option<u16>,
    /// The medium of a release.
    pub medium: Option<Medium>,
    /// The reporting year.
    pub year: ReportingYear,
    /// The published number.
    pub quantity: Quantity,
}

impl EditionNames {
    /// Adds the next site: the id of the facility, and its name.
    pub fn push_site(&mut self, facility_id: String, facility_name: Option<&str>) {
        self.sites.push((facility_id, facility_name.map(Arc::from)));
    }

    /// Adds the next substance: its id, and its English and French name.
    pub fn push_substance(&mut self, substance_id: String, names: [Option<&str>; 2]) {
        self.substances.push((substance_id, names.map(|name| name.map(Arc::from))));
    }

    /// The record with these values; `None` if there is no such site or substance.
    #[must_use]
    pub fn record(&self, own: OwnValues) -> Option<EditionRecord> {
        let OwnValues { site, substance, medium, year, quantity } = own;
        let (facility_id, facility_name) = self.sites.get(site as usize)?;
        let mut names =
            RecordNames { facility_name: facility_name.clone(), ..RecordNames::default() };
        let record_id = match (substance, medium) {
            (Some(substance), Some(medium)) => {
                let (id, substance_names) = self.substances.get(usize::from(substance))?;
                [names.substance_en, names.substance_fr] = substance_names.clone();
                format!("{facility_id}:{year}:{id}:{}", medium.slug())
            }
            _ => format!("{facility_id}:{year}"),
        };
        Some(EditionRecord { record_id, year, names, medium, quantity })
    }
}

/// The records of some tables, as they are compared with those of another edition.
#[expect(clippy::expect_used, reason = "every row names a site and a substance of its tables")]
pub fn edition_records(tables: &Tables) -> impl Iterator<Item = EditionRecord> {
    let mut names = EditionNames::default();
    for site in &tables.sites {
        names.push_site(site.facility_id.to_string(), site.facility_name.as_deref());
    }
    if let RecordTable::Release { substances, .. } = &tables.rows {
        for substance in substances {
            let both = [substance.name_en.as_deref(), substance.name_fr.as_deref()];
            names.push_substance(substance.id.to_string(), both);
        }
    }
    (0..tables.len()).map(move |index| {
        let (site, substance, medium) = tables.shared(index);
        let (value, unit) = tables.quantity(index);
        let (year, quantity) = (tables.year(index), Quantity { value, unit });
        names.record(OwnValues { site, substance, medium, year, quantity }).expect("a record")
    })
}
