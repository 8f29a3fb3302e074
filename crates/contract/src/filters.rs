//! Every filter by itself, and all of them together.

use outfall_records::{FacilityKey, Medium, NaicsBranch, Province, RecordKind, SubstanceId, Unit};
use outfall_request::{
    Bound, BoxFilter, CityFilter, CompanyFilter, Filters, MediumFilter, NearFilter, RecordIdFilter,
    ReportingYears, SearchRequest, SubstanceFilter, ValueRange, ValueUnit, YearRange,
};

use crate::backends::{found_set, matching};
use crate::records::id;

tests! {
    provinces_repeat,
    facilities_are_found_by_the_ids_of_either_inventory,
    cities_are_found_by_their_whole_name,
    companies_are_found_by_words_in_a_row_of_their_names,
    industries_are_found_by_their_branch,
    substances_are_found_by_id_or_by_words_of_any_name_they_had,
    media_are_any_of_those_given,
    record_ids_are_exact,
    reporting_years_are_any_of_those_given,
    places_are_near_a_point_up_to_the_radius,
    places_are_in_a_box_up_to_its_edges,
    years_are_bounded_inclusively,
    values_are_compared_exactly_in_the_unit_asked_for,
    filters_combine,
}

fn with(record_kind: RecordKind, filters: Filters) -> SearchRequest {
    SearchRequest { filters, ..SearchRequest::all(record_kind) }
}

fn releases(filters: Filters) -> String {
    found_set(&with(RecordKind::Release, filters))
}

fn provinces_repeat() {
    for (provinces, expected) in [
        (&[Province::On][..], "abcd"),
        (&[Province::On, Province::Nb], "abcdhi"),
        (&[Province::Yt], ""),
        (&[Province::Qc, Province::Qc], "efgjkl"),
    ] {
        let provinces = provinces.to_vec();
        let filters = Filters { provinces, ..Filters::default() };
        assert_eq!(releases(filters.clone()), expected, "{filters:?}");
    }
}

fn facilities_are_found_by_the_ids_of_either_inventory() {
    let filters = |ids: &[&str]| Filters {
        facilities: ids.iter().map(|id| FacilityKey::new(id)).collect(),
        ..Filters::default()
    };
    for (ids, expected, emissions) in [
        (&["0000000983"][..], "abcd", "pq"),
        (&["g10002"], "abcd", ""),
        (&["G10001"], "abcd", "pq"),
        (&["42", "211", "nobody"], "efgjkl", ""),
        (&["10001"], "", ""),
        (&["G10003"], "", "rs"),
    ] {
        assert_eq!(releases(filters(ids)), expected, "{ids:?}");
        assert_eq!(found_set(&with(RecordKind::Emission, filters(ids))), emissions, "{ids:?}");
    }
}

fn cities_are_found_by_their_whole_name() {
    for (cities, expected, emissions) in [
        (&["sarnia"][..], "abcd", "pq"),
        (&["QUEBEC", "Sarnia"], "abcdefg", "pq"),
        (&["ste anne"], "hi", ""),
        (&["Sainte Anne"], "hi", ""),
        // Part of a word or a plural does not match.
        (&["anne", "rouyns"], "", ""),
        (&["Rouyn-Noranda"], "", ""),
    ] {
        let cities = cities.iter().map(|city| CityFilter::new(city).unwrap()).collect();
        let filters = Filters { cities, ..Filters::default() };
        assert_eq!(releases(filters.clone()), expected, "{filters:?}");
        assert_eq!(found_set(&with(RecordKind::Emission, filters)), emissions);
    }
    assert_eq!(CityFilter::new("--"), None);
}

fn companies_are_found_by_words_in_a_row_of_their_names() {
    for (companies, expected, emissions) in [
        (&["imperial oil"][..], "abcd", "pq"),
        (&["Imperial Oil Ltée"], "abcd", "pq"),
        (&["oil imperial"], "", ""),
        (&["smith & sons"], "efghi", ""),
        (&["SMITH et Sons limited", "gold corp"], "efghijkl", ""),
        (&["Foy Metals"], "hi", ""),
        (&["metals"], "hi", ""),
        // Words of two names, plurals, names of facilities.
        (&["limited foy", "golds", "foy works", "refinery"], "", ""),
    ] {
        let companies = companies.iter().map(|name| CompanyFilter::new(name).unwrap()).collect();
        let filters = Filters { companies, ..Filters::default() };
        assert_eq!(releases(filters.clone()), expected, "{filters:?}");
        assert_eq!(found_set(&with(RecordKind::Emission, filters)), emissions);
    }
    assert_eq!(CompanyFilter::new("'"), None);
}

