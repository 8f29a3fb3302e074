//! `facets`, `facet_sort` and `facet_limit`: what to count and sum all matches by.

use outfall_records::RecordKind;
use outfall_request::{CrossedFacet, Facet, FacetSort, Facets};

use super::fault::{CrossFault, ParameterFault};
use super::raw::RawParams;
use super::table::Name;

/// Reads the requested facets, in the order of [`Facet::ALL`] whatever the order of the names.
///
/// Refuses them in an export, which holds records alone.
pub(crate) fn facets(raw: &mut RawParams, record_kind: RecordKind, is_export: bool) -> Facets {
    let named = raw.read_one(Name::Facets, |text| named(text, record_kind));
    let (wanted, crossed) = named.map_or_else(Default::default, |named| named.value);
    let sort = raw.read_choice(Name::FacetSort, &FacetSort::WORDS);
    let limit = raw.read_integer(Name::FacetLimit);
    if is_export {
        for given in raw.values(Name::Facets) {
            raw.refuse(&given, ParameterFault::FacetsWithExport);
        }
    }
    Facets {
        wanted,
        crossed,
        limit: limit.map_or(Facets::DEFAULT_LIMIT, |limit| limit.value),
        sort: sort.map(|sort| sort.value),
    }
}

/// The facets that a value names.
type Named = (Vec<Facet>, Option<CrossedFacet>);

/// Parses comma-separated names of facets, in any case, and at most one crossed facet, two names
/// with `*` between; empty names are ignored.
fn named(text: &str, record_kind: RecordKind) -> Result<Named, ParameterFault> {
    let mut named = Vec::new();
    let mut crossed: Option<CrossedFacet> = None;
    for text in text.split(',').map(str::trim).filter(|text| !text.is_empty()) {
        if !text.contains('*') {
            named.push(facet(text, record_kind)?);
            continue;
        }
        let crossing = cross(text, record_kind)?;
        match crossed {
            Some(first) if first != crossing => {
                let fault = CrossFault::Two { first: first.name(), second: crossing.name() };
                return Err(ParameterFault::NotACross(fault));
            }
            _ => crossed = Some(crossing),
        }
    }
    let wanted = Facet::of(record_kind).filter(|facet| named.contains(facet)).collect();
    Ok((wanted, crossed))
}

fn facet(name: &str, record_kind: RecordKind) -> Result<Facet, ParameterFault> {
    let mut known = Facet::of(record_kind);
    let facet = known.find(|facet| name.eq_ignore_ascii_case(facet.name()));
    facet.ok_or_else(|| ParameterFault::NotAFacet { record_kind, name: name.to_owned() })
}

/// Parses a crossed facet, which has at least one `*`.
fn cross(text: &str, record_kind: RecordKind) -> Result<CrossedFacet, ParameterFault> {
    let names: Vec<&str> = text.split('*').map(str::trim).collect();
    let (outer, inner) = match names[..] {
        [outer, inner] if !outer.is_empty() && !inner.is_empty() => (outer, inner),
        _ => {
            let given = text.to_owned();
            return Err(ParameterFault::NotACross(CrossFault::NotTwo { record_kind, given }));
        }
    };
    let (outer, inner) = (facet(outer, record_kind)?, facet(inner, record_kind)?);
    let fault = match outer == inner {
        true => CrossFault::Same { record_kind, facet: outer },
        false => CrossFault::OuterNotShort { record_kind, outer, inner },
    };
    CrossedFacet::new(outer, inner).ok_or(ParameterFault::NotACross(fault))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, record_kind: RecordKind) -> Result<(Vec<Facet>, Option<String>), String> {
        match named(text, record_kind) {
            Ok((wanted, crossed)) => Ok((wanted, crossed.map(CrossedFacet::name))),
            Err(ParameterFault::NotAFacet { name, .. }) => Err(name),
            Err(ParameterFault::NotACross(fault)) => Err(format!("{fault:?}")),
            Err(fault) => panic!("{fault:?}"),
        }
    }

    #[test]
    fn facets_are_named_in_any_case_and_order() {
        use Facet::{NaicsCode, Province, Year};
        for (text, expected, crossed) in [
            ("province", &[Province][..], None),
            ("naics_code,YEAR, province", &[Province, Year, NaicsCode], None),
            ("year,,year,", &[Year], None),
            (",", &[], None),
            ("year*facility", &[], Some("year*facility")),
            (" Year * COMPANY ,year, year*company", &[Year], Some("year*company")),
            ("province*year", &[], Some("province*year")),
        ] {
            let expected = Ok((expected.to_vec(), crossed.map(str::to_owned)));
            assert_eq!(read(text, RecordKind::Emission), expected, "{text}");
        }
        let all = Facet::ALL.map(Facet::name).join(",") + ",year*medium";
        let expected = (Facet::ALL.to_vec(), Some("year*medium".to_owned()));
        assert_eq!(read(&all, RecordKind::Release), Ok(expected), "nine different ones");
    }

    #[test]
    fn what_is_no_facet_is_named() {
        for (text, record_kind, fault) in [
            ("city", RecordKind::Emission, "city"),
            ("year,units", RecordKind::Emission, "units"),
            ("year;province", RecordKind::Emission, "year;province"),
            ("substance", RecordKind::Emission, "substance"),
            ("year*medium", RecordKind::Emission, "medium"),
            ("units*year", RecordKind::Emission, "units"),
            ("city*year", RecordKind::Release, "city"),
            ("year*city", RecordKind::Release, "city"),
        ] {
            assert_eq!(read(text, record_kind), Err(fault.to_owned()), "{text}");
        }
        for (text, fault) in [
            ("year*medium,medium*year", "Two"),
            ("year*medium,year,year*units", "Two"),
            ("facility*year", "OuterNotShort"),
            ("substance*facility", "OuterNotShort"),
            ("year * YEAR", "Same"),
            ("company*company", "Same"),
            ("year*medium*units", "NotTwo"),
            ("year*", "NotTwo"),
            ("*year", "NotTwo"),
            ("*", "NotTwo"),
            ("year**medium", "NotTwo"),
        ] {
            let found = read(text, RecordKind::Release).unwrap_err();
            assert!(found.starts_with(fault), "{text}: {found}");
        }
    }
}
