//! Aggregations that are asked for together, as long as a cluster answers them.

use serde_json::{Map, Value, json};

use super::{BUCKETS, Matches};
use crate::ClusterError;

/// Some aggregations, and about how many buckets their answer has.
pub(super) struct Job {
    pub(super) aggregations: Map<String, Value>,
    pub(super) buckets: u64,
}

/// The answers to jobs, each by the names that its aggregations have there.
pub(super) fn ask_all(
    matches: &Matches<'_>,
    jobs: Vec<Job>,
) -> Result<Vec<Map<String, Value>>, ClusterError> {
    let mut answers: Vec<Map<String, Value>> = jobs.iter().map(|_| Map::new()).collect();
    let mut asked = Map::new();
    let mut buckets = 0;
    for (number, job) in jobs.into_iter().enumerate() {
        if buckets + job.buckets > BUCKETS {
            ask(matches, std::mem::take(&mut asked), &mut answers)?;
            buckets = 0;
        }
        buckets += job.buckets;
        let named = job.aggregations.into_iter();
        asked.extend(named.map(|(name, aggregation)| (format!("{number}-{name}"), aggregation)));
    }
    ask(matches, asked, &mut answers)?;
    Ok(answers)
}

/// Asks for some aggregations, each named by the number of its job, and hands out their answers.
fn ask(
    matches: &Matches<'_>,
    aggregations: Map<String, Value>,
    answers: &mut [Map<String, Value>],
) -> Result<(), ClusterError> {
    if aggregations.is_empty() {
        return Ok(());
    }
    let search = json!({
        "size": 0,
        "track_total_hits": true,
        "query": matches.query,
        "aggs": aggregations,
    });
    let answer = (matches.search)(search)?;
    if answer.total != matches.total {
        return Err(ClusterError::unexpected("two answers have different totals"));
    }
    for (name, aggregation) in answer.aggregations {
        let (number, name) = name.split_once('-').unwrap_or_default();
        let number = number.parse::<usize>().ok();
        let job = number.and_then(|number| answers.get_mut(number));
        let job = job.ok_or_else(|| ClusterError::unexpected("an aggregation is unknown"))?;
        job.insert(name.to_owned(), aggregation);
    }
    Ok(())
}
