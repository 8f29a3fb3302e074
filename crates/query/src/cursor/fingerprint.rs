//! What a request asks for, in a few bytes: to tell whether a cursor belongs to it.

use std::fmt::Display;
use std::sync::LazyLock;

use crate::{Filters, SearchRequest, SubstanceFilter};

/// The parameters that a cursor is bound to, in the order of their hashes.
const PARAMETERS: [&str; 14] = [
    "operation",
    "q",
    "province",
    "facility_id",
    "naics_code",
    "substance",
    "record_id",
    "issued_after",
    "issued_before",
    "value_min",
    "value_max",
    "value_unit",
    "sort_by",
    "sort_order",
];

/// Sixteen bits of each parameter, which tell what differs, and 64 of all, which tell whether.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fingerprint {
    parameters: [[u8; 2]; PARAMETERS.len()],
    whole: [u8; 8],
}

/// Most parameters of a request are not given.
static EMPTY: LazyLock<blake3::Hash> = LazyLock::new(|| blake3::hash(b""));

/// The length of [`Fingerprint::to_bytes`].
const LEN: usize = PARAMETERS.len() * 2 + 8;

impl Fingerprint {
    pub(crate) fn of(request: &SearchRequest) -> Self {
        let texts = texts(request);
        let mut whole = blake3::Hasher::new();
        let mut parameters = [[0; 2]; PARAMETERS.len()];
        for (hash, text) in parameters.iter_mut().zip(&texts) {
            let full = if text.is_empty() { *EMPTY } else { blake3::hash(text.as_bytes()) };
            hash.copy_from_slice(&full.as_bytes()[..2]);
            whole.update(full.as_bytes());
        }
        let mut first = [0; 8];
        first.copy_from_slice(&whole.finalize().as_bytes()[..8]);
        Self { parameters, whole: first }
    }

    pub(crate) fn differences(&self, other: &Self) -> Vec<&'static str> {
        if self.whole == other.whole {
            return Vec::new();
        }
        let pairs = self.parameters.iter().zip(&other.parameters).zip(PARAMETERS);
        let named: Vec<_> = pairs.filter(|((a, b), _)| a != b).map(|(_, name)| name).collect();
        // Two values of one short hash are rare; that the requests differ is certain all the same.
        if named.is_empty() { vec!["query"] } else { named }
    }

    pub(crate) fn to_bytes(&self) -> [u8; LEN] {
        let mut bytes = [0; LEN];
        let (parameters, whole) = bytes.split_at_mut(LEN - 8);
        parameters.copy_from_slice(self.parameters.as_flattened());
        whole.copy_from_slice(&self.whole);
        bytes
    }

    pub(crate) fn from_bytes(bytes: &[u8; LEN]) -> Self {
        let (parameters, whole) = bytes.split_at(LEN - 8);
        let mut fingerprint = Self { parameters: [[0; 2]; PARAMETERS.len()], whole: [0; 8] };
        fingerprint.parameters.as_flattened_mut().copy_from_slice(parameters);
        fingerprint.whole.copy_from_slice(whole);
        fingerprint
    }
}

/// A text for each of [`PARAMETERS`], the same whenever the parameter means the same.
fn texts(request: &SearchRequest) -> [String; PARAMETERS.len()] {
    // What is shown beside the matches does not change the walk over them.
    let SearchRequest { entity, text, filters, value_unit, sort, page: _, facets: _, deadline: _ } =
        request;
    let Filters { provinces, facilities, naics, substances, record_ids, years, values } = filters;
    let substances = substances.iter().map(|filter| match filter {
        SubstanceFilter::Id(id) => format!("={id}"),
        SubstanceFilter::Words(words) => {
            set(words.iter().map(|tokens| tokens.join("+"))).replace('\n', " ")
        }
    });
    let year = |year: Option<u16>| year.map_or(String::new(), |year| year.to_string());
    [
        entity.to_string(),
        text.to_string(),
        set(provinces.iter().map(|province| province.code())),
        set(facilities.iter().map(|key| key.as_str())),
        set(naics),
        set(substances),
        set(record_ids),
        year(years.from),
        year(years.to),
        set(&values.min),
        set(&values.max),
        format!("{value_unit:?}"),
        format!("{:?}", sort.by),
        format!("{:?}", sort.order),
    ]
}

/// The distinct values in an order that does not depend on theirs.
fn set(values: impl IntoIterator<Item: Display>) -> String {
    let mut texts: Vec<String> = values.into_iter().map(|value| value.to_string()).collect();
    texts.sort_unstable();
    texts.dedup();
    texts.join("\n")
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;
    use crate::text::parse;
    use crate::{Bound, Facet, Facets, Page, Sort, SortKey, SortOrder, Start, ValueUnit};
    use outfall_records::{Entity, FacilityKey, NaicsBranch, Province, SubstanceId, Unit};

    fn changed(change: impl FnOnce(&mut SearchRequest)) -> Vec<&'static str> {
        let plain = SearchRequest::all(Entity::Release);
        let mut other = plain.clone();
        change(&mut other);
        Fingerprint::of(&plain).differences(&Fingerprint::of(&other))
    }

    #[test]
    fn what_differs_is_named() {
        let bound = || Some(Bound::parse("1").unwrap());
        let id = || SubstanceFilter::Id(SubstanceId::parse("71-43-2").unwrap());
        let found = [
            changed(|it| it.entity = Entity::Emission),
            changed(|it| it.text = parse("mercury").unwrap()),
            changed(|it| it.filters.provinces = vec![Province::On]),
            changed(|it| it.filters.facilities = vec![FacilityKey::new("1")]),
            changed(|it| it.filters.naics = vec![NaicsBranch::parse("21").unwrap()]),
            changed(|it| it.filters.substances = vec![id()]),
            changed(|it| it.filters.record_ids = vec!["1".to_owned()]),
            changed(|it| it.filters.years.from = Some(2000)),
            changed(|it| it.filters.years.to = Some(2000)),
            changed(|it| it.filters.values.min = bound()),
            changed(|it| it.filters.values.max = bound()),
            changed(|it| it.value_unit = ValueUnit::Mass(Unit::Tonnes)),
            changed(|it| it.sort = Sort { by: SortKey::Value, ..it.sort }),
            changed(|it| it.sort = Sort { order: SortOrder::Asc, ..it.sort }),
        ];
        assert_eq!(found.concat(), PARAMETERS);
    }

    #[test]
    fn what_means_the_same_does_not_differ() {
        assert!(changed(|it| it.page = Page { start: Start::Offset(50), limit: 1 }).is_empty());
        assert!(
            changed(|it| it.facets = Facets { wanted: vec![Facet::Year], limit: 1 }).is_empty()
        );
        assert!(changed(|it| it.deadline = Some(Instant::now())).is_empty());
        let request = |provinces: &[Province], q, bound| {
            let mut request = SearchRequest::all(Entity::Release);
            request.filters.provinces = provinces.to_vec();
            request.filters.values.min = Some(Bound::parse(bound).unwrap());
            request.text = parse(q).unwrap();
            Fingerprint::of(&request)
        };
        assert_eq!(
            request(&[Province::On, Province::Qc], "l'Usine", "1.0"),
            request(&[Province::Qc, Province::On, Province::On], "usine", "1e0"),
        );
    }
}
