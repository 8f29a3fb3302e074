//! The filters of a request as a query of the cluster. A record either matches or does not, and no
//! text of a caller reaches a parser or an analyser.

use outfall_records::{Abbreviation, RecordKind, Unit};
use outfall_request::text::{Pattern, Sought, TextUnit};
use outfall_request::{Bound, Filters, SearchRequest, SortKey, SubstanceFilter, ValueUnit};
use serde_json::{Value, json};

use crate::lists::Lists;
use crate::order_key::order_key;

/// The most values of one `terms` query; the cluster accepts 65,536.
const TERMS: usize = 60_000;

/// The query for the records that a request matches.
pub(crate) fn lower(request: &SearchRequest, lists: &Lists) -> Value {
    let mut filters = filters(request, lists);
    for clause in &request.text.clauses {
        filters.push(any(clause.units.iter().map(unit).collect()));
    }
    // A query without any condition would give each record a score of one.
    filters.push(json!({"match_all": {}}));
    let mut query = json!({"filter": filters});
    if request.sort.by == SortKey::Relevance {
        let named = request.text.units().filter(|unit| !unit.is_excluded);
        let named = named.map(|unit| {
            let named = found(&unit.pattern, Field::NAME);
            json!({"constant_score": {"filter": named, "boost": 1}})
        });
        query["should"] = named.collect();
        query["minimum_should_match"] = 0.into();
    }
    json!({"bool": query})
}

/// A field of texts, and the one of their classes.
#[derive(Clone, Copy)]
struct Field {
    tokens: &'static str,
    classes: &'static str,
}

impl Field {
    const TEXT: Self = Self { tokens: "text", classes: "text_class" };
    const NAME: Self = Self { tokens: "name", classes: "name_class" };
    const SUBSTANCE_NAME: Self = Self { tokens: "substance_name", classes: "substance_class" };
}

fn filters(request: &SearchRequest, lists: &Lists) -> Vec<Value> {
    let Filters {
        provinces,
        cities,
        companies,
        facilities,
        naics,
        substances,
        media,
        record_ids,
        reporting_years,
        near,
        bbox,
        years,
        values,
    } = &request.filters;
    let mut all = Vec::new();
    let prefixes = naics.iter().flat_map(|branch| branch.prefixes());
    for (field, values) in [
        ("province", texts(provinces.iter().map(|province| province.code()))),
        ("city", texts(cities.iter().map(|city| city.key()))),
        ("facility", texts(facilities.iter().map(|key| key.as_str()))),
        ("naics", texts(prefixes.map(|prefix| prefix.as_str()))),
        ("medium", texts(media.iter().map(|medium| medium.0.slug()))),
        ("id", texts(record_ids.iter().map(|id| id.0.as_str()))),
    ] {
        if !values.is_empty() {
            all.push(terms(field, &values));
        }
    }
    if !companies.is_empty() {
        let company = |tokens: &[String]| in_a_row("company", tokens);
        all.push(any(companies.iter().map(|filter| company(filter.tokens())).collect()));
    }
    if !substances.is_empty() {
        all.push(any(substances.iter().map(substance).collect()));
    }
    if !reporting_years.is_empty() {
        let ranges = reporting_years.iter().map(
            |years| json!({"range": {"year": {"gte": years.0.start(), "lte": years.0.end()}}}),
        );
        all.push(any(ranges.collect()));
    }
    for (bound, year) in [("gte", years.from), ("lte", years.to)] {
        all.extend(year.map(|year| json!({"range": {"year": {bound: year}}})));
    }
    for places in
        [near.as_ref().map(|near| lists.near(near)), bbox.as_ref().map(|bbox| lists.within(bbox))]
            .into_iter()
            .flatten()
    {
        all.push(terms("place", &places.into_iter().map(Value::from).collect::<Vec<_>>()));
    }
    if values.is_bounded() {
        let shift = |bound: &Bound| bound.shifted(power_to_key(request));
        let field = order_field(request);
        let min = values.min.as_ref().map(|min| ("gte", shift(min).ceil()));
        let max = values.max.as_ref().map(|max| ("lte", shift(max).floor()));
        for (bound, number) in min.into_iter().chain(max) {
            all.push(json!({"range": {field: {bound: order_key(number)}}}));
        }
    }
    all
}

/// The field of the value that a request compares.
pub(crate) fn order_field(request: &SearchRequest) -> &'static str {
    match (request.record_kind, request.value_unit) {
        (RecordKind::Emission, _) | (_, ValueUnit::Reported) => "order.reported",
        (_, ValueUnit::GramsTeq | ValueUnit::Mass(Unit::GramsTeq)) => "order.teq",
        (_, ValueUnit::Mass(_)) => "order.mass",
    }
}

/// The mass unit that a request compares values in, if it does.
pub(crate) fn mass_unit(request: &SearchRequest) -> Option<Unit> {
    match (request.record_kind, request.value_unit) {
        (RecordKind::Release, ValueUnit::Mass(unit)) if unit.is_mass() => Some(unit),
        _ => None,
    }
}

/// The power of ten from the unit of a request to that of the keys, which is the kilogram for all
/// masses.
pub(crate) fn power_to_key(request: &SearchRequest) -> i32 {
    match mass_unit(request) {
        Some(Unit::Grams) => -3,
        Some(Unit::Tonnes) => 3,
        Some(Unit::Kilograms | Unit::GramsTeq) | None => 0,
    }
}

fn unit(unit: &TextUnit) -> Value {
    let found = found(&unit.pattern, Field::TEXT);
    match unit.is_excluded {
        true => json!({"bool": {"must_not": [found]}}),
        false => found,
    }
}

fn substance(filter: &SubstanceFilter) -> Value {
    match filter {
        SubstanceFilter::Id(id) => json!({"term": {"substance": id.as_str()}}),
        SubstanceFilter::Words(words) => {
            let words = words.iter().map(|word| found(word, Field::SUBSTANCE_NAME));
            json!({"bool": {"filter": Value::from_iter(words)}})
        }
    }
}

/// The records with a pattern in one text of a field, or with a substance that it abbreviates.
fn found(pattern: &Pattern, field: Field) -> Value {
    let in_texts = match pattern.sought() {
        Sought::Class(class) => json!({"term": {field.classes: class}}),
        Sought::InARow(tokens) => in_a_row(field.tokens, tokens),
    };
    match pattern.abbreviation {
        Some(Abbreviation { substances, .. }) => {
            any(vec![in_texts, json!({"terms": {"substance": substances}})])
        }
        None => in_texts,
    }
}

/// The records with these tokens in a row in one text of a field.
fn in_a_row(field: &str, tokens: &[String]) -> Value {
    match tokens {
        [token] => json!({"term": {field: token}}),
        tokens => json!({"match_phrase": {field: {"query": tokens.join(" "), "slop": 0}}}),
    }
}

fn any(mut queries: Vec<Value>) -> Value {
    match queries.len() {
        1 => queries.remove(0),
        _ => json!({"bool": {"should": queries, "minimum_should_match": 1}}),
    }
}

/// The records with any of some values; none of them without values.
fn terms(field: &str, values: &[Value]) -> Value {
    match values.len() {
        0 => json!({"match_none": {}}),
        _ => any(values.chunks(TERMS).map(|values| json!({"terms": {field: values}})).collect()),
    }
}

fn texts(values: impl Iterator<Item = impl Into<String>>) -> Vec<Value> {
    values.map(|value| Value::String(value.into())).collect()
}
