//! Aggregations that are asked for together, in requests that a cluster can answer.

use std::thread;

use serde_json::{Map, Value, json};

use super::{BUCKETS, Matches};
use crate::ClusterError;

/// Requests for one facet table that a cluster works on at once: enough for its cores to share in a
/// large one, few enough to leave room for other callers.
const TOGETHER: usize = 4;

/// The most requests for one facet table, a million values or pairs of values. More would take longer
/// than any search may, so they are not begun.
const MOST: usize = 32;

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
    let number = jobs.len();
    let mut requests = vec![Map::new()];
    let mut buckets = 0;
    for (number, job) in jobs.into_iter().enumerate() {
        if buckets + job.buckets > BUCKETS {
            requests.push(Map::new());
            buckets = 0;
        }
        buckets += job.buckets;
        if let Some(request) = requests.last_mut() {
            request.extend(numbered(number, job.aggregations));
        }
    }
    requests.retain(|aggregations| !aggregations.is_empty());
    if requests.len() > MOST {
        return Err(ClusterError::TimedOut);
    }
    let mut answers = Vec::new();
    for requests in requests.chunks(TOGETHER) {
        answers.extend(ask_together(matches, requests)?);
    }
    handed_out(answers.into_iter().flatten(), number)
}

/// The aggregations of a job, under names that begin with the number of the job.
pub(super) fn numbered(
    number: usize,
    aggregations: Map<String, Value>,
) -> impl Iterator<Item = (String, Value)> {
    let named = aggregations.into_iter();
    named.map(move |(name, aggregation)| (format!("{number}-{name}"), aggregation))
}

/// The aggregations of each job, from answers that have their [`numbered`] names.
pub(super) fn handed_out(
    answered: impl Iterator<Item = (String, Value)>,
    jobs: usize,
) -> Result<Vec<Map<String, Value>>, ClusterError> {
    let mut answers = vec![Map::new(); jobs];
    for (name, aggregation) in answered {
        let (number, name) = name.split_once('-').unwrap_or_default();
        let number = number.parse::<usize>().ok();
        let job = number.and_then(|number| answers.get_mut(number));
        let job = job.ok_or_else(|| ClusterError::unexpected("an aggregation is unknown"))?;
        job.insert(name.to_owned(), aggregation);
    }
    Ok(answers)
}

/// Sends some requests at once, the first of them from this thread.
fn ask_together(
    matches: &Matches<'_>,
    requests: &[Map<String, Value>],
) -> Result<Vec<Map<String, Value>>, ClusterError> {
    let Some((first, others)) = requests.split_first() else { return Ok(Vec::new()) };
    thread::scope(|scope| {
        let others: Vec<_> =
            others.iter().map(|request| scope.spawn(move || ask(matches, request))).collect();
        let first = ask(matches, first);
        let failed = || ClusterError::unexpected("a thread ended early");
        let others = others.into_iter().map(|other| other.join().map_err(|_| failed()).flatten());
        [first].into_iter().chain(others).collect()
    })
}

fn ask(
    matches: &Matches<'_>,
    aggregations: &Map<String, Value>,
) -> Result<Map<String, Value>, ClusterError> {
    let search = json!({
        "size": 0,
        "track_total_hits": true,
        "query": matches.query,
        "aggs": aggregations,
    });
    let answer = (matches.search)(search)?;
    match answer.total == matches.total {
        true => Ok(answer.aggregations),
        false => Err(ClusterError::unexpected("two answers have different totals")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_job_gets_its_own_aggregations() {
        let named = |name: &str| Map::from_iter([(name.to_owned(), json!(name))]);
        let asked = numbered(0, named("values")).chain(numbered(12, named("no-ne")));
        let answers = handed_out(asked, 13).unwrap();
        assert_eq!((answers[0]["values"].as_str(), answers[1].len()), (Some("values"), 0));
        assert_eq!(answers[12]["no-ne"], "no-ne");
        for name in ["13-values", "values", "-1-values"] {
            assert!(handed_out([(name.to_owned(), json!({}))].into_iter(), 13).is_err(), "{name}");
        }
    }
}
