//! The dimensions of the records of a kind, by number: sites, substances, sets of media, years.

use outfall_records::{Medium, RecordTable, ReleaseEntry, ReportingYear, Tables};
use rustc_hash::FxHashMap;

use crate::index::bytes::numbered;
use crate::index::kind::postings::Postings;

/// The dimensions of the records of a kind, besides the sites and substances of its tables.
pub(super) struct Dimensions {
    /// Each medium with the categories reported for it, by number.
    pub(super) media: Vec<(Medium, Vec<u16>)>,
    /// Newest first, with the number of records.
    pub(super) years: Vec<(ReportingYear, u32)>,
    /// The site of each record.
    pub(super) site_of: Vec<u32>,
    /// The substance of each release.
    pub(super) substance_of: Vec<u16>,
    /// The place in `media` of each release.
    pub(super) media_of: Vec<u32>,
}

impl Dimensions {
    pub(super) fn of(tables: &Tables) -> Self {
        let (mut media, mut media_of) = (Vec::new(), Vec::new());
        let (mut site_of, mut substance_of) = (Vec::with_capacity(tables.len()), Vec::new());
        match &tables.rows {
            RecordTable::Release { records, .. } => {
                (media, media_of) = distinct_media(tables, records);
                site_of.extend(records.iter().map(|row| row.site));
                substance_of.extend(records.iter().map(|row| row.substance));
            }
            RecordTable::Emission { records } => site_of.extend(records.iter().map(|row| row.site)),
        }
        Self { media, years: tables.years(), site_of, substance_of, media_of }
    }

    /// The documents of each dimension.
    #[expect(clippy::expect_used, reason = "the values are places in the tables")]
    pub(super) fn postings(&self, tables: &Tables) -> Postings {
        let mut start = 0;
        let blocks = self.years.iter().map(|(_, count)| {
            let block = start..start + count;
            start = block.end;
            block
        });
        let inverted = Postings::of_columns(
            (&self.site_of, tables.sites.len()),
            (&self.substance_of, tables.substances()),
            (&self.media_of, self.media.len()),
            blocks,
        );
        inverted.expect("each value has its place")
    }
}

/// The distinct media with their categories, in the order of their first record, and for each
/// record the number of its own.
fn distinct_media(
    tables: &Tables,
    records: &[ReleaseEntry],
) -> (Vec<(Medium, Vec<u16>)>, Vec<u32>) {
    // The key is the categories, then the medium. One buffer looks up every record, so that only
    // distinct keys allocate.
    let mut numbers: FxHashMap<Vec<u16>, u32> = FxHashMap::default();
    let mut key = Vec::new();
    let mut media = Vec::new();
    let number = |(index, row): (usize, &ReleaseEntry)| {
        key.clear();
        key.extend(tables.parts(index).iter().map(|part| part.category));
        key.sort_unstable();
        key.dedup();
        key.push(row.medium as u16);
        if let Some(number) = numbers.get(&key) {
            return *number;
        }
        let number = numbered(media.len());
        media.push((row.medium, key[..key.len() - 1].to_vec()));
        numbers.insert(key.clone(), number);
        number
    };
    let media_of = records.iter().enumerate().map(number).collect();
    (media, media_of)
}
