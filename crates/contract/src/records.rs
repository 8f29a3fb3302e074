//! Releases `a` to `o` and emissions `p` to `s`, each a case of the contract.

use std::sync::Arc;

use outfall_records::{
    BreakdownPart, Category, Decimal, Emission, FacilityId, Gases, GhgrpId, Medium, NaicsCode,
    NpriId, Province, Record, Release, ReportingYear, Site, Substance, SubstanceId, Unit,
};

/// A release without its label: facility, year, substance, medium, quantity, unit.
type ReleaseCase = (&'static str, u16, &'static str, Medium, &'static str, Unit);

const RELEASES: [ReleaseCase; 15] = [
    // a, b and c are the same mass.
    ("983", 2023, "NA - 10", Medium::Air, "1.5", Unit::Tonnes),
    ("983", 2022, "NA - 10", Medium::Water, "1500", Unit::Kilograms),
    ("983", 2023, "71-43-2", Medium::Air, "1500000", Unit::Grams),
    ("983", 2023, "108-88-3", Medium::Air, "0", Unit::Tonnes),
    ("211", 2023, "71-43-2", Medium::Air, "2.25", Unit::Tonnes),
    ("211", 2023, "1330-20-7", Medium::Land, "0.0000001", Unit::Kilograms),
    ("211", 2021, "7446-09-05", Medium::Air, "100000", Unit::Tonnes),
    ("5000", 2021, "7446-09-05", Medium::AllMedia, "0.5", Unit::Tonnes),
    ("5000", 2023, "NA - 08", Medium::Water, "3", Unit::Kilograms),
    ("42", 2023, "79-00-5", Medium::Air, "2", Unit::Kilograms),
    ("42", 2023, "71-55-6", Medium::Air, "2", Unit::Kilograms),
    ("42", 2020, "7439-97-6", Medium::Air, "4", Unit::Grams),
    ("500366", 2023, "NA - M10", Medium::Air, "12", Unit::Tonnes),
    ("500366", 2023, "NA - D/F", Medium::Air, "0.5", Unit::GramsTeq),
    ("500366", 2020, "NA - D/F", Medium::Water, "7", Unit::GramsTeq),
];

/// Emissions: facility, year, total.
const EMISSIONS: [(&str, u16, &str); 4] = [
    ("G10001", 2023, "1047.65"),
    ("G10001", 2022, "1047.65"),
    ("G10003", 2023, "0"),
    ("G10003", 2021, "999999999999.123456789"),
];

/// Every record, in the order of the labels.
pub fn all() -> Vec<Record> {
    let releases = RELEASES.into_iter().map(|case| {
        let (facility, year, substance, medium, quantity, unit) = case;
        let substance = substance_of(substance, year);
        release(site_of(facility), year, substance, medium, (decimal(quantity), unit))
    });
    let emissions = EMISSIONS.into_iter().map(|(facility, year, total)| {
        Record::Emission(Emission {
            site: site_of(facility),
            year: ReportingYear::new(year).unwrap(),
            total_co2e: decimal(total),
            gases: Gases { co2: Some(decimal("1.25")), ..Gases::default() },
        })
    });
    releases.chain(emissions).collect()
}

/// The labels of records, by their ids, in the order given.
pub(crate) fn labels<'a>(ids: impl IntoIterator<Item = &'a str>) -> String {
    let known: Vec<String> = all().iter().map(Record::record_id).collect();
    let label = |id: &str| {
        let place = known.iter().position(|other| other == id).unwrap();
        char::from(b'a' + u8::try_from(place).unwrap())
    };
    ids.into_iter().map(label).collect()
}

/// The id of the record with this label.
pub(crate) fn id(label: char) -> String {
    all()[label as usize - 'a' as usize].record_id()
}

pub(crate) fn release(
    site: Arc<Site>,
    year: u16,
    substance: Arc<Substance>,
    medium: Medium,
    (quantity, unit): (Decimal, Unit),
) -> Record {
    let category = Category {
        name_en: Some("Stack / Point".to_owned()),
        name_fr: Some("Cheminée / Point".to_owned()),
    };
    Record::Release(Release {
        site,
        year: ReportingYear::new(year).unwrap(),
        substance,
        medium,
        quantity,
        unit,
        breakdown: vec![BreakdownPart {
            category: Arc::new(category),
            quantity,
            estimation_method: Some("C - Mass Balance".into()),
        }],
    })
}

pub(crate) fn decimal(text: &str) -> Decimal {
    outfall_records::parse_source_decimal(text).unwrap()
}

/// The facilities of releases, then those of emissions.
pub(crate) const FACILITIES: [&str; 7] = ["983", "211", "5000", "42", "500366", "G10001", "G10003"];

