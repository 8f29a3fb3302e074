//! The generations in a cluster: which there are, how large they are, and the end of old ones.

use std::collections::{BTreeMap, BTreeSet};

use outfall_records::RecordKind;
use serde_json::Value;

use crate::client::Body;
use crate::mapping::of_lists;
use crate::names::Number;
use crate::open;
use crate::opened::Meta;
use crate::{Client, ClusterError, Names};

/// Published generations that are kept to roll back to.
const KEPT: usize = 2;
/// How often a number is claimed that another build has claimed in the same moment.
const CLAIMS: usize = 5;
/// How often it is asked whether every copy is there, each for half a minute.
const WAITS: usize = 20;

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

/// Whether a generation was loaded to its end.
pub(super) fn is_whole(client: &Client, names: &Names, number: Number) -> bool {
    let is_whole = |record_kind| {
        let meta = open::meta(client, &names.records(number, record_kind));
        meta.is_ok_and(|meta| meta.state == Meta::WHOLE)
    };
    RecordKind::ALL.into_iter().all(is_whole)
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
        if kept < KEPT && is_whole(client, names, number) {
            kept += 1;
        } else {
            remove(client, names, number)?;
        }
    }
    Ok(())
}

/// Waits until every copy of every part of some indexes is there.
pub(super) fn await_green(client: &Client, indexes: &str) -> Result<(), ClusterError> {
    let path = format!("/_cluster/health/{indexes}?wait_for_status=green&timeout=30s");
    for _ in 0..WAITS {
        match client.call::<Value>("GET", &path, Body::None, None) {
            Ok(health) if health.get("status").and_then(Value::as_str) == Some("green") => {
                return Ok(());
            }
            // It answers with status 408 when the time is over.
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
