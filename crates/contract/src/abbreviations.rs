//! Abbreviations: a unit that is an abbreviation also finds its substances, as one more name of
//! them.

use std::collections::BTreeSet;
use std::sync::{Arc, LazyLock};

use outfall_records::{
    ABBREVIATIONS, Medium, Record, RecordKind, Site, Substance, SubstanceId, Unit,
};
use outfall_request::SortKey;

use crate::backends::{Backends, ids, matching};
use crate::records::{all, decimal, release, site_of};

tests! {
    a_unit_that_is_an_abbreviation_finds_its_substances,
    texts_with_an_abbreviation_are_found_too,
    parts_and_equivalents_abbreviate_nothing,
    an_abbreviation_is_a_name,
    emissions_have_no_substances,
}

fn substance(id: &str) -> Arc<Substance> {
    let name = Some("Unnamed".to_owned());
    let id = SubstanceId::parse(id).unwrap();
    let every_name = name.iter().cloned().collect();
    Arc::new(Substance { id, name_en: name, name_fr: None, every_name })
}

fn site(id: &str, name: &str) -> Arc<Site> {
    let mut site = Site::clone(&site_of("500366"));
    site.facility_id = site_of(id).facility_id;
    (site.facility_name, site.every_name) = (Some(name.to_owned()), vec![name.to_owned()]);
    Arc::new(site)
}

/// A release of each substance that has an abbreviation, and of benzene, by a facility with a
/// neutral name; and releases of benzene by facilities whose names contain tokens of abbreviations.
static BACKENDS: LazyLock<Backends> = LazyLock::new(|| {
    let record = |site: &Arc<Site>, id: &str| {
        let quantity = (decimal("1"), Unit::Kilograms);
        release(Arc::clone(site), 2023, substance(id), Medium::Air, quantity)
    };
    let ids = ABBREVIATIONS.iter().flat_map(|known| known.substances).copied();
    let ids: BTreeSet<&str> = ids.chain(["71-43-2"]).collect();
    let plain = site("983", "Works");
    let mut records: Vec<Record> = ids.iter().map(|id| record(&plain, id)).collect();
    for (id, name) in [("211", "SO2 Recovery"), ("5000", "Plant 2, Cie du Nord"), ("42", "COs")] {
        records.push(record(&site(id, name), "71-43-2"));
    }
    records.extend(all().into_iter().filter(|record| record.record_kind() == RecordKind::Emission));
    Backends::over(&records)
});

/// The facility and substance of every release that `q` matches, as `983:7446-09-5`.
fn found(q: &str) -> BTreeSet<String> {
    let mut request = matching(RecordKind::Release, q);
    request.page.limit = 1000;
    let ids = ids(&BACKENDS.search(&request));
    ids.iter().map(|id| id.replace(":2023", "").replace(":air", "")).collect()
}

fn of_works(substances: &[&str]) -> BTreeSet<String> {
    substances.iter().map(|id| format!("983:{id}")).collect()
}

fn and(mut found: BTreeSet<String>, others: &[&str]) -> BTreeSet<String> {
    found.extend(others.iter().map(|other| (*other).to_owned()));
    found
}

/// Facilities whose name has the class of the token `co`, or the tokens of `SO2` in a row.
fn named(spelling: &str) -> &'static [&'static str] {
    match spelling {
        "CO" => &["5000:71-43-2"],
        "SO2" => &["211:71-43-2"],
        _ => &[],
    }
}

fn a_unit_that_is_an_abbreviation_finds_its_substances() {
    let everything = found("");
    for abbreviation in &ABBREVIATIONS {
        let spelling = abbreviation.spelling;
        let expected = and(of_works(abbreviation.substances), named(spelling));
        let others: BTreeSet<String> = everything.difference(&expected).cloned().collect();
        let (lower, upper) = (spelling.to_lowercase(), spelling.to_uppercase());
        for written in [spelling, &lower, &upper] {
            for q in [written.to_owned(), format!("\"{written}\""), format!("({written}),")] {
                assert_eq!(found(&q), expected, "{q}");
                assert_eq!(found(&format!("-{q}")), others, "-{q}");
                assert_eq!(found(&format!("NOT {q}")), others, "NOT {q}");
                assert_eq!(found(&format!("zzz OR {q}")), expected, "zzz OR {q}");
                assert_eq!(found(&format!("{q} works")), of_works(abbreviation.substances), "{q}");
            }
        }
    }
}

fn texts_with_an_abbreviation_are_found_too() {
    let dioxide = and(of_works(&["7446-09-5"]), &["211:71-43-2"]);
    for q in ["SO2", "SO₂", "SO-2", "\"SO 2\"", "l'SO2"] {
        assert_eq!(found(q), dioxide, "{q}");
    }
    assert_eq!(found("PM"), of_works(&["NA-M08", "NA-M09", "NA-M10"]));
    assert_eq!(found("PM OR NOx -PM10"), of_works(&["NA-M08", "NA-M10", "11104-93-1"]));
    assert_eq!(found("voc vocs"), of_works(&["NA-M16"]));
}

fn parts_and_equivalents_abbreviate_nothing() {
    for (q, expected) in [
        ("cie", &["5000:71-43-2"][..]),
        ("company", &["5000:71-43-2"]),
        ("\"compagnie\"", &["5000:71-43-2"]),
        ("Plant 2", &["5000:71-43-2"]),
        ("SO 2 Recovery", &["211:71-43-2"]),
        ("\"SO2 Recovery\"", &["211:71-43-2"]),
        ("SO2-Recovery", &["211:71-43-2"]),
        ("so", &["211:71-43-2"]),
        ("NOxs vocx PM25 2.5", &[]),
        ("H2", &[]),
    ] {
        assert_eq!(found(q), and(BTreeSet::new(), expected), "{q}");
    }
}

fn an_abbreviation_is_a_name() {
    let mut request = matching(RecordKind::Release, "SO2 OR PM2.5 OR works");
    request.sort.by = SortKey::Relevance;
    request.page.limit = 1000;
    let order = ids(&BACKENDS.search(&request));
    // Records that match two of the units come before those that match one.
    assert_eq!(&order[..2], ["983:2023:7446-09-5:air", "983:2023:NA-M10:air"]);
    assert_eq!(order[2], "211:2023:71-43-2:air");
    request.text = matching(RecordKind::Release, "-SO2 OR works").text;
    let order = ids(&BACKENDS.search(&request));
    assert_eq!(order.last().unwrap(), "5000:2023:71-43-2:air");
}

fn emissions_have_no_substances() {
    for abbreviation in &ABBREVIATIONS {
        let request = matching(RecordKind::Emission, abbreviation.spelling);
        assert_eq!(BACKENDS.count(&request), 0, "{}", abbreviation.spelling);
    }
}
