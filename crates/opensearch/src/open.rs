//! Finds the published generation, and opens it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::time::{Duration, Instant, UNIX_EPOCH};

use outfall_records::{DatasetInfo, PerKind, RecordKind};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::answer::Answer;
use crate::client::Body;
use crate::lists::{ListPart, Lists};
use crate::mapping::FORMAT;
use crate::names::Number;
use crate::opened::{Meta, Opened, OpenedKind};
use crate::{Client, ClusterError, Names};

/// The status of an alias or index that does not exist.
const NOT_FOUND: u16 = 404;
/// Documents of lists that are read at once.
const LIST_PAGE: usize = 50;

/// Searches an index; the answer is whole, or an error.
pub(crate) fn search(
    client: &Client,
    index: &str,
    body: Body<'_>,
    deadline: Option<Instant>,
) -> Result<Answer, ClusterError> {
    let path = format!("/{index}/_search?allow_partial_search_results=false");
    match client.call("POST", &path, body, deadline) {
        Ok(answer) => Answer::read(answer),
        // The index was removed after a newer one was published, which will be served in a moment.
        Err(ClusterError::Refused { status: NOT_FOUND, reason, .. }) => {
            Err(ClusterError::Unavailable { reason })
        }
        Err(error) => Err(error),
    }
}

/// The aliases of an index.
#[derive(Debug, Deserialize)]
struct Aliases {
    aliases: BTreeMap<String, Value>,
}

/// The generation that both aliases lead to; `None` if neither exists.
pub(crate) fn published(client: &Client, names: &Names) -> Result<Option<Number>, ClusterError> {
    published_until(client, names, None)
}

/// The same, asked until a deadline.
pub(crate) fn published_until(
    client: &Client,
    names: &Names,
    deadline: Option<Instant>,
) -> Result<Option<Number>, ClusterError> {
    let path = format!("/_alias/{}", names.aliases());
    let found: BTreeMap<String, Aliases> = match client.call("GET", &path, Body::None, deadline) {
        Ok(found) => found,
        Err(ClusterError::Refused { status: NOT_FOUND, reason, .. }) => {
            // If only one of the two aliases exists, something failed that somebody must look at.
            let is_half = reason.contains("\"aliases\"");
            return match is_half {
                true => Err(not_servable(names, "only one of the two aliases exists")),
                false => Ok(None),
            };
        }
        Err(error) => return Err(error),
    };
    let mut numbers = BTreeSet::new();
    for record_kind in RecordKind::ALL {
        let alias = names.alias(record_kind);
        let leads_to = found.iter().filter(|(_, of_index)| of_index.aliases.contains_key(&alias));
        let leads_to: Vec<&String> = leads_to.map(|(index, _)| index).collect();
        let [index] = leads_to.as_slice() else {
            return Err(not_servable(names, "an alias does not lead to one index"));
        };
        let number =
            names.number_of(index).filter(|number| names.records(*number, record_kind) == **index);
        numbers.insert(number.ok_or_else(|| not_servable(names, "an alias leads elsewhere"))?);
    }
    match numbers.len() {
        1 => Ok(numbers.first().copied()),
        _ => Err(not_servable(names, "the aliases lead to two generations")),
    }
}

fn not_servable(names: &Names, reason: &str) -> ClusterError {
    ClusterError::NotServable { alias: names.aliases(), reason: reason.to_owned() }
}

/// The mapping of an index, of which only `_meta` is read.
#[derive(Debug, Deserialize)]
struct Mappings {
    mappings: MappingMeta,
}

#[derive(Debug, Deserialize)]
struct MappingMeta {
    #[serde(rename = "_meta")]
    meta: Value,
}

/// What the index of a kind says of itself; it must be whole and of this form.
pub(crate) fn meta(client: &Client, index: &str) -> Result<Meta, ClusterError> {
    let path = format!("/{index}/_mapping");
    let mut found: BTreeMap<String, Mappings> = client.call("GET", &path, Body::None, None)?;
    let refused = |reason: String| ClusterError::NotServable { alias: index.to_owned(), reason };
    let mappings = found.remove(index).ok_or_else(|| refused("it is not there".to_owned()))?;
    let meta: Meta = serde_json::from_value(mappings.mappings.meta)
        .map_err(|error| refused(error.to_string()))?;
    if meta.format != FORMAT {
        return Err(refused(format!("its format is {}, not {FORMAT}", meta.format)));
    }
    Ok(meta)
}

/// Opens a generation: reads its lists, and compares its counts with what it says of itself.
pub(crate) fn open(client: &Client, names: &Names, number: Number) -> Result<Opened, ClusterError> {
    let kind = |record_kind| open_kind(client, names, number, record_kind);
    let (releases, of_releases) = kind(RecordKind::Release)?;
    let (emissions, of_emissions) = kind(RecordKind::Emission)?;
    if of_releases.dataset != of_emissions.dataset {
        return Err(not_servable(names, "the kinds of record are of two builds"));
    }
    let published = UNIX_EPOCH + Duration::from_secs(of_releases.published);
    let dataset = DatasetInfo { published: Some(published), ..of_releases.dataset };
    let kinds = PerKind { releases, emissions };
    Ok(Opened { generation: names.generation(number), dataset, kinds })
}

fn open_kind(
    client: &Client,
    names: &Names,
    number: Number,
    record_kind: RecordKind,
) -> Result<(OpenedKind, Meta), ClusterError> {
    let index = names.records(number, record_kind);
    let refused = |reason: &str| ClusterError::NotServable {
        alias: index.clone(),
        reason: reason.to_owned(),
    };
    let meta = meta(client, &index)?;
    if meta.state != Meta::WHOLE {
        return Err(refused("it is not whole"));
    }
    let info = meta.dataset.kinds.get(record_kind.name());
    let info = info.ok_or_else(|| refused("it does not say what it holds"))?;
    let body = json!({"size": 0, "track_total_hits": true});
    if search(client, &index, Body::Json(&body), None)?.total != info.records {
        return Err(refused("it does not hold the records that it should"));
    }
    let opened = OpenedKind {
        record_kind,
        lists: read_lists(client, &names.lists(number), record_kind, meta.list_parts)?,
        facts: meta.facts.clone(),
        years: info.years.len() as u64,
        index,
    };
    Ok((opened, meta))
}

/// The name of a part of the lists of a kind; parts sort in their order.
pub(crate) fn part_name(record_kind: RecordKind, number: impl fmt::Display) -> String {
    format!("{record_kind}-{number:08}")
}

fn read_lists(
    client: &Client,
    index: &str,
    record_kind: RecordKind,
    parts: u64,
) -> Result<Lists, ClusterError> {
    let refused = |reason: &str| ClusterError::NotServable {
        alias: index.to_owned(),
        reason: reason.to_owned(),
    };
    let mut lists = Lists::default();
    let names: Vec<String> = (0..parts).map(|number| part_name(record_kind, number)).collect();
    for names in names.chunks(LIST_PAGE) {
        let body = json!({
            "size": LIST_PAGE,
            "track_total_hits": true,
            "query": {"terms": {"part": names}},
            "sort": ["part"],
        });
        let answer = search(client, index, Body::Json(&body), None)?;
        if answer.hits.len() != names.len() {
            return Err(refused("a part of the lists is missing"));
        }
        for hit in answer.hits {
            let part: ListPart = serde_json::from_str(&hit.source.json)
                .map_err(|error| refused(&error.to_string()))?;
            lists.add(part).ok_or_else(|| refused("a place is not one"))?;
        }
    }
    Ok(lists)
}
