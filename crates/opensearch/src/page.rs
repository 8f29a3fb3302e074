//! The page of a request: the order, where it begins, and where the next one does.

use outfall_records::Unit;
use outfall_request::{
    Bound, Cursor, CursorKey, RecordsJson, SearchRequest, SortKey, SortOrder, Start, UnitCounts,
    ValueUnit,
};
use serde_json::{Value, json};

use crate::ClusterError;
use crate::answer::{Bucket, Hit};
use crate::lower::{mass_unit, order_field, power_to_key};
use crate::order_key::{number_of, order_key};

/// Adds the order and the start of the page to a search. It asks for one record more than the page
/// holds, to see whether there is another page.
pub(crate) fn page_of(request: &SearchRequest, search: &mut Value) -> Result<(), ClusterError> {
    let limit = request.page.limit;
    if limit == 0 {
        search["size"] = 0.into();
        return Ok(());
    }
    search["size"] = (limit + 1).into();
    let direction = match request.sort.order {
        SortOrder::Asc => "asc",
        SortOrder::Desc => "desc",
    };
    let key = match request.sort.by {
        SortKey::Year => json!({"year": direction}),
        SortKey::Value => json!({order_field(request): {"order": direction, "missing": "_last"}}),
        SortKey::Relevance => json!({"_score": direction}),
    };
    search["sort"] = json!([key, {"id": "asc"}]);
    match &request.page.start {
        Start::Offset(offset) => search["from"] = (*offset).into(),
        Start::After(cursor) => {
            let key: Value = match (request.sort.by, cursor.key()) {
                (SortKey::Year, CursorKey::Year(year)) => year.into(),
                (SortKey::Value, CursorKey::Value(value)) => value
                    .map(|value| Bound::from(value).shifted(power_to_key(request)).floor())
                    .map(order_key)
                    .into(),
                (SortKey::Relevance, CursorKey::Relevance(units)) => units.into(),
                _ => return Err(ClusterError::unexpected("the cursor is of another order")),
            };
            search["search_after"] = json!([key, cursor.record_id()]);
        }
    }
    Ok(())
}

/// The absolute position of the first record of a page.
pub(crate) const fn offset(request: &SearchRequest) -> u64 {
    match &request.page.start {
        Start::Offset(offset) => *offset as u64,
        Start::After(cursor) => cursor.position(),
    }
}

/// The records of a page, and the cursor of the next one.
pub(crate) fn records(
    request: &SearchRequest,
    mut hits: Vec<Hit>,
) -> Result<(RecordsJson, Option<Cursor>), ClusterError> {
    let limit = request.page.limit as usize;
    let has_more = hits.len() > limit;
    hits.truncate(limit);
    let mut records = RecordsJson::with_room(hits.len());
    for hit in &hits {
        records.push_with(|body| body.extend_from_slice(hit.source.json.as_bytes()));
    }
    let next = match hits.last().filter(|_| has_more) {
        Some(last) => Some(cursor_after(request, last, offset(request) + hits.len() as u64)?),
        None => None,
    };
    Ok((records, next))
}

fn cursor_after(
    request: &SearchRequest,
    last: &Hit,
    position: u64,
) -> Result<Cursor, ClusterError> {
    let bad = || ClusterError::unexpected("a record has no sort key");
    let [key, Value::String(id)] = last.sort.as_slice() else { return Err(bad()) };
    let key = match (request.sort.by, key) {
        (SortKey::Year, key) => {
            let year = key.as_u64().and_then(|year| u16::try_from(year).ok());
            CursorKey::Year(year.ok_or_else(bad)?)
        }
        (SortKey::Value, Value::Null) => CursorKey::Value(None),
        (SortKey::Value, key) => {
            let number = key.as_str().and_then(number_of).ok_or_else(bad)?;
            let value = match mass_unit(request) {
                Some(unit) => Unit::Kilograms.convert(number, unit).ok_or_else(bad)?,
                None => number,
            };
            CursorKey::Value(Some(value))
        }
        (SortKey::Relevance, key) => {
            // Scores are counts, which the engine writes as doubles.
            let score = key.as_f64().map(|score| score.to_string());
            let score = score.and_then(|score| score.parse().ok());
            CursorKey::Relevance(score.ok_or_else(bad)?)
        }
    };
    Ok(Cursor::after(request, key, id.clone(), position))
}

/// Whether an answer counts its matches by unit: when quantities of releases are compared as
/// published, each in its own unit.
pub(crate) fn counts_units(request: &SearchRequest) -> bool {
    let compares_values = request.filters.values.is_bounded() || request.sort.by == SortKey::Value;
    let as_published = request.value_unit == ValueUnit::Reported;
    request.record_kind.has_units() && compares_values && as_published
}

/// One more value than can occur: a list of exactly the requested length may have been cut.
const MORE_THAN_UNITS: usize = Unit::ALL.len() + 1;

/// Counts the matches by unit.
pub(crate) fn units_aggregation() -> Value {
    json!({"terms": {"field": "units", "size": MORE_THAN_UNITS, "shard_size": MORE_THAN_UNITS}})
}

/// Reads the matches by unit.
pub(crate) fn unit_counts(aggregation: Option<&Value>) -> Result<UnitCounts, ClusterError> {
    let mut counts = UnitCounts::default();
    for bucket in Bucket::all(aggregation, true)? {
        let unit = Unit::ALL.into_iter().find(|unit| unit.name() == bucket.key);
        let unit = unit.ok_or_else(|| ClusterError::unexpected("a unit is unknown"))?;
        counts.add(unit, bucket.count);
    }
    Ok(counts)
}
