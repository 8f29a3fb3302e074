//! The order of the matches: by year, by value, by relevance, then always by id.

use outfall_records::{RecordKind, Unit};
use outfall_request::{Bound, SearchRequest, Sort, SortKey, SortOrder, ValueRange, ValueUnit};

use crate::backends::{BACKENDS, found, matching};
use crate::paging::{list, walk};
use crate::records::labels;

tests! {
    years_come_newest_first_unless_asked_otherwise,
    values_come_largest_first_and_those_without_one_last_in_both_directions,
    bounds_leave_a_part_of_the_order_by_value,
    relevance_counts_the_units_that_stand_in_a_name,
}

fn sorted(q: &str, by: SortKey, order: SortOrder, value_unit: ValueUnit) -> String {
    found(&SearchRequest {
        sort: Sort { by, order },
        value_unit,
        ..matching(RecordKind::Release, q)
    })
}

fn years_come_newest_first_unless_asked_otherwise() {
    let by_year = |order| sorted("", SortKey::Year, order, ValueUnit::Reported);
    assert_eq!(found(&SearchRequest::all(RecordKind::Release)), by_year(SortOrder::Desc));
    assert_eq!(by_year(SortOrder::Desc), "fekjinmdcabghlo");
    assert_eq!(by_year(SortOrder::Asc), "loghbfekjinmdca");
}

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
        ..SearchRequest::all(RecordKind::Emission)
    };
    assert_eq!(found(&emissions), "sqpr");
}

fn bounds_leave_a_part_of_the_order_by_value() {
    use ValueUnit::{GramsTeq, Mass, Reported};
    let (tonnes, kg, grams) = (Mass(Unit::Tonnes), Mass(Unit::Kilograms), Mass(Unit::Grams));
    for (unit, min, max, descending, ascending) in [
        // Both ends are values, one of them shared, and in several units.
        (Reported, "1.5", "2.25", "ekja", "akje"),
        (Reported, "1.5000001", "2.2499999", "kj", "kj"),
        (Reported, "2", "2", "kj", "kj"),
        (Reported, "0.5", "0.5", "hn", "hn"),
        // The ends of the order, and past them.
        (Reported, "0", "0", "d", "d"),
        (Reported, "", "1e-7", "fd", "df"),
        (Reported, "100000", "", "cg", "gc"),
        (Reported, "1500000", "1500000", "c", "c"),
        (Reported, "1500000.000000001", "", "", ""),
        (Reported, "", "-1e-300", "", ""),
        (Reported, "-1e300", "1e300", "cgbmoliekjahnfd", "dfhnakjeilombgc"),
        // Between two values, and the wrong way round.
        (Reported, "2.3", "2.9", "", ""),
        (Reported, "3", "2", "", ""),
        // One mass in three units; quantities in g TEQ have none.
        (tonnes, "1.5", "1.5", "bca", "bca"),
        (kg, "1500", "1500", "bca", "bca"),
        (grams, "1500000", "1500000", "bca", "bca"),
        (tonnes, "0.5", "1.5", "bcah", "hbca"),
        (kg, "0.004", "3", "ikjl", "lkji"),
        (grams, "", "4", "lfd", "dfl"),
        (kg, "-1", "", "gmebcahikjlfd", "dflkjihbcaemg"),
        (kg, "", "1e300", "gmebcahikjlfd", "dflkjihbcaemg"),
        (GramsTeq, "0.5", "7", "on", "no"),
        (GramsTeq, "0.6", "", "o", "o"),
        (GramsTeq, "", "0.5", "n", "n"),
        (GramsTeq, "1500", "", "", ""),
        (GramsTeq, "-1e300", "", "on", "no"),
    ] {
        for (order, expected) in [(SortOrder::Desc, descending), (SortOrder::Asc, ascending)] {
            let bound = |text: &str| (!text.is_empty()).then(|| Bound::parse(text).unwrap());
            let mut request = SearchRequest::all(RecordKind::Release);
            request.sort = Sort { by: SortKey::Value, order };
            request.value_unit = unit;
            request.filters.values = ValueRange { min: bound(min), max: bound(max) };
            assert_eq!(found(&request), expected, "{unit:?} {min} {max} {order:?}");
            for limit in [1, 2, 7] {
                for walked in [walk(&BACKENDS, &request, limit), list(&BACKENDS, &request, limit)] {
                    let walked = labels(walked.iter().map(String::as_str));
                    assert_eq!(walked, expected, "{unit:?} {min} {max} {order:?} by {limit}");
                }
            }
        }
    }
}

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
