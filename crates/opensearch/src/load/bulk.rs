//! Sends documents in batches, and resends those that the cluster could not take.

use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::client::Body;
use crate::{Client, ClusterError};

/// Bytes and documents of one request.
const MOST_BYTES: usize = 4 << 20;
const MOST_DOCUMENTS: usize = 2_000;
/// How often a request is tried, with a pause that doubles each time.
const TRIES: u32 = 9;
const FIRST_PAUSE: Duration = Duration::from_millis(200);
/// The cluster has no room for the document now.
const BUSY: u64 = 429;
/// The part of the index that it belongs to, or the node of that part, is away.
const AWAY: std::ops::RangeInclusive<u64> = 500..=599;

/// Collects documents and sends them.
pub(super) struct Bulk<'a> {
    client: &'a Client,
    path: String,
    /// The id of each document, and its two lines.
    waiting: Vec<(String, Vec<u8>)>,
    bytes: usize,
}

#[derive(Debug, Deserialize)]
struct Sent {
    items: Vec<Map<String, Value>>,
}

impl<'a> Bulk<'a> {
    pub(super) fn new(client: &'a Client, path: String) -> Self {
        Self { client, path, waiting: Vec::new(), bytes: 0 }
    }

    /// Adds a document with a fixed id, so that sending it twice does no harm.
    pub(super) fn add(
        &mut self,
        id: &str,
        routing: Option<&str>,
        document: &Value,
    ) -> Result<(), ClusterError> {
        let mut action = json!({"_id": id});
        if let Some(routing) = routing {
            action["routing"] = routing.into();
        }
        let lines = format!("{}\n{document}\n", json!({"index": action})).into_bytes();
        self.bytes += lines.len();
        self.waiting.push((id.to_owned(), lines));
        if self.bytes >= MOST_BYTES || self.waiting.len() >= MOST_DOCUMENTS {
            self.send()?;
        }
        Ok(())
    }

    /// Sends what is left.
    pub(super) fn finish(mut self) -> Result<(), ClusterError> {
        self.send()
    }

    fn send(&mut self) -> Result<(), ClusterError> {
        let mut waiting = std::mem::take(&mut self.waiting);
        self.bytes = 0;
        let mut pause = FIRST_PAUSE;
        for attempt in 1..=TRIES {
            if waiting.is_empty() {
                return Ok(());
            }
            let lines: Vec<u8> = waiting.iter().flat_map(|(_, lines)| lines).copied().collect();
            match self.client.call::<Sent>("POST", &self.path, Body::Lines(&lines), None) {
                Ok(sent) => waiting = not_taken(waiting, &sent)?,
                Err(error) if error.may_pass() && attempt < TRIES => {}
                Err(error) => return Err(error),
            }
            if !waiting.is_empty() {
                thread::sleep(pause + jitter(pause));
                pause *= 2;
            }
        }
        let reason = format!("it does not take {} documents", waiting.len());
        match waiting.is_empty() {
            true => Ok(()),
            false => Err(ClusterError::Unavailable { reason }),
        }
    }
}

/// The documents that the cluster could not take now.
fn not_taken(
    waiting: Vec<(String, Vec<u8>)>,
    sent: &Sent,
) -> Result<Vec<(String, Vec<u8>)>, ClusterError> {
    if sent.items.len() != waiting.len() {
        return Err(ClusterError::unexpected("not every document has a result"));
    }
    let mut again = Vec::new();
    for (document, item) in waiting.into_iter().zip(&sent.items) {
        let result = item.values().next();
        let status = result.and_then(|result| result.get("status")).and_then(Value::as_u64);
        match status {
            Some(200 | 201) => {}
            Some(status) if status == BUSY || AWAY.contains(&status) => again.push(document),
            _ => {
                let reason = result.and_then(|result| result.pointer("/error/reason"));
                return Err(ClusterError::BadRecord {
                    record_id: document.0,
                    reason: reason.map_or_else(|| json!(item).to_string(), Value::to_string),
                });
            }
        }
    }
    Ok(again)
}

/// Up to half of a pause, so that several loaders do not retry at the same moment.
fn jitter(pause: Duration) -> Duration {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    pause * (now.subsec_nanos() % 64) / 128
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_was_not_taken_is_sent_again() {
        let waiting = || vec![("a".to_owned(), b"1".to_vec()), ("b".to_owned(), b"2".to_vec())];
        let sent = |statuses: &[u16]| Sent {
            items: statuses
                .iter()
                .map(|status| {
                    let item = json!({"index": {"status": status, "error": {"reason": "no"}}});
                    item.as_object().cloned().unwrap()
                })
                .collect(),
        };
        assert_eq!(not_taken(waiting(), &sent(&[201, 200])).unwrap(), vec![]);
        for status in [429, 500, 503] {
            assert_eq!(not_taken(waiting(), &sent(&[201, status])).unwrap(), waiting()[1..]);
        }
        assert!(matches!(
            not_taken(waiting(), &sent(&[400, 429])),
            Err(ClusterError::BadRecord { record_id, .. }) if record_id == "a"
        ));
        assert!(not_taken(waiting(), &sent(&[201])).is_err());
    }
}
