//! All filters of a request except its text.

use outfall_records::{FacilityKey, NaicsBranch, Province, SubstanceId};
use outfall_request::{
    CityFilter, CompanyFilter, Filters, MediumFilter, RecordIdFilter, SubstanceFilter, ValueRange,
};

use super::fault::ParameterFault;
use super::raw::RawParams;
use super::read::Parsed;
use super::table::Name;
use super::years::reporting_years;
use super::{dates, places};

/// Reads the filters. Emissions have all of them except `substance` and `medium`.
pub(crate) fn filters(raw: &mut RawParams) -> Filters {
    let medium = |text: &str| {
        MediumFilter::parse(text).ok_or(ParameterFault::NotAChoice(&MediumFilter::IDS))
    };
    let city = |text: &str| CityFilter::new(text).ok_or(ParameterFault::WithoutLetters);
    let company = |text: &str| CompanyFilter::new(text).ok_or(ParameterFault::WithoutLetters);
    let naics = |text: &str| NaicsBranch::parse(text).map_err(|_| ParameterFault::NotANaicsCode);
    Filters {
        provinces: values(raw.read_all(Name::Province, province)),
        cities: values(raw.read_all(Name::City, city)),
        companies: values(raw.read_all(Name::Company, company)),
        facilities: values(raw.read_all(Name::FacilityId, |text| Ok(FacilityKey::new(text)))),
        naics: values(raw.read_all(Name::NaicsCode, naics)),
        substances: values(raw.read_all(Name::Substance, substance)),
        media: values(raw.read_all(Name::Medium, medium)),
        record_ids: values(
            raw.read_all(Name::RecordId, |text| Ok(RecordIdFilter(text.to_owned()))),
        ),
        reporting_years: values(raw.read_all(Name::Year, reporting_years)),
        near: places::near(raw),
        bbox: places::bbox(raw),
        years: dates::years(raw),
        values: value_range(raw),
    }
}

fn values<T>(read: Vec<Parsed<T>>) -> Vec<T> {
    read.into_iter().map(|read| read.value).collect()
}

/// Parses a province. A list is refused, and the fault names its first two.
fn province(text: &str) -> Result<Province, ParameterFault> {
    if let Some(province) = Province::parse(text) {
        return Ok(province);
    }
    let parts: Vec<&str> = text.split([',', ';', '|']).map(str::trim).collect();
    match parts.as_slice() {
        [first, second, ..] if parts.iter().all(|part| Province::parse(part).is_some()) => {
            let [first, second] = [first, second].map(|part| (*part).to_owned());
            Err(ParameterFault::SeveralProvinces { first, second })
        }
        _ => Err(ParameterFault::NotAProvince),
    }
}

/// Parses a CAS RN or an NPRI code as an id, and anything else as words of a name.
///
/// A CAS RN that a spreadsheet turned into a date is ambiguous, so it counts as words.
fn substance(text: &str) -> Result<SubstanceFilter, ParameterFault> {
    if let Ok(id) = SubstanceId::parse(text) {
        return Ok(SubstanceFilter::Id(id));
    }
    SubstanceFilter::words(text).ok_or(ParameterFault::WithoutWord)
}

fn value_range(raw: &mut RawParams) -> ValueRange {
    let min = raw.read_bound(Name::ValueMin);
    let max = raw.read_bound(Name::ValueMax);
    if let (Some(min), Some(max)) = (&min, &max)
        && min.value > max.value
    {
        let fault = ParameterFault::EmptyRange {
            other: max.given.spelling.clone(),
            other_value: max.given.value.clone(),
        };
        raw.refuse(&min.given, fault);
    }
    ValueRange { min: min.map(|read| read.value), max: max.map(|read| read.value) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn substances_are_ids_or_words() {
        for (text, expected) in [
            ("7446-09-05", "=7446-09-5"),
            ("7446-09-5", "=7446-09-5"),
            ("na - m16", "=NA-M16"),
            ("NA - D/F", "=NA-DF"),
            ("Mercury  (and its compounds)", "mercury and its compound"),
            ("dioxyde de soufre", "dioxyde de soufre"),
            ("PM2.5", "\"pm+2+5\"=PM2.5"),
            ("04/06/7783", "\"04+06+7783\""),
            ("benzene - toluene", "benzene toluene"),
            ("--", "refused"),
            ("…", "refused"),
        ] {
            let shown = match substance(text) {
                Ok(SubstanceFilter::Id(id)) => format!("={id}"),
                Ok(SubstanceFilter::Words(words)) => {
                    let words: Vec<_> = words.iter().map(ToString::to_string).collect();
                    words.join(" ")
                }
                Err(fault) => {
                    assert_eq!(fault, ParameterFault::WithoutWord);
                    "refused".to_owned()
                }
            };
            assert_eq!(shown, expected, "{text}");
        }
    }
}
