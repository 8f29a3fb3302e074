//! Counts the values of a facet: in the request for the page if they are few enough, else in
//! shares.

use outfall_request::{Facet, FacetSort, SearchRequest};
use serde_json::{Map, Value, json};

use super::BUCKETS;
use super::amounts::amounts;
use super::jobs::numbered;
use crate::mapping::facet_field;
use crate::opened::OpenedKind;

/// A part of the values of a facet, all parts having about as many.
#[derive(Clone, Copy)]
pub(super) struct Share {
    pub(super) part: u64,
    pub(super) parts: u64,
}

impl Share {
    /// All values.
    pub(super) const WHOLE: Self = Self { part: 0, parts: 1 };

    /// The shares in which some buckets are asked for.
    pub(super) fn of(buckets: u64) -> impl Iterator<Item = Self> {
        let parts = buckets.div_ceil(BUCKETS).max(1);
        (0..parts).map(move |part| Self { part, parts })
    }
}

/// The aggregations that count every value of the wanted facets, to be sent in one request with the
/// page, so that the matches are found only once. `None` if the kind has too many values for that,
/// though the matches may turn out to have fewer.
pub(crate) fn along_with_page(
    request: &SearchRequest,
    kind: &OpenedKind,
) -> Option<Map<String, Value>> {
    let facets = counted_facets(request);
    let buckets: u64 = facets.iter().map(|facet| kind.values(*facet)).sum();
    let counting = facets.iter().map(|facet| counting(request, kind, *facet, Share::WHOLE));
    let counting = counting.enumerate().flat_map(|(job, counting)| numbered(job, counting));
    (buckets <= BUCKETS).then(|| counting.collect())
}

/// The facets whose values are counted: the wanted ones, and that of substances if the answer
/// states how many there are.
pub(super) fn counted_facets(request: &SearchRequest) -> Vec<Facet> {
    let mut counted = request.facets.wanted.clone();
    let counts_substances = request.facets.counts_substances(request.record_kind);
    if counts_substances && !counted.contains(&Facet::Substance) {
        counted.push(Facet::Substance);
    }
    counted
}

/// Whether the sums of all values are needed, to order them or because all of them are listed.
pub(super) fn sums_all(request: &SearchRequest, facet: Facet) -> bool {
    facet.is_short() || request.facets.sort_of(facet) == FacetSort::Sum
}

/// Counts a share of the values of a facet.
pub(super) fn counting(
    request: &SearchRequest,
    kind: &OpenedKind,
    facet: Facet,
    share: Share,
) -> Map<String, Value> {
    let inside = match sums_all(request, facet) {
        true => amounts(kind),
        false => Map::new(),
    };
    // A list of exactly the requested length may have been cut, so one value more is requested.
    let size = kind.values(facet) + 1;
    let mut terms = json!({"field": facet_field(facet), "size": size, "shard_size": size});
    if share.parts > 1 {
        terms["include"] = json!({"partition": share.part, "num_partitions": share.parts});
    }
    let mut counting = Map::new();
    counting.insert("values".to_owned(), json!({"terms": terms, "aggs": inside}));
    if share.part == 0 {
        let missing = json!({"field": facet_field(facet)});
        counting.insert("none".to_owned(), json!({"missing": missing, "aggs": inside}));
    }
    counting
}
