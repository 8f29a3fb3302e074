//! The matches in a circle or a box.

use outfall_request::{Filters, SearchError, SearchRequest, Sort, Start};

use crate::search::lower::{Lowering, Matches};
use crate::search::places::PlaceSpans;
use crate::search::sets::DocSet;

impl Lowering<'_> {
    /// The matches in a circle or a box, if nothing else is asked for; if few are needed, only
    /// those up to the end of the page.
    pub(super) fn newest_in_a_region(&self) -> Result<Option<Matches>, SearchError> {
        let SearchRequest { text, filters, sort, page, facets, .. } = self.request;
        let Start::Offset(offset) = page.start else { return Ok(None) };
        let (near, bbox) = (filters.near.clone(), filters.bbox.clone());
        let is_alone = Filters { near, bbox, ..Filters::default() } == *filters
            && text.clauses.is_empty()
            && *sort == Sort::default()
            && facets.is_empty();
        let places = match (&filters.near, &filters.bbox) {
            (Some(circle), None) if is_alone => self.kind.places().near(circle),
            (None, Some(bounds)) if is_alone => self.kind.places().in_box(bounds),
            _ => return Ok(None),
        };
        self.pass()?;
        // One more than the page has, to see whether any remain.
        let wanted = offset as usize + page.limit as usize + 1;
        let rows = match self.kind.places().first(&places, wanted) {
            Some(newest) => DocSet::List(newest),
            None => self.of_places(&places)?,
        };
        Ok(Some(Matches { rows, places: None, total: self.kind.places().count(&places) }))
    }

    /// The documents of some places.
    pub(super) fn of_places(&self, places: &PlaceSpans) -> Result<DocSet, SearchError> {
        self.pass()?;
        self.kind.places().documents(places, &self.deadline)
    }
}
