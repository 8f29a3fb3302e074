//! The generations in a cluster: which there are, how large they are, and the removal of old ones.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use outfall_records::RecordKind;
use serde_json::Value;

use crate::client::Body;
use crate::mapping::of_lists;
use crate::names::Number;
use crate::opened::Meta;
use crate::{Client, ClusterError, Names, open};

/// The status of an alias or index that does not exist.
const NOT_FOUND: u16 = 404;
/// Published generations that are kept to roll back to.
const KEPT: usize = 2;
/// How often to try again when another build claims the same number at the same moment.
const CLAIMS: usize = 5;
/// How often to ask whether every copy is there; each call waits half a minute.
const WAITS: usize = 20;
/// How long the cluster may take to write what it still has in memory, which is a tenth of the heap
/// of each node.
const REFRESH: Duration = Duration::from_secs(30 * 60);

/// The numbers of all generations, ascending.
pub(super) fn all(client: &Client, names: &Names) -> Result<BTreeSet<Number>, ClusterError> {
    let path = format!("/{}/_alias", names.pattern());
    let found: BTreeMap<String, Value> = client.call("GET", &path, Body::None, None)?;
    Ok(found.keys().filter_map(|index| names.number_of(index)).collect())
}

/// Makes the first index of the next generation, which is the claim to its number.
pub(super) fn next(client: &Client, names: &Names) -> Result<Number, ClusterError> {
    let mut tries = 0..CLAIMS;
    loop {
        let number = all(client, names)?.last().map_or(1, |newest| newest + 1);
        let path = format!("/{}", names.lists(number));
        match client.call::<Value>("PUT", &path, Body::Json(&of_lists()), None) {
            Ok(_) => return Ok(number),
            // A build that began in the same moment has made it.
            Err(ClusterError::Refused { status: 400, reason, .. })
                if reason.contains("resource_already_exists") && tries.next().is_some() => {}
            Err(error) => return Err(error),
        }
    }
}

/// Whether a generation was completely loaded, checked and published.
///
/// # Errors
/// When that cannot be found out.
pub(super) fn was_published(
    client: &Client,
    names: &Names,
    number: Number,
) -> Result<bool, ClusterError> {
    for record_kind in RecordKind::ALL {
        let index = names.records(number, record_kind);
        match open::meta(client, &index) {
            Ok(meta) if meta.state == Meta::WHOLE => {}
            Ok(_)
            | Err(ClusterError::NotServable { .. })
            | Err(ClusterError::Refused { status: NOT_FOUND, .. }) => return Ok(false),
            Err(error) => return Err(error),
        }
        // The call that publishes a generation removes the alias that it was loaded by.
        let path = format!("/{index}/_alias/{}", names.loading(number, record_kind));
        match client.call::<Value>("GET", &path, Body::None, None) {
            Ok(_) => return Ok(false),
            Err(ClusterError::Refused { status: NOT_FOUND, .. }) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(true)
}

/// Removes a generation, or what there is of it.
pub(super) fn remove(client: &Client, names: &Names, number: Number) -> Result<(), ClusterError> {
    let indexes = names.all(number).join(",");
    let path = format!("/{indexes}?ignore_unavailable=true");
    client.call::<Value>("DELETE", &path, Body::None, None).map(drop)
}

/// Removes what is older than the published generation, but for those to roll back to. A build that
/// began later has a greater number, and is left alone.
pub(super) fn remove_outdated(
    client: &Client,
    names: &Names,
    published: Number,
) -> Result<(), ClusterError> {
    let mut kept = 0;
    for number in all(client, names)?.into_iter().rev().filter(|number| *number < published) {
        if kept < KEPT && was_published(client, names, number)? {
            kept += 1;
        } else {
            remove(client, names, number)?;
        }
    }
    Ok(())
}

/// Makes everything that was written to some indexes visible, in every copy that is there.
pub(super) fn refresh(client: &Client, indexes: &str) -> Result<(), ClusterError> {
    let path = format!("/{indexes}/_refresh");
    let deadline = Some(Instant::now() + REFRESH);
    let done: Value = client.call("POST", &path, Body::None, deadline)?;
    match done.pointer("/_shards/failed").and_then(Value::as_u64) {
        Some(0) => Ok(()),
        Some(failed) => {
            let reason = format!("{failed} parts of the new indexes are away");
            Err(ClusterError::Unavailable { reason })
        }
        None => Err(ClusterError::unexpected("a refresh does not say how it went")),
    }
}

/// Waits until every copy of every part of some indexes is there, as long as `may_go_on` allows it:
/// waiting for indexes that were removed would be in vain.
pub(super) fn await_green(
    client: &Client,
    indexes: &str,
    may_go_on: impl Fn() -> Result<(), ClusterError>,
) -> Result<(), ClusterError> {
    let path = format!("/_cluster/health/{indexes}?wait_for_status=green&timeout=30s");
    for _ in 0..WAITS {
        may_go_on()?;
        match client.call::<Value>("GET", &path, Body::None, None) {
            Ok(health) if health.get("status").and_then(Value::as_str) == Some("green") => {
                return Ok(());
            }
            // The cluster answers with status 408 when the time is up.
            Ok(_) | Err(ClusterError::Refused { status: 408, .. }) => {}
            Err(error) => return Err(error),
        }
    }
    let reason = "not every copy of the new indexes is there after ten minutes".to_owned();
    Err(ClusterError::Unavailable { reason })
}

/// The bytes that some indexes take in the cluster, all copies counted.
pub(super) fn bytes(client: &Client, indexes: &str) -> Result<u64, ClusterError> {
    let stats: Value = client.call("GET", &format!("/{indexes}/_stats/store"), Body::None, None)?;
    let bytes = stats.pointer("/_all/total/store/size_in_bytes").and_then(Value::as_u64);
    bytes.ok_or_else(|| ClusterError::unexpected("the size of the indexes is missing"))
}
