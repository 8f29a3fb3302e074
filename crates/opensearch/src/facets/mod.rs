//! The facets of a request. First every value is counted, so that nothing is estimated and a list
//! says what it leaves out; then the listed values get their names and places.

mod amounts;
mod counting;
mod crossed;
mod jobs;
mod listing;

use outfall_records::SubstanceId;
use outfall_request::{
    Facet, FacetDetails, FacetEntry, FacetTable, FacetTables, FacetValue, SearchRequest,
};
use serde_json::{Map, Value, json};

use self::amounts::{amounts, sum_of};
pub(crate) use self::counting::along_with_page;
use self::counting::{Share, counted_facets, counting, sums_all};
use self::jobs::{Job, ask_all, handed_out};
use self::listing::{Counted, Listing, list};
use crate::ClusterError;
use crate::answer::{Answer, Bucket};
use crate::facet_key::decode;
use crate::mapping::facet_field;
use crate::opened::OpenedKind;

/// The most buckets asked for at once; a cluster refuses 65,536 by default.
const BUCKETS: u64 = 30_000;
/// The most listed values whose names and places one aggregation asks for.
const LISTED: usize = 10_000;

/// What facets are counted over.
pub(crate) struct Matches<'a> {
    pub(crate) request: &'a SearchRequest,
    /// The query that finds the matches, and how many there are.
    pub(crate) query: &'a Value,
    pub(crate) total: u64,
    pub(crate) kind: &'a OpenedKind,
    /// Asks the cluster.
    pub(crate) search: &'a (dyn Fn(Value) -> Result<Answer, ClusterError> + Sync),
}

