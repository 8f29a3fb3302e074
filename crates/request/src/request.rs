//! A request, checked and complete.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use outfall_records::RecordKind;

use crate::text::TextQuery;
use crate::{Cursor, Facets, Filters, GivenFilter, ValueUnit};

/// Everything that a backend needs to answer.
#[derive(Clone, Debug)]
pub struct SearchRequest {
    /// The kind of records.
    pub record_kind: RecordKind,
    /// `q`.
    pub text: TextQuery,
    /// Every other filter.
    pub filters: Filters,
    /// The value that bounds and `sort_by=value` compare.
    pub value_unit: ValueUnit,
    /// The order.
    pub sort: Sort,
    /// The part of the matches to return.
    pub page: Page,
    /// The facets to count over all matches, whatever the page.
    pub facets: Facets,
    /// The filters that were given, each to be counted by itself if nothing matches; `None` if that
    /// need not be explained.
    pub explain: Option<Vec<GivenFilter>>,
    /// When to give up with [`crate::SearchError::TimedOut`].
    pub deadline: Option<Instant>,
    /// Can end the search before then, with the same error. Engines on another machine ignore it.
    pub stop: Option<Stop>,
}

/// Ends a search from outside. All clones share one state.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Ends the search.
    pub fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether the search is to end.
    #[must_use]
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

impl SearchRequest {
    /// The request without any parameter.
    #[must_use]
    pub fn all(record_kind: RecordKind) -> Self {
        Self {
            record_kind,
            text: TextQuery::default(),
            filters: Filters::default(),
            value_unit: ValueUnit::default(),
            sort: Sort::default(),
            page: Page { start: Start::Offset(0), limit: Page::DEFAULT_LIMIT },
            facets: Facets::default(),
            explain: None,
            deadline: None,
            stop: None,
        }
    }
}

/// A total order; ties are broken by `record_id`, ascending in byte order, in both directions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sort {
    /// The key.
    pub by: SortKey,
    /// The direction of the key.
    pub order: SortOrder,
}

/// The key that orders records.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SortKey {
    /// The reporting year.
    #[default]
    Year,
    /// The compared value; records without one come last in both directions.
    Value,
    /// How many of the units of `q` that are not excluded occur in a name of the record
    /// ([`outfall_records::SearchField::is_name`]).
    Relevance,
}

impl SortKey {
    /// The words of `sort_by=`; the reporting year, the only date that the data has, has three.
    pub const WORDS: [(&'static str, Self); 5] = [
        ("date", Self::Year),
        ("published", Self::Year),
        ("closing", Self::Year),
        ("value", Self::Value),
        ("relevance", Self::Relevance),
    ];

    /// The first word of `sort_by=` for this key.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Year => "date",
            Self::Value => "value",
            Self::Relevance => "relevance",
        }
    }
}

/// A direction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SortOrder {
    /// Smallest first.
    Asc,
    /// Largest first.
    #[default]
    Desc,
}

impl SortOrder {
    /// The words of `sort_order=`.
    pub const WORDS: [(&'static str, Self); 2] = [("asc", Self::Asc), ("desc", Self::Desc)];

    /// The word of `sort_order=`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Asc => "asc",
            Self::Desc => "desc",
        }
    }
}

/// A part of the ordered matches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// Where it begins.
    pub start: Start,
    /// The most records, 0 to [`Page::MAX_LIMIT`].
    pub limit: u32,
}

impl Page {
    /// The limit of a request that gives none.
    pub const DEFAULT_LIMIT: u32 = 25;
    /// The largest limit.
    pub const MAX_LIMIT: u32 = 1_000;
    /// The largest offset; a cursor goes deeper.
    pub const MAX_OFFSET: u32 = 100_000;
}

/// Where a page begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Start {
    /// After this many matches.
    Offset(u32),
    /// After the last record of an earlier page.
    After(Cursor),
}
