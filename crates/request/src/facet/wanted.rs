//! Which facets to count, and how much of each to answer with.

use outfall_records::RecordKind;

use super::Facet;

/// The facets to count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facets {
    /// The facets of the kind asked for, in the order of the answer, each at most once.
    pub wanted: Vec<Facet>,
    /// A facet inside each entry of another.
    pub crossed: Option<CrossedFacet>,
    /// The most entries of each facet that is not short: 0 to [`Facets::MAX_LIMIT`], or
    /// [`Facets::NO_LIMIT`]; of the inner one of a crossed facet, the most inside each entry.
    pub limit: u32,
    /// The order of all entries, if one is asked for.
    pub sort: Option<FacetSort>,
}

impl Facets {
    /// The limit of a request that gives none.
    pub const DEFAULT_LIMIT: u32 = 20;
    /// The largest limit that a caller may give.
    pub const MAX_LIMIT: u32 = 1_000;
    /// The limit of an answer that has every entry.
    pub const NO_LIMIT: u32 = u32::MAX;

    /// Whether nothing is to be counted.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.wanted.is_empty() && self.crossed.is_none()
    }

    /// The order of the entries of a facet: as asked for, or else years in their own order and
    /// every other by count.
    #[must_use]
    pub fn sort_of(&self, facet: Facet) -> FacetSort {
        let default = if facet == Facet::Year { FacetSort::Value } else { FacetSort::Count };
        self.sort.unwrap_or(default)
    }

    /// The most entries of a facet; a short one has them all.
    #[must_use]
    pub const fn limit_of(&self, facet: Facet) -> usize {
        if facet.is_short() { usize::MAX } else { self.limit as usize }
    }

    /// Whether an answer states how many substances its matches have: a sum over several substances
    /// is not a sum of one quantity, so only a list of single substances does without.
    #[must_use]
    pub fn counts_substances(&self, record_kind: RecordKind) -> bool {
        let is_by_substance = self.wanted == [Facet::Substance] && self.crossed.is_none();
        record_kind.has_substances() && !self.is_empty() && !is_by_substance
    }
}

impl Default for Facets {
    fn default() -> Self {
        Self { wanted: Vec::new(), crossed: None, limit: Self::DEFAULT_LIMIT, sort: None }
    }
}

/// A facet that is counted inside each entry of another, `year*medium`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CrossedFacet {
    outer: Facet,
    inner: Facet,
}

impl CrossedFacet {
    /// `inner` inside each entry of `outer`; `None` unless `outer` is short and the two differ.
    #[must_use]
    pub fn new(outer: Facet, inner: Facet) -> Option<Self> {
        (outer.is_short() && outer != inner).then_some(Self { outer, inner })
    }

    /// Every crossed facet of a kind, in the order of [`Facet::ALL`].
    pub fn of(record_kind: RecordKind) -> impl Iterator<Item = Self> {
        Facet::of(record_kind).flat_map(move |outer| {
            Facet::of(record_kind).filter_map(move |inner| Self::new(outer, inner))
        })
    }

    /// The facet whose entries hold the others.
    #[must_use]
    pub const fn outer(self) -> Facet {
        self.outer
    }

    /// The facet inside.
    #[must_use]
    pub const fn inner(self) -> Facet {
        self.inner
    }

    /// The name in `facets=` and in an answer, `year*medium`.
    #[must_use]
    pub fn name(self) -> String {
        format!("{}*{}", self.outer.name(), self.inner.name())
    }
}

/// The order of the entries of a facet. Ties are by value in byte order, in which the entry without
/// a value is last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FacetSort {
    /// The largest count first.
    Count,
    /// The largest sum first ([`crate::FacetSum::compared`]); entries without one last.
    Sum,
    /// By value in byte order, ascending.
    Value,
}

impl FacetSort {
    /// The words of `facet_sort=`.
    pub const WORDS: [(&'static str, Self); 3] =
        [("count", Self::Count), ("sum", Self::Sum), ("value", Self::Value)];
}