impl Matches<'_> {
    /// Every table that the request asks for. `along` is what was counted along with the page, if
    /// [`along_with_page`] asked for it.
    pub(crate) fn tables(
        &self,
        along: Option<Map<String, Value>>,
    ) -> Result<FacetTables, ClusterError> {
        let facets = &self.request.facets;
        let counts_substances = facets.counts_substances(self.request.record_kind);
        if self.total == 0 {
            let empty = |facet: &Facet| FacetTable {
                facet: *facet,
                entries: Vec::new(),
                info: Default::default(),
            };
            return Ok(FacetTables {
                tables: facets.wanted.iter().map(empty).collect(),
                crossed: facets.crossed.map(crossed::empty),
                substances: counts_substances.then_some(0),
            });
        }
        let counted = counted_facets(self.request);
        let listings = self.listings(&counted, along)?;
        let is_substance = |(facet, _): &(&Facet, &Listing)| **facet == Facet::Substance;
        let substances = counted.iter().zip(&listings).find(is_substance);
        let substances = substances.map(|(_, listing)| listing.info.values);
        let tables = facets.wanted.iter().copied().zip(listings).collect();
        Ok(FacetTables {
            tables: self.filled(tables)?,
            crossed: facets.crossed.map(|crossed| self.crossed(crossed)).transpose()?,
            substances: substances.filter(|_| counts_substances),
        })
    }

    /// The listed values of some facets, which were counted along with the page or are now.
    fn listings(
        &self,
        facets: &[Facet],
        along: Option<Map<String, Value>>,
    ) -> Result<Vec<Listing>, ClusterError> {
        let shares = |facet: Facet| {
            let buckets = self.kind.values(facet).min(self.total);
            Share::of(buckets).map(move |share| (facet, share, buckets / share.parts))
        };
        let jobs: Vec<_> = facets.iter().copied().flat_map(shares).collect();
        let ask = |(facet, share, buckets): &(Facet, Share, u64)| Job {
            aggregations: counting(self.request, self.kind, *facet, *share),
            buckets: *buckets,
        };
        let answers = match along {
            // There are few enough values, so each facet was counted in one share.
            Some(along) => handed_out(along.into_iter(), jobs.len())?,
            None => ask_all(self, jobs.iter().map(ask).collect())?,
        };
        let mut counted: Vec<Vec<Counted>> = facets.iter().map(|_| Vec::new()).collect();
        for ((facet, share, _), answer) in jobs.iter().zip(&answers) {
            let place = facets.iter().position(|other| other == facet);
            if let Some(counted) = place.and_then(|place| counted.get_mut(place)) {
                counted.extend(self.counted(*facet, *share, answer)?);
            }
        }
        let listings = facets.iter().zip(counted);
        Ok(listings.map(|(facet, counted)| list(self.request, *facet, counted)).collect())
    }

    /// Reads what [`counting`] asked for.
    fn counted(
        &self,
        facet: Facet,
        share: Share,
        answer: &Map<String, Value>,
    ) -> Result<Vec<Counted>, ClusterError> {
        let mut counted = Vec::new();
        let mut add = |bucket: Bucket, key: Option<String>| {
            let sum = match sums_all(self.request, facet) {
                true => Some(sum_of(self.kind, &bucket)?),
                false => None,
            };
            counted.push(Counted { key, count: bucket.count, sum });
            Ok::<_, ClusterError>(())
        };
        for mut bucket in Bucket::all(answer.get("values"), true)? {
            let key = std::mem::take(&mut bucket.key);
            add(bucket, Some(key))?;
        }
        if share.part == 0 {
            let none = Bucket::single(answer.get("none"))?;
            if none.count > 0 {
                add(none, None)?;
            }
        }
        Ok(counted)
    }

    /// The tables of listed values, with the sums and details of each.
    fn filled(&self, listings: Vec<(Facet, Listing)>) -> Result<Vec<FacetTable>, ClusterError> {
        let parts = listings.iter().flat_map(|(facet, listing)| {
            listing.counted.chunks(LISTED).map(move |counted| (*facet, counted))
        });
        let ask = |(facet, counted): (Facet, &[Counted])| Job {
            aggregations: self.telling(facet, counted),
            buckets: counted.len() as u64,
        };
        let mut answers = ask_all(self, parts.map(ask).collect())?.into_iter();
        let tables = listings.into_iter().map(|(facet, Listing { counted: mut left, info })| {
            let mut entries = Vec::with_capacity(left.len());
            while !left.is_empty() {
                let rest = left.split_off(left.len().min(LISTED));
                let answer = answers.next();
                let answer =
                    answer.ok_or_else(|| ClusterError::unexpected("a list has no answer"))?;
                entries.extend(self.entries(facet, left, &answer)?);
                left = rest;
            }
            Ok(FacetTable { facet, entries, info })
        });
        tables.collect()
    }

    /// Asks for the sums and details of listed values, unless they are known.
    fn telling(&self, facet: Facet, listed: &[Counted]) -> Map<String, Value> {
        let mut telling = Map::new();
        if facet.is_short() || listed.is_empty() {
            return telling;
        }
        let mut inside = amounts(self.kind);
        if facet == Facet::Facility {
            // The first record in default order shows where a facility is.
            inside.insert(
                "newest".to_owned(),
                json!({"top_hits": {
                    "size": 1,
                    "sort": [{"year": "desc"}, {"id": "asc"}],
                    "_source": false,
                    "docvalue_fields": ["place"],
                }}),
            );
        }
        let field = facet_field(facet);
        let keys: Vec<&str> = listed.iter().filter_map(|counted| counted.key.as_deref()).collect();
        if !keys.is_empty() {
            let size = keys.len() + 1;
            let terms = json!({"field": field, "include": keys, "size": size, "shard_size": size});
            telling.insert("listed".to_owned(), json!({"terms": terms, "aggs": inside}));
        }
        if keys.len() < listed.len() {
            telling.insert("none".to_owned(), json!({"missing": {"field": field}, "aggs": inside}));
        }
        telling
    }

    /// The entries of listed values, from what [`Matches::telling`] asked for.
    fn entries(
        &self,
        facet: Facet,
        listed: Vec<Counted>,
        answer: &Map<String, Value>,
    ) -> Result<Vec<FacetEntry>, ClusterError> {
        let mut told = Vec::new();
        if answer.contains_key("listed") {
            told = Bucket::all(answer.get("listed"), false)?;
        }
        let mut by_key: std::collections::HashMap<String, Bucket> =
            told.into_iter().map(|bucket| (bucket.key.clone(), bucket)).collect();
        let entry = |Counted { key, count, sum }: Counted| {
            if facet.is_short() {
                let value = key.map(|key| named(facet, &key)).transpose()?;
                let sum = sum.ok_or_else(|| ClusterError::unexpected("a sum is missing"))?;
                return Ok(FacetEntry { value, count, sum });
            }
            let bucket = match &key {
                Some(key) => by_key.remove(key),
                None => Some(Bucket::single(answer.get("none"))?),
            };
            let bucket = bucket.filter(|bucket| bucket.count == count);
            let bucket = bucket.ok_or_else(|| ClusterError::unexpected("two counts differ"))?;
            let value = match key {
                Some(key) => {
                    let named = named(facet, &key)?;
                    let details = self.details(facet, &named, &bucket)?;
                    Some(named.with(details))
                }
                None => None,
            };
            Ok(FacetEntry { value, count, sum: sum_of(self.kind, &bucket)? })
        };
        listed.into_iter().map(entry).collect()
    }

    /// The details of an entry besides value and names.
    fn details(
        &self,
        facet: Facet,
        named: &FacetValue,
        bucket: &Bucket,
    ) -> Result<FacetDetails, ClusterError> {
        match facet {
            Facet::Facility => {
                let place = bucket.inside.get("newest");
                let place = place.and_then(|newest| newest.pointer("/hits/hits/0/fields/place/0"));
                let place = place.and_then(Value::as_u64);
                let place = place.and_then(|number| self.kind.lists.place(number));
                let place = place.ok_or_else(|| ClusterError::unexpected("a place is unknown"))?;
                Ok(FacetDetails::Facility(place.clone()))
            }
            Facet::Substance => {
                let id = SubstanceId::parse(&named.value);
                let id = id.map_err(|error| ClusterError::unexpected(error.to_string()))?;
                Ok(FacetDetails::Substance { cas_number: id.cas_number().map(str::to_owned) })
            }
            _ => Ok(FacetDetails::None),
        }
    }
}

fn named(facet: Facet, key: &str) -> Result<FacetValue, ClusterError> {
    decode(facet, key).ok_or_else(|| ClusterError::unexpected("a value of a facet is unknown"))
}
