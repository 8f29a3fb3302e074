//! A facet inside each entry of another.

use std::collections::BTreeMap;

use outfall_request::{CrossedEntry, CrossedFacet, CrossedTable, FacetEntry, FacetInfo};
use serde_json::{Map, Value, json};

use super::amounts::sum_of;
use super::counting::{Share, counting};
use super::jobs::{Job, ask_all};
use super::listing::{Counted, Listing, list};
use super::{Matches, named};
use crate::ClusterError;
use crate::answer::Bucket;
use crate::mapping::facet_field;

/// The table of no matches.
pub(super) fn empty(crossed: CrossedFacet) -> CrossedTable {
    CrossedTable { crossed, entries: Vec::new(), info: FacetInfo::default() }
}

/// An outer value, and what was counted inside it so far.
struct Outer {
    counted: Counted,
    inside: Vec<Counted>,
}

impl Matches<'_> {
    pub(super) fn crossed(&self, crossed: CrossedFacet) -> Result<CrossedTable, ClusterError> {
        let outer = self.outer_entries(crossed)?;
        let (mut entries, mut listings) = (Vec::new(), Vec::new());
        let mut info = FacetInfo::default();
        for (outer, listing) in outer {
            info.add(listing.info);
            entries.push(outer);
            listings.push(listing);
        }
        let ask = |(outer, listing): (&Counted, &Listing)| {
            let telling = self.telling(crossed.inner(), &listing.counted);
            let inside = json!({
                "filter": only(crossed, outer.key.as_deref()),
                "aggs": telling,
            });
            let aggregations = match telling.is_empty() {
                true => Map::new(),
                false => Map::from_iter([("inside".to_owned(), inside)]),
            };
            Job { aggregations, buckets: listing.counted.len() as u64 }
        };
        let answers = ask_all(self, entries.iter().zip(&listings).map(ask).collect())?;
        let entries = entries.into_iter().zip(listings).zip(&answers);
        let entries = entries.map(|((outer, listing), answer)| {
            let told = match answer.get("inside") {
                Some(inside) => Bucket::single(Some(inside))?.inside,
                None => Map::new(),
            };
            let inner = self.entries(crossed.inner(), listing.counted, &told)?;
            let value = outer.key.map(|key| named(crossed.outer(), &key)).transpose()?;
            let sum = outer.sum.ok_or_else(|| ClusterError::unexpected("a sum is missing"))?;
            Ok(CrossedEntry { outer: FacetEntry { value, count: outer.count, sum }, inner })
        });
        let entries: Result<Vec<_>, ClusterError> = entries.collect();
        Ok(CrossedTable { crossed, entries: entries?, info })
    }

    /// The outer values in order, each with the listed inner ones.
    fn outer_entries(
        &self,
        crossed: CrossedFacet,
    ) -> Result<Vec<(Counted, Listing)>, ClusterError> {
        let (outer, inner) = (crossed.outer(), crossed.inner());
        let pairs = (self.kind.values(outer) + 1) * (self.kind.values(inner) + 1);
        let buckets = pairs.min(self.total);
        let shares: Vec<Share> = Share::of(buckets).collect();
        let ask = |share: &Share| {
            let mut aggregations = counting(self.request, self.kind, outer, Share::WHOLE);
            for aggregation in aggregations.values_mut() {
                if let Some(inside) = aggregation.get_mut("aggs").and_then(Value::as_object_mut) {
                    // The sums of outer values are in the first answer.
                    if share.part > 0 {
                        inside.clear();
                    }
                    inside.extend(counting(self.request, self.kind, inner, *share));
                }
            }
            Job { aggregations, buckets: buckets / share.parts }
        };
        let answers = ask_all(self, shares.iter().map(ask).collect())?;
        let mut all: BTreeMap<Option<String>, Outer> = BTreeMap::new();
        for (share, answer) in shares.iter().zip(&answers) {
            let values = Bucket::all(answer.get("values"), true)?;
            let values = values.into_iter().map(|bucket| (Some(bucket.key.clone()), bucket));
            let none = Bucket::single(answer.get("none"))?;
            let none = (none.count > 0).then_some((None, none));
            for (key, bucket) in values.chain(none) {
                let inside = self.counted(inner, *share, &bucket.inside)?;
                let sum = match share.part {
                    0 => Some(sum_of(self.kind, &bucket)?),
                    _ => None,
                };
                let counted = Counted { key: key.clone(), count: bucket.count, sum };
                let known = all.entry(key).or_insert(Outer { counted, inside: Vec::new() });
                known.inside.extend(inside);
            }
        }
        let (counted, mut inside): (Vec<_>, BTreeMap<_, _>) = all
            .into_iter()
            .map(|(key, Outer { counted, inside })| (counted, (key, inside)))
            .unzip();
        let listed = list(self.request, outer, counted).counted.into_iter();
        let entries = listed.map(|counted| {
            let inside = inside.remove(&counted.key);
            let inside =
                inside.ok_or_else(|| ClusterError::unexpected("a value is listed twice"))?;
            Ok((counted, list(self.request, inner, inside)))
        });
        entries.collect()
    }
}

/// The matches with an outer value.
fn only(crossed: CrossedFacet, key: Option<&str>) -> Value {
    let field = facet_field(crossed.outer());
    match key {
        Some(key) => json!({"term": {field: key}}),
        None => json!({"bool": {"must_not": [{"exists": {"field": field}}]}}),
    }
}
