//! Publishes a generation: both kinds change hands in one call, or neither does.

use outfall_records::RecordKind;
use serde_json::{Value, json};

use super::generations::{all, is_whole, remove};
use crate::client::Body;
use crate::names::Number;
use crate::open;
use crate::{Client, ClusterError, Names, OpenSearchBackend};

/// Switches both aliases to a generation, if they still lead to the one that it replaces.
pub(super) fn publish(
    client: &Client,
    names: &Names,
    number: Number,
    replaces: Option<Number>,
) -> Result<(), ClusterError> {
    // The first generation has none to remove from the aliases, so the cluster could not tell.
    if open::published(client, names)? != replaces {
        return Err(ClusterError::Overtaken);
    }
    let mut actions = Vec::new();
    for record_kind in RecordKind::ALL {
        let alias = names.alias(record_kind);
        if let Some(old) = replaces {
            let old = names.records(old, record_kind);
            actions.push(json!({"remove": {"index": old, "alias": alias, "must_exist": true}}));
        }
        let new = names.records(number, record_kind);
        let loading = names.loading(number, record_kind);
        actions.push(json!({"remove": {"index": new, "alias": loading, "must_exist": false}}));
        actions.push(json!({"add": {"index": new, "alias": alias}}));
    }
    let actions = json!({"actions": actions});
    match client.call::<Value>("POST", "/_aliases", Body::Json(&actions), None) {
        Ok(_) => Ok(()),
        Err(ClusterError::Refused { status: 404, .. }) => Err(ClusterError::Overtaken),
        Err(error) => Err(error),
    }
}

/// Serves the newest whole generation before the served one again; returns its name.
///
/// # Errors
/// [`ClusterError::NotServable`] when there is none; those of the connection.
pub fn roll_back(client: &Client, names: &Names) -> Result<String, ClusterError> {
    let nothing = |reason: &str| ClusterError::NotServable {
        alias: names.alias(RecordKind::Release),
        reason: reason.to_owned(),
    };
    let current = open::published(client, names)?;
    let current = current.ok_or_else(|| nothing("nothing is published"))?;
    let older = all(client, names)?.into_iter().rev().filter(|number| *number < current);
    let older = older.into_iter().find(|number| is_whole(client, names, *number));
    let older = older.ok_or_else(|| nothing("there is no generation to roll back to"))?;
    OpenSearchBackend::open_number(client, names, older)?;
    publish(client, names, older, Some(current))?;
    Ok(names.generation(older))
}

/// Removes every generation of these names, the published one too.
///
/// # Errors
/// Those of the connection.
pub fn remove_all(client: &Client, names: &Names) -> Result<(), ClusterError> {
    all(client, names)?.into_iter().try_for_each(|number| remove(client, names, number))
}