pub(crate) fn site_of(facility: &str) -> Arc<Site> {
    let (names, company, city, province, naics, linked): (&[&str], _, _, _, _, &[&str]) =
        match facility {
            "983" => (
                &["Sarnia Refinery", "Raffinerie de Sarnia"],
                Some("Imperial Oil Limited"),
                Some("Sarnia"),
                Some(Province::On),
                Some("324110"),
                &["G10001", "G10002"],
            ),
            "211" => (
                &["L'usine Sainte-Foy"],
                Some("Smith & Sons Ltée"),
                Some("Québec"),
                Some(Province::Qc),
                Some("331410"),
                &[],
            ),
            "5000" => (
                &["Foy Works"],
                Some("Smith and Sons Limited"),
                Some("Sainte-Anne"),
                Some(Province::Nb),
                Some("331529"),
                &[],
            ),
            // The last word of a name and the first of the next make no phrase.
            "42" => (
                &["Mine d'or Horne", "Noranda Smelter"],
                Some("Gold Corporation"),
                Some("Rouyn"),
                Some(Province::Qc),
                Some("212220"),
                &[],
            ),
            "500366" => (&["Hibernia 97 West"], None, None, None, None, &[]),
            "G10001" => (
                &["Sarnia Refinery"],
                Some("Imperial Oil Limited"),
                Some("SARNIA"),
                Some(Province::On),
                Some("324110"),
                &["983"],
            ),
            "G10003" => {
                (&["Aluminerie du Saguenay"], None, None, Some(Province::Qc), Some("331313"), &[])
            }
            other => panic!("no facility `{other}`"),
        };
    let (latitude, longitude) = match facility {
        "983" | "G10001" => (Some("42.9575"), Some("-82.3869")),
        "211" => (Some("46.77"), Some("-71.3")),
        "5000" => (Some("45.4"), Some("-66.9")),
        "42" => (Some("48.2527"), Some("-79.0106")),
        "G10003" => (Some("48.42"), Some("-71.15")),
        _ => (Some("46.7503"), None),
    };
    let linked_ids: Vec<FacilityId> = linked.iter().map(|id| facility_id(id)).collect();
    let owned = |text: &str| text.to_owned();
    Arc::new(Site {
        facility_id: facility_id(facility),
        cross_reference: linked_ids.first().copied(),
        linked_ids,
        facility_name: Some(owned(names[0])),
        every_name: names.iter().copied().map(owned).collect(),
        company_name: company.map(owned),
        trade_name: (facility == "5000").then(|| owned("Foy Metals")),
        city: city.map(owned),
        province,
        naics_code: naics.map(|code| NaicsCode::parse(code).unwrap()),
        naics_en: None,
        naics_fr: None,
        latitude: latitude.map(decimal),
        longitude: longitude.map(decimal),
    })
}

fn facility_id(text: &str) -> FacilityId {
    match text.strip_prefix('G') {
        Some(digits) => FacilityId::Ghgrp(GhgrpId::parse(digits).unwrap()),
        None => FacilityId::Npri(NpriId::parse(text).unwrap()),
    }
}

pub(crate) const SUBSTANCES: [&str; 10] = [
    "NA - 10",
    "71-43-2",
    "108-88-3",
    "1330-20-7",
    "7446-09-05",
    "NA - 08",
    "79-00-5",
    "71-55-6",
    "7439-97-6",
    "NA - D/F",
];

/// A substance under its names of a year: sulphur dioxide was renamed after 2021.
pub(crate) fn substance_of(id: &str, year: u16) -> Arc<Substance> {
    let names: &[[&str; 2]] = match id {
        "NA - 10" => &[["Mercury (and its compounds)", "Mercure (et ses composés)"]],
        "NA - 08" => &[["Lead (and its compounds)", "Plomb (et ses composés)"]],
        "7439-97-6" => &[["Mercury, elemental", "Mercure élémentaire"]],
        "71-43-2" => &[["Benzene", "Benzène"]],
        "108-88-3" => &[["Toluene", "Toluène"]],
        "1330-20-7" => &[["Xylene (all isomers)", "Xylène (tous les isomères)"]],
        "7446-09-05" => {
            &[["Sulphur dioxide", "Dioxyde de soufre"], ["Sulfur oxide gas", "Gaz sulfureux"]]
        }
        "79-00-5" => &[["1,1,2-Trichloroethane", "1,1,2-Trichloroéthane"]],
        "71-55-6" => &[["1,1,1-Trichloroethane", "1,1,1-Trichloroéthane"]],
        "NA - M10" => &[[
            "PM2.5 - Particulate Matter <= 2.5 Micrometers",
            "PM2,5 - Matière particulaire <= 2,5 micromètres",
        ]],
        "NA - D/F" => &[["Dioxins and furans - total", "Dioxines et furanes - total"]],
        other => panic!("no substance `{other}`"),
    };
    let current = if year > 2021 { names.len() - 1 } else { 0 };
    let [name_en, name_fr] = names[current];
    Arc::new(Substance {
        id: SubstanceId::parse(id).unwrap(),
        name_en: Some(name_en.to_owned()),
        name_fr: Some(name_fr.to_owned()),
        every_name: names.concat().into_iter().map(str::to_owned).collect(),
    })
}
