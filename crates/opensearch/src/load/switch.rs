//! Publishes a generation: both kinds are switched in one call, or neither is.

use outfall_records::RecordKind;
use serde_json::{Value, json};

use super::generations::{all, remove, was_published};
use crate::client::Body;
use crate::names::Number;
use crate::{Client, ClusterError, Names, OpenSearchBackend, open};

/// Switches both aliases to a generation, if they still lead to the one that it replaces.
///
/// # Errors
/// [`ClusterError::Overtaken`] if they lead to another one; those of the connection, if it is not
/// known whether the call took effect.
pub(super) fn publish(
    client: &Client,
    names: &Names,
    number: Number,
    replaces: Option<Number>,
) -> Result<(), ClusterError> {
    // The first generation removes nothing from the aliases, so the cluster could not see a
    // conflict.
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
        // Nothing is written through the alias. But an alias has at most one write index, so of two
        // first generations, which have nothing to remove, the cluster refuses the second.
        let only = json!({"index": new, "alias": alias, "is_write_index": true});
        actions.push(json!({"add": only}));
    }
    let actions = json!({"actions": actions});
    let switched = client.call::<Value>("POST", "/_aliases", Body::Json(&actions), None);
    let Err(error) = switched else { return Ok(()) };
    // The call may have taken effect although its answer was lost; another node then refuses it.
    match open::published(client, names) {
        Ok(published) if published == Some(number) => Ok(()),
        Ok(published) if published != replaces => Err(ClusterError::Overtaken),
        Ok(_) | Err(_) => Err(error),
    }
}

/// Serves the newest published generation before the served one again; returns its name.
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
    let mut older = None;
    for number in all(client, names)?.into_iter().rev().filter(|number| *number < current) {
        if was_published(client, names, number)? {
            older = Some(number);
            break;
        }
    }
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