fn industries_are_found_by_their_branch() {
    for (codes, expected) in [
        (&["324110"][..], "abcd"),
        (&["3314"], "efg"),
        (&["331"], "efghi"),
        (&["33"], "abcdefghi"),
        (&["31-33"], "abcdefghi"),
        (&["21", "3315"], "hijkl"),
        (&["11"], ""),
    ] {
        let naics = codes.iter().map(|code| NaicsBranch::parse(code).unwrap());
        let filters = Filters { naics: naics.collect(), ..Filters::default() };
        assert_eq!(releases(filters), expected, "{codes:?}");
    }
}

fn substances_are_found_by_id_or_by_words_of_any_name_they_had() {
    let words = |text: &str| SubstanceFilter::words(text).unwrap();
    let by_id = |text: &str| SubstanceFilter::Id(SubstanceId::parse(text).unwrap());
    for (substances, expected) in [
        (vec![by_id("7439-97-6")], "l"),
        (vec![by_id("7446-09-05")], "gh"),
        (vec![by_id("NA-DF"), by_id("71-43-2")], "ceno"),
        (vec![words("mercury")], "abl"),
        (vec![words("MERCURE composes")], "ab"),
        // The English words and the French are in different names of one substance.
        (vec![words("dioxide soufre")], "gh"),
        // A name of later years finds the earlier records.
        (vec![words("sulphur gas")], "gh"),
        (vec![words("1,1,2-trichloroethane")], "j"),
        (vec![words("trichloroethane 1,1")], "jk"),
        // Plurals and equivalents of a word of one token, as in `q`.
        (vec![words("dioxin")], "no"),
        (vec![words("furan dioxine")], "no"),
        (vec![words("sulphurs gases")], ""),
        (vec![words("sulphurs oxides")], "gh"),
        (vec![words("xylene-all isomer")], "f"),
        (vec![words("xylenes-all")], ""),
        // Abbreviations, whole and literal.
        (vec![words("so2"), words("PM10")], "gh"),
        (vec![words("SO-2 gas")], "gh"),
        (vec![words("PM 2.5")], "m"),
        (vec![words("so"), words("2")], "jm"),
        (vec![words("cie"), words("company"), words("S-O2")], ""),
        // Other texts of the record are not searched, and only whole words match.
        (vec![words("sarnia")], ""),
        (vec![words("merc")], ""),
        (vec![words("lead"), words("toluene")], "di"),
    ] {
        let filters = Filters { substances: substances.clone(), ..Filters::default() };
        assert_eq!(releases(filters.clone()), expected, "{substances:?}");
        assert_eq!(found_set(&with(RecordKind::Emission, filters)), "", "{substances:?}");
    }
}

fn media_are_any_of_those_given() {
    for (media, expected) in [
        (vec![Medium::Air], "acdegjklmn"),
        (vec![Medium::Land], "f"),
        (vec![Medium::Water, Medium::AllMedia], "bhio"),
        (vec![Medium::Land, Medium::Land], "f"),
    ] {
        let filters = Filters {
            media: media.iter().copied().map(MediumFilter).collect(),
            ..Filters::default()
        };
        assert_eq!(releases(filters.clone()), expected, "{media:?}");
        assert_eq!(found_set(&with(RecordKind::Emission, filters)), "", "{media:?}");
    }
}

fn record_ids_are_exact() {
    for (ids, expected) in [
        (vec![id('h')], "h"),
        (vec![id('h'), id('a'), id('h')], "ah"),
        (vec![id('h').to_uppercase()], ""),
        (vec![id('p')], ""),
        (vec![String::new(), "é".to_owned()], ""),
    ] {
        let record_ids = ids.iter().cloned().map(RecordIdFilter).collect();
        let filters = Filters { record_ids, ..Filters::default() };
        assert_eq!(releases(filters), expected, "{ids:?}");
    }
}

fn reporting_years_are_any_of_those_given() {
    for (years, expected) in [
        (vec![2021..=2021], "gh"),
        (vec![2022..=9999], "abcdefijkmn"),
        (vec![0..=2021], "ghlo"),
        (vec![2021..=2021, 2024..=2030, 0..=1999], "gh"),
        (vec![2021..=2021, 2023..=2023, 2021..=2022], "abcdefghijkmn"),
        (vec![2024..=2030], ""),
    ] {
        let reporting_years: Vec<_> = years.iter().cloned().map(ReportingYears).collect();
        let filters = Filters { reporting_years, ..Filters::default() };
        assert_eq!(releases(filters.clone()), expected, "{years:?}");
        let both = YearRange { from: Some(2022), to: None };
        let with_both = Filters { years: both, ..filters };
        let expected: String =
            expected.chars().filter(|record| !"ghlo".contains(*record)).collect();
        assert_eq!(releases(with_both), expected, "{years:?} since 2022");
    }
}

