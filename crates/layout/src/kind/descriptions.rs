//! The descriptions of the records of a kind, by number: sites, substances, sets of media, years.

use std::collections::{BTreeSet, HashMap};

use outfall_records::{Medium, ReportingYear};

use super::postings::{Column, Postings};
use crate::tables::{Rows, Tables};

/// A medium and the categories reported for it, by number.
type Media = (Medium, BTreeSet<u16>);

/// What the records of a kind share, besides the sites and substances of its tables.
pub(super) struct Descriptions {
    pub(super) media: Vec<Media>,
    /// Newest first, with the number of records.
    pub(super) years: Vec<(ReportingYear, u32)>,
    /// The site of each record.
    pub(super) site_of: Vec<u32>,
    /// The substance of each release.
    pub(super) substance_of: Vec<u32>,
    /// The place in `media` of each release.
    pub(super) media_of: Vec<u32>,
}

impl Descriptions {
    pub(super) fn of(tables: &Tables) -> Self {
        let mut numbers: HashMap<Media, u32> = HashMap::new();
        let mut media = Vec::new();
        let (mut site_of, mut substance_of, mut media_of) = (Vec::new(), Vec::new(), Vec::new());
        match &tables.rows {
            Rows::Release { records, .. } => {
                for (index, row) in records.iter().enumerate() {
                    let categories = tables.parts(index).iter().map(|it| it.category).collect();
                    let key = (row.medium, categories);
                    let number = *numbers.entry(key).or_insert_with_key(|key| {
                        media.push(key.clone());
                        media.len() as u32 - 1
                    });
                    site_of.push(row.site);
                    substance_of.push(u32::from(row.substance));
                    media_of.push(number);
                }
            }
            Rows::Emission { records } => site_of.extend(records.iter().map(|row| row.site)),
        }
        let mut years: Vec<(ReportingYear, u32)> = Vec::new();
        for index in 0..tables.len() {
            match years.last_mut() {
                Some((year, count)) if *year == tables.year(index) => *count += 1,
                _ => years.push((tables.year(index), 1)),
            }
        }
        Self { media, years, site_of, substance_of, media_of }
    }

    /// The documents of each description.
    pub(super) fn postings(&self, tables: &Tables) -> Postings {
        let columns = [
            Column { values: &self.site_of, width: tables.sites.len() },
            Column { values: &self.substance_of, width: tables.substances() },
            Column { values: &self.media_of, width: self.media.len() },
        ];
        let mut start = 0;
        let blocks = self.years.iter().map(|(_, count)| {
            let block = start..start + count;
            start = block.end;
            block
        });
        Postings::invert(&columns, blocks)
    }
}
