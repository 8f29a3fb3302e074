//! `sort_by=relevance`: how many units of `q` stand in a name of a record.

use super::lower::Lowering;
use super::rows::RowSet;
use crate::SearchError;

/// How many units of `q` stand in a name of each document.
pub(crate) struct Relevance {
    pub(crate) named: Vec<RowSet>,
}

impl Relevance {
    /// Looks the units of a request up among the names.
    pub(crate) fn new(lowering: &Lowering<'_>) -> Result<Self, SearchError> {
        let units = lowering.request.text.units().filter(|unit| !unit.is_excluded);
        let named = units.map(|unit| lowering.holding(unit, lowering.kind.fields.name));
        Ok(Self { named: named.collect::<Result<_, _>>()? })
    }

    pub(crate) fn of(&self, document: u32) -> u32 {
        self.named.iter().filter(|rows| rows.contains(document)).count() as u32
    }
}
