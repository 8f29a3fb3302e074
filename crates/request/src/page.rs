//! The answer of a backend, before it is put into its envelope.

use outfall_records::Unit;

use crate::{Cursor, Explanation, FacetTables};

/// Everything that a backend returns.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchPage {
    /// The build of the data that gave the answer.
    pub build_id: String,
    /// The exact number of matches, the same on every page.
    pub total: u64,
    /// The absolute position of the first record.
    pub offset: u64,
    /// The records, in order.
    pub records: RecordsJson,
    /// Where the next page begins; `None` on the last page and when the limit is 0.
    pub next: Option<Cursor>,
    /// Matches by unit, when published quantities of releases are compared, by a bound or by the
    /// sort, without `value_unit`.
    pub units: Option<UnitCounts>,
    /// Why nothing matches, if nothing does and the request is to be explained.
    pub explanation: Option<Explanation>,
    /// The facets asked for.
    pub facets: FacetTables,
}

/// The JSON of several records in one buffer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecordsJson {
    joined: Vec<u8>,
    ends: Vec<usize>,
}

impl RecordsJson {
    /// No records, with room for that many.
    #[must_use]
    pub fn with_room(records: usize) -> Self {
        /// The JSON of most records is shorter.
        const BYTES: usize = 1 << 10;
        Self { joined: Vec::with_capacity(records * BYTES), ends: Vec::with_capacity(records) }
    }

    /// Adds the record that `write` appends to the buffer.
    pub fn push_with(&mut self, write: impl FnOnce(&mut Vec<u8>)) {
        if !self.ends.is_empty() {
            self.joined.push(b',');
        }
        write(&mut self.joined);
        self.ends.push(self.joined.len());
    }

    /// The records, separated by commas: the inside of a JSON array.
    #[must_use]
    pub fn joined(&self) -> &[u8] {
        &self.joined
    }

    /// Each record by itself.
    pub fn iter(&self) -> impl Iterator<Item = &[u8]> {
        self.ends.iter().scan(0, |start, &end| {
            let record = &self.joined[*start..end];
            *start = end + 1;
            Some(record)
        })
    }

    /// The number of records.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are no records.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }
}

/// Matches by unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UnitCounts([u64; Unit::ALL.len()]);

impl UnitCounts {
    /// Adds `count` matches in `unit`.
    pub const fn add(&mut self, unit: Unit, count: u64) {
        self.0[unit as usize] += count;
    }

    /// The units that occur, with their counts.
    pub fn iter(&self) -> impl Iterator<Item = (Unit, u64)> {
        Unit::ALL.into_iter().map(|unit| (unit, self.0[unit as usize])).filter(|(_, n)| *n > 0)
    }

    /// Whether more than one unit occurs.
    #[must_use]
    pub fn is_mixed(&self) -> bool {
        self.iter().count() > 1
    }
}
