//! `facets` and `facet_limit`: what to count and sum all matches by.

use outfall_records::RecordKind;
use outfall_request::{Facet, Facets};

use super::fault::ParameterFault;
use super::raw::RawParams;
use super::table::Name;

/// Reads the requested facets, in the order of [`Facet::ALL`] whatever the order of the names.
///
/// Refuses them in an export, which holds records alone.
pub(crate) fn facets(raw: &mut RawParams, record_kind: RecordKind, is_export: bool) -> Facets {
    let wanted = raw.read_one(Name::Facets, |text| named(text, record_kind));
    let limit = raw.read_integer(Name::FacetLimit);
    if is_export {
        for given in raw.values(Name::Facets) {
            raw.refuse(&given, ParameterFault::FacetsWithExport);
        }
    }
    Facets {
        wanted: wanted.map_or_else(Vec::new, |wanted| wanted.value),
        limit: limit.map_or(Facets::DEFAULT_LIMIT, |limit| limit.value),
    }
}

/// Parses comma-separated names of facets, in any case; empty names are ignored.
fn named(text: &str, record_kind: RecordKind) -> Result<Vec<Facet>, ParameterFault> {
    let names: Vec<&str> = text.split(',').map(str::trim).filter(|name| !name.is_empty()).collect();
    let is = |facet: &Facet, name: &&str| name.eq_ignore_ascii_case(facet.name());
    let unknown = names.iter().find(|name| !Facet::of(record_kind).any(|facet| is(&facet, name)));
    match unknown {
        Some(name) => Err(ParameterFault::NotAFacet { record_kind, name: (*name).to_owned() }),
        None => Ok(Facet::of(record_kind)
            .filter(|facet| names.iter().any(|name| is(facet, name)))
            .collect()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facets_are_named_in_any_case_and_order() {
        use Facet::{NaicsCode, Province, Year};
        for (text, expected) in [
            ("province", &[Province][..]),
            ("naics_code,YEAR, province", &[Province, Year, NaicsCode]),
            ("year,,year,", &[Year]),
            (",", &[]),
        ] {
            assert_eq!(named(text, RecordKind::Emission).as_deref(), Ok(expected), "{text}");
        }
        for text in ["city", "year,units", "year;province", "substance"] {
            assert!(named(text, RecordKind::Emission).is_err(), "{text}");
        }
        let all = Facet::ALL.map(Facet::name).join(",");
        assert_eq!(named(&all, RecordKind::Release).as_deref(), Ok(&Facet::ALL[..]));
    }
}
