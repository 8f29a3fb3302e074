//! The request that a cursor continues, in a few bytes, to see whether it is the request at hand.
//!
//! A cursor names each parameter that its request gave, with a hash of what the parameter means. A
//! parameter that did not exist when a cursor was given out is not in it, exactly like one that was
//! not given, so adding a parameter leaves every cursor valid.

use outfall_records::RecordKind;

use crate::{SearchRequest, Spelling, ValueUnit};

/// One parameter of a request: the hash of its name and that of its meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct BoundParameter {
    name: [u8; 2],
    meaning: [u8; 6],
}

/// The parameters that a request gave, in the order of [`meanings`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Binding(Vec<BoundParameter>);

impl Binding {
    pub(super) fn of(request: &SearchRequest) -> Self {
        let given = meanings(request).into_iter().filter(|(_, meaning)| !meaning.is_empty());
        let bound = |(name, meaning): (&str, String)| BoundParameter {
            name: first_bytes(name),
            meaning: first_bytes(&meaning),
        };
        Self(given.map(bound).collect())
    }

    /// The parameters in which two requests differ; `query` stands for one that is not known here.
    pub(super) fn differences(&self, other: &Self) -> Vec<&'static str> {
        let in_both =
            |parameter: &&BoundParameter| self.0.contains(parameter) && other.0.contains(parameter);
        let differing = self.0.iter().chain(&other.0).filter(|parameter| !in_both(parameter));
        let differing: Vec<[u8; 2]> = differing.map(|parameter| parameter.name).collect();
        let mut names = names();
        names.retain(|name| differing.contains(&first_bytes(name)));
        if names.is_empty() && !differing.is_empty() {
            names.push("query");
        }
        names
    }

    /// The number of parameters in one byte, then eight bytes for each.
    #[expect(clippy::cast_possible_truncation, reason = "there are fewer parameters than 256")]
    pub(super) fn write(&self, bytes: &mut Vec<u8>) {
        bytes.push(self.0.len() as u8);
        for parameter in &self.0 {
            bytes.extend_from_slice(&parameter.name);
            bytes.extend_from_slice(&parameter.meaning);
        }
    }

    /// Reads what [`Binding::write`] wrote; gives the rest of the bytes too.
    pub(super) fn read(bytes: &[u8]) -> Option<(Self, &[u8])> {
        let (count, rest) = bytes.split_first()?;
        let (parameters, rest) = rest.split_at_checked(usize::from(*count) * 8)?;
        let (parameters, _) = parameters.as_chunks::<8>();
        let parameter = |&[a, b, meaning @ ..]: &[u8; 8]| BoundParameter { name: [a, b], meaning };
        Some((Self(parameters.iter().map(parameter).collect()), rest))
    }
}

fn first_bytes<const N: usize>(text: &str) -> [u8; N] {
    let hash = blake3::hash(text.as_bytes());
    let mut bytes = [0; N];
    bytes.copy_from_slice(&hash.as_bytes()[..N]);
    bytes
}

/// Every parameter that decides which records follow, or in what order. The page, facets,
/// explanation, deadline and stop do not.
fn names() -> Vec<&'static str> {
    let request = SearchRequest::all(RecordKind::Release);
    meanings(&request).into_iter().map(|(name, _)| name).collect()
}

