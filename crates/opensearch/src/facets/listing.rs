//! Which values of a facet are listed, in what order, and what the list leaves out.

use std::cmp::Reverse;

use outfall_request::{Facet, FacetInfo, FacetSort, FacetSum, SearchRequest};

/// A value that some matches have.
pub(super) struct Counted {
    /// The key in the cluster; `None` for the matches without a value.
    pub(super) key: Option<String>,
    pub(super) count: u64,
    /// The sum, if it is known yet.
    pub(super) sum: Option<FacetSum>,
}

/// The listed values.
pub(super) struct Listing {
    /// In order.
    pub(super) counted: Vec<Counted>,
    pub(super) info: FacetInfo,
}

/// Orders the values of a facet, and keeps as many as its limit.
pub(super) fn list(request: &SearchRequest, facet: Facet, mut counted: Vec<Counted>) -> Listing {
    // Keys are in byte order of their values.
    counted.sort_unstable_by(|a, b| (a.key.is_none(), &a.key).cmp(&(b.key.is_none(), &b.key)));
    match request.facets.sort_of(facet) {
        FacetSort::Value => {}
        FacetSort::Count => counted.sort_by_key(|counted| Reverse(counted.count)),
        // No sum is less than any, so it comes last.
        FacetSort::Sum => counted.sort_by_key(|counted| {
            Reverse(counted.sum.as_ref().and_then(|sum| sum.compared(request.value_unit)))
        }),
    }
    let listed = counted.len().min(request.facets.limit_of(facet));
    let left_out = &counted[listed..];
    let info = FacetInfo {
        values: counted.len() as u64,
        left_out: left_out.len() as u64,
        left_out_count: left_out.iter().map(|counted| counted.count).sum(),
    };
    counted.truncate(listed);
    Listing { counted, info }
}
