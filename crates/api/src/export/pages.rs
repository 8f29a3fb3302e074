//! All matches of a request, a page at a time.

use outfall_request::{Page, RecordsJson, SearchBackend, SearchError, SearchRequest, Start};

/// The pages of an export, each searched for when it is wanted.
pub(super) struct Pages<'b> {
    backend: &'b dyn SearchBackend,
    search: SearchRequest,
    /// How many records are still wanted.
    left: u32,
    has_more: bool,
}

impl<'b> Pages<'b> {
    pub(super) const fn new(backend: &'b dyn SearchBackend, search: SearchRequest) -> Self {
        let left = search.page.limit;
        Self { backend, search, left, has_more: true }
    }

    /// The records of the next page; `None` when there are no more. There is at least one page,
    /// maybe without records.
    ///
    /// # Errors
    /// Those of the backend.
    pub(super) fn next(&mut self) -> Result<Option<RecordsJson>, SearchError> {
        if !self.has_more {
            return Ok(None);
        }
        self.search.page.limit = self.left.min(Page::MAX_LIMIT);
        let page = self.backend.search(&self.search)?;
        let taken = u32::try_from(page.records.len()).unwrap_or(u32::MAX);
        self.left = self.left.saturating_sub(taken);
        match page.next {
            Some(next) if self.left > 0 => self.search.page.start = Start::After(next),
            _ => self.has_more = false,
        }
        Ok(Some(page.records))
    }
}