fn places_are_near_a_point_up_to_the_radius() {
    for (near, within_km, expected, emissions) in [
        (["42.9575", "-82.3869"], "1e-9", "abcd", "pq"),
        (["42.9575", "-82.3869"], "500", "abcd", "pq"),
        (["46.77", "-71.3"], "183.8", "efg", ""),
        (["46.77", "-71.3"], "183.9", "efg", "rs"),
        (["46.77", "-71.3"], "371.89", "efg", "rs"),
        (["46.77", "-71.3"], "371.9", "efghi", "rs"),
        (["45", "-75"], "500", "efgjkl", "rs"),
        // A latitude alone is no place.
        (["46.7503", "0"], "500", "", ""),
        (["-42.9575", "82.3869"], "500", "", ""),
    ] {
        let [latitude, longitude] = near.map(|degrees| Bound::parse(degrees).unwrap());
        let within_km = Bound::parse(within_km).unwrap();
        let near = Some(NearFilter { latitude, longitude, within_km });
        let filters = Filters { near, ..Filters::default() };
        assert_eq!(releases(filters.clone()), expected, "{filters:?}");
        assert_eq!(
            found_set(&with(RecordKind::Emission, filters.clone())),
            emissions,
            "{filters:?}"
        );
    }
}

fn places_are_in_a_box_up_to_its_edges() {
    for (bounds, expected, emissions) in [
        (["-82.3869", "42.9575", "-82.3869", "42.9575"], "abcd", "pq"),
        (["-82.3869", "42.95750000000000000000000000000000001", "0", "90"], "efghijkl", "rs"),
        (["-82.38690000000000000000000000000000001", "0", "-79.0106", "48.2527"], "abcdjkl", "pq"),
        (["-79.01059", "45.41", "0", "90"], "efg", "rs"),
        (["-180", "-90", "180", "90"], "abcdefghijkl", "pqrs"),
        (["-180", "-90", "180", "0"], "", ""),
    ] {
        let [west, south, east, north] = bounds.map(|degrees| Bound::parse(degrees).unwrap());
        let bbox = Some(BoxFilter { west, south, east, north });
        let filters = Filters { bbox, ..Filters::default() };
        assert_eq!(releases(filters.clone()), expected, "{filters:?}");
        assert_eq!(
            found_set(&with(RecordKind::Emission, filters.clone())),
            emissions,
            "{filters:?}"
        );
    }
}

fn years_are_bounded_inclusively() {
    for (from, to, expected) in [
        (Some(2022), None, "abcdefijkmn"),
        (None, Some(2021), "ghlo"),
        (Some(2021), Some(2021), "gh"),
        (Some(2024), None, ""),
        (Some(0), Some(u16::MAX), "abcdefghijklmno"),
        (Some(2022), Some(2020), ""),
    ] {
        let filters = Filters { years: YearRange { from, to }, ..Filters::default() };
        assert_eq!(releases(filters), expected, "{from:?} {to:?}");
    }
}

fn values_are_compared_exactly_in_the_unit_asked_for() {
    use ValueUnit::{GramsTeq, Mass, Reported};
    let (tonnes, kg, grams) = (Mass(Unit::Tonnes), Mass(Unit::Kilograms), Mass(Unit::Grams));
    for (unit, min, max, expected) in [
        (Reported, "1.5", "2.25", "aejk"),
        (Reported, "1.50000000000000000000000000000000001", "", "bcegijklmo"),
        (Reported, "", "0", "d"),
        (Reported, "", "-1e-300", ""),
        (Reported, "1e300", "", ""),
        (Reported, "-1e300", "1e300", "abcdefghijklmno"),
        (Reported, "1e-7", "1e-7", "f"),
        (tonnes, "1.5", "1.5", "abc"),
        (kg, "1500", "1.5e3", "abc"),
        (grams, "1.5e6", "1500000.0", "abc"),
        (tonnes, "1.5000000001", "", "egm"),
        (tonnes, "", "1e-10", "df"),
        (tonnes, "", "9.9999999999999999999999999999999e-11", "d"),
        (kg, "-1", "", "abcdefghijklm"),
        (GramsTeq, "0.5", "0.5", "n"),
        (GramsTeq, "0", "", "no"),
        (GramsTeq, "", "1e9", "no"),
    ] {
        let bound = |text: &str| (!text.is_empty()).then(|| Bound::parse(text).unwrap());
        let filters = Filters {
            values: ValueRange { min: bound(min), max: bound(max) },
            ..Filters::default()
        };
        let request = SearchRequest { value_unit: unit, ..with(RecordKind::Release, filters) };
        assert_eq!(found_set(&request), expected, "{unit:?} {min} {max}");
    }
}

fn filters_combine() {
    let mut request = matching(RecordKind::Release, "quebec -usine");
    request.filters = Filters {
        provinces: vec![Province::Qc, Province::On],
        naics: vec![NaicsBranch::parse("21").unwrap()],
        years: YearRange { from: Some(2021), to: None },
        ..Filters::default()
    };
    assert_eq!(found_set(&request), "jk");
    request.filters.values.max = Some(Bound::parse("1.9").unwrap());
    assert_eq!(found_set(&request), "");
}
