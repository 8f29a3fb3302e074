//! The answer to a search, which is used only if it is whole.

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::ClusterError;

/// An answer, as the cluster gives it.
#[derive(Debug, Deserialize)]
struct RawAnswer {
    timed_out: bool,
    #[serde(rename = "_shards")]
    shards: Shards,
    hits: Hits,
    #[serde(default)]
    aggregations: Map<String, Value>,
}

#[derive(Debug, Deserialize)]
struct Shards {
    total: u32,
    successful: u32,
    failed: u32,
}

#[derive(Debug, Deserialize)]
struct Hits {
    total: Total,
    hits: Vec<Hit>,
}

#[derive(Debug, Deserialize)]
struct Total {
    value: u64,
    relation: String,
}

/// A document found.
#[derive(Debug, Deserialize)]
pub(crate) struct Hit {
    #[serde(rename = "_source")]
    pub(crate) source: Source,
    /// What it was sorted by.
    #[serde(default)]
    pub(crate) sort: Vec<Value>,
}

/// The stored part of a document.
#[derive(Debug, Deserialize)]
pub(crate) struct Source {
    pub(crate) json: String,
}

/// A whole answer.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) total: u64,
    pub(crate) hits: Vec<Hit>,
    pub(crate) aggregations: Map<String, Value>,
}

impl Answer {
    /// Reads an answer, to which every part of the index must have contributed.
    pub(crate) fn read(answer: Value) -> Result<Self, ClusterError> {
        let raw: RawAnswer = serde_json::from_value(answer)
            .map_err(|error| ClusterError::unexpected(error.to_string()))?;
        let RawAnswer { timed_out, shards, hits, aggregations } = raw;
        if timed_out || shards.failed > 0 || shards.successful != shards.total {
            let reason = format!("only {} of {} shards answered", shards.successful, shards.total);
            return Err(ClusterError::Unavailable { reason });
        }
        if hits.total.relation != "eq" {
            return Err(ClusterError::unexpected("the number of matches is not exact"));
        }
        Ok(Self { total: hits.total.value, hits: hits.hits, aggregations })
    }
}

/// The values of a field of the records of one bucket.
#[derive(Debug)]
pub(crate) struct Bucket {
    pub(crate) key: String,
    pub(crate) count: u64,
    /// The bucket as the cluster sent it, with the results of its inner aggregations.
    pub(crate) inside: Map<String, Value>,
}

impl Bucket {
    /// Reads a bucket that was asked for by itself, which has no key.
    pub(crate) fn single(aggregation: Option<&Value>) -> Result<Self, ClusterError> {
        Self::read(aggregation, String::new())
    }

    fn read(bucket: Option<&Value>, key: String) -> Result<Self, ClusterError> {
        let inside = bucket.and_then(Value::as_object);
        let inside = inside.ok_or_else(|| ClusterError::unexpected("a bucket is missing"))?;
        let count = inside.get("doc_count").and_then(Value::as_u64);
        let count = count.ok_or_else(|| ClusterError::unexpected("a bucket has no count"))?;
        Ok(Self { key, count, inside: inside.clone() })
    }

    /// Reads all buckets of a `terms` aggregation, none of which may be left out or estimated.
    pub(crate) fn all(
        aggregation: Option<&Value>,
        is_whole: bool,
    ) -> Result<Vec<Self>, ClusterError> {
        let missing = || ClusterError::unexpected("an aggregation is missing");
        let aggregation = aggregation.ok_or_else(missing)?;
        let error = aggregation.get("doc_count_error_upper_bound").and_then(Value::as_i64);
        let other = aggregation.get("sum_other_doc_count").and_then(Value::as_u64);
        if error != Some(0) || (is_whole && other != Some(0)) {
            return Err(ClusterError::unexpected("the buckets of an aggregation are not exact"));
        }
        let buckets = aggregation.get("buckets").and_then(Value::as_array).ok_or_else(missing)?;
        let read = |bucket: &Value| {
            let key = match bucket.get("key") {
                Some(Value::String(key)) => key.clone(),
                Some(Value::Number(number)) => number.to_string(),
                _ => return Err(ClusterError::unexpected("a bucket has no key")),
            };
            Self::read(Some(bucket), key)
        };
        buckets.iter().map(read).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_answer_that_is_not_whole_is_no_answer() {
        let answer = |successful: u32, timed_out: bool, relation: &str| {
            Answer::read(json!({
                "timed_out": timed_out,
                "_shards": {"total": 3, "successful": successful, "failed": 0},
                "hits": {"total": {"value": 1, "relation": relation}, "hits": []},
            }))
        };
        assert_eq!(answer(3, false, "eq").unwrap().total, 1);
        for (successful, timed_out, relation, is_unavailable) in
            [(2, false, "eq", true), (3, true, "eq", true), (3, false, "gte", false)]
        {
            let error = answer(successful, timed_out, relation).unwrap_err();
            assert_eq!(matches!(error, ClusterError::Unavailable { .. }), is_unavailable);
        }
        assert!(Answer::read(json!({"hits": {}})).is_err());
    }

    #[test]
    fn estimated_buckets_are_refused() {
        let buckets = |error: i64, other: u64, is_whole| {
            let aggregation = json!({
                "doc_count_error_upper_bound": error,
                "sum_other_doc_count": other,
                "buckets": [{"key": 2001, "doc_count": 2}],
            });
            Bucket::all(Some(&aggregation), is_whole).map(|buckets| buckets.len())
        };
        assert_eq!(buckets(0, 0, true).unwrap(), 1);
        assert_eq!(buckets(0, 7, false).unwrap(), 1);
        for (error, other, is_whole) in [(1, 0, true), (-1, 0, true), (0, 7, true), (1, 0, false)] {
            assert!(buckets(error, other, is_whole).is_err());
        }
    }
}
