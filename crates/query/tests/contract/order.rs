//! The order of the matches: by year, by value, by relevance, then always by id.

use outfall_query::{SearchRequest, Sort, SortKey, SortOrder, ValueUnit};
use outfall_records::{Entity, Unit};

use crate::backends::{found, matching};

fn sorted(q: &str, by: SortKey, order: SortOrder, value_unit: ValueUnit) -> String {
    found(&SearchRequest { sort: Sort { by, order }, value_unit, ..matching(Entity::Release, q) })
}

#[test]
fn years_come_newest_first_unless_asked_otherwise() {
    let by_year = |order| sorted("", SortKey::Year, order, ValueUnit::Reported);
    assert_eq!(found(&SearchRequest::all(Entity::Release)), by_year(SortOrder::Desc));
    assert_eq!(by_year(SortOrder::Desc), "fekjinmdcabghlo");
    assert_eq!(by_year(SortOrder::Asc), "loghbfekjinmdca");
}

#[test]
fn values_come_largest_first_and_those_without_one_last_in_both_directions() {
    use ValueUnit::{GramsTeq, Mass, Reported};
    for (unit, descending, ascending) in [
        (Reported, "cgbmoliekjahnfd", "dfhnakjeilombgc"),
        (Mass(Unit::Tonnes), "gmebcahikjlfdon", "dflkjihbcaemgon"),
        (Mass(Unit::Grams), "gmebcahikjlfdon", "dflkjihbcaemgon"),
        (GramsTeq, "ongfelkjhimbdca", "nogfelkjhimbdca"),
    ] {
        assert_eq!(sorted("", SortKey::Value, SortOrder::Desc, unit), descending, "{unit:?}");
        assert_eq!(sorted("", SortKey::Value, SortOrder::Asc, unit), ascending, "{unit:?}");
    }
    let emissions = SearchRequest {
        sort: Sort { by: SortKey::Value, order: SortOrder::Desc },
        ..SearchRequest::all(Entity::Emission)
    };
    assert_eq!(found(&emissions), "sqpr");
}

#[test]
fn relevance_counts_the_units_that_stand_in_a_name() {
    let relevant = |q, order| sorted(q, SortKey::Relevance, order, ValueUnit::Reported);
    for (q, descending, ascending) in [
        ("benzene OR quebec", "ecgflkj", "gflkjec"),
        ("mercury OR sarnia", "baldc", "ldcba"),
        ("mercury sarnia", "ba", "ba"),
        ("mercury OR -sarnia", "lbagfekjhionm", "gfekjhionmlba"),
    ] {
        assert_eq!(relevant(q, SortOrder::Desc), descending, "{q}");
        assert_eq!(relevant(q, SortOrder::Asc), ascending, "{q}");
    }
}