/// Each of these parameters with a text that is the same whenever it means the same; empty where it
/// is not given or is the default.
///
/// These texts are part of the wire format: changing one refuses every cursor that was bound to it.
fn meanings(request: &SearchRequest) -> Vec<(&'static str, String)> {
    let SearchRequest {
        record_kind,
        text,
        filters,
        value_unit,
        sort,
        page: _,
        facets: _,
        explain: _,
        deadline: _,
        stop: _,
    } = request;
    let unless_default = |name: &str, is_default| if is_default { "" } else { name }.to_owned();
    let mut meanings = vec![("operation", record_kind.to_string()), ("q", text.to_string())];
    let filters = filters.spelled(Spelling::Cursor).into_iter();
    meanings.extend(filters.map(|filter| (filter.name, filter.values.join("\n"))));
    meanings.extend([
        ("value_unit", unless_default(value_unit.name(), *value_unit == ValueUnit::default())),
        ("sort_by", unless_default(sort.by.name(), sort.by == Default::default())),
        ("sort_order", unless_default(sort.order.name(), sort.order == Default::default())),
    ]);
    meanings
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::time::Instant;

    use super::*;
    use crate::text::parse;
    use crate::{
        Bound, BoxFilter, CityFilter, CompanyFilter, CrossedFacet, Facet, FacetSort, Facets,
        MediumFilter, NearFilter, Page, RecordIdFilter, ReportingYears, SortKey, SortOrder, Start,
        SubstanceFilter,
    };
    use outfall_records::{FacilityKey, Medium, NaicsBranch, Province, SubstanceId, Unit};

    fn changed(change: impl FnOnce(&mut SearchRequest)) -> Vec<&'static str> {
        let plain = SearchRequest::all(RecordKind::Release);
        let mut other = plain.clone();
        change(&mut other);
        Binding::of(&plain).differences(&Binding::of(&other))
    }

    #[test]
    fn what_differs_is_named() {
        let bound = || Some(Bound::parse("1").unwrap());
        let near = |within_km| NearFilter {
            latitude: Bound::parse("43.68").unwrap(),
            longitude: Bound::parse("-79.77").unwrap(),
            within_km: Bound::parse(within_km).unwrap(),
        };
        assert_eq!(changed(|request| request.filters.near = Some(near("10.0"))), ["near"]);
        let id = || SubstanceFilter::Id(SubstanceId::parse("71-43-2").unwrap());
        let found = [
            changed(|request| request.record_kind = RecordKind::Emission),
            changed(|request| request.text = parse("mercury").unwrap()),
            changed(|request| request.filters.provinces = vec![Province::On]),
            changed(|request| request.filters.cities = vec![CityFilter::new("Sarnia").unwrap()]),
            changed(|request| {
                request.filters.companies = vec![CompanyFilter::new("Oil").unwrap()];
            }),
            changed(|request| request.filters.facilities = vec![FacilityKey::new("1")]),
            changed(|request| request.filters.naics = vec![NaicsBranch::parse("21").unwrap()]),
            changed(|request| request.filters.substances = vec![id()]),
            changed(|request| request.filters.media = vec![MediumFilter(Medium::Air)]),
            changed(|request| request.filters.record_ids = vec![RecordIdFilter("1".to_owned())]),
            changed(|request| request.filters.reporting_years = vec![ReportingYears(2000..=2001)]),
            changed(|request| request.filters.near = Some(near("20"))),
            changed(|request| {
                request.filters.bbox = Some(BoxFilter {
                    west: Bound::parse("0").unwrap(),
                    south: Bound::parse("0").unwrap(),
                    east: Bound::parse("1").unwrap(),
                    north: Bound::parse("1").unwrap(),
                });
            }),
            changed(|request| request.filters.years.from = Some(2000)),
            changed(|request| request.filters.years.to = Some(2000)),
            changed(|request| request.filters.values.min = bound()),
            changed(|request| request.filters.values.max = bound()),
            changed(|request| request.value_unit = ValueUnit::Mass(Unit::Tonnes)),
            changed(|request| request.sort.by = SortKey::Value),
            changed(|request| request.sort.order = SortOrder::Asc),
        ];
        let names = names();
        assert_eq!(found.concat(), names);
        let hashes: BTreeSet<[u8; 2]> = names.iter().map(|name| first_bytes(name)).collect();
        assert_eq!(hashes.len(), names.len(), "two names have one hash");
    }

    #[test]
    fn what_means_the_same_does_not_differ() {
        let page = Page { start: Start::Offset(50), limit: 1 };
        let facets = Facets {
            wanted: vec![Facet::Year],
            crossed: CrossedFacet::new(Facet::Year, Facet::Facility),
            limit: 1,
            sort: Some(FacetSort::Sum),
        };
        assert!(changed(|request| request.page = page).is_empty());
        assert!(changed(|request| request.facets = facets).is_empty());
        assert!(changed(|request| request.deadline = Some(Instant::now())).is_empty());
        assert!(changed(|request| request.explain = Some(Vec::new())).is_empty());
        let request = |provinces: &[Province], q, bound| {
            let mut request = SearchRequest::all(RecordKind::Release);
            request.filters.provinces = provinces.to_vec();
            request.filters.values.min = Some(Bound::parse(bound).unwrap());
            request.text = parse(q).unwrap();
            Binding::of(&request)
        };
        assert_eq!(
            request(&[Province::On, Province::Qc], "l'Usine", "1.0"),
            request(&[Province::Qc, Province::On, Province::On], "usine", "1e0"),
        );
    }

    #[test]
    fn a_parameter_that_is_not_known_here_differs() {
        let mut later = Binding::of(&SearchRequest::all(RecordKind::Release));
        later.0.push(BoundParameter { name: first_bytes("basin"), meaning: [0; 6] });
        let now = Binding::of(&SearchRequest::all(RecordKind::Release));
        assert_eq!(now.differences(&later), ["query"]);
        assert_eq!(later.differences(&later), [""; 0]);
    }

    #[test]
    fn a_choice_is_bound_by_a_word_of_its_parameter() {
        assert!(ValueUnit::WORDS.iter().all(|(word, unit)| *word == unit.name()));
        assert!(SortOrder::WORDS.iter().all(|(word, order)| *word == order.name()));
        for key in [SortKey::Year, SortKey::Value, SortKey::Relevance] {
            assert_eq!(SortKey::WORDS.iter().find(|(_, is)| *is == key).unwrap().0, key.name());
        }
    }
}
