//! The keys that a cluster counts facets by. A key holds the names of its value too, so that an
//! answer needs no look-up: those of the first record in canonical order that has the value.

use std::collections::HashMap;

use outfall_records::{Medium, Province, Record, Unit};
use outfall_request::{Facet, FacetValue, unit_name_fr};

/// Separates a value from its names. It sorts below every character of a value, so that keys are in
/// the byte order of their values.
const SEPARATOR: char = '\u{1f}';

/// The keys given out so far.
#[derive(Debug, Default)]
pub(crate) struct FacetKeys {
    keys: HashMap<(&'static str, String), String>,
    values: HashMap<&'static str, u64>,
}

impl FacetKeys {
    /// The key of a value; its first names are kept.
    pub(crate) fn of(&mut self, facet: Facet, named: FacetValue) -> &str {
        let values = &mut self.values;
        self.keys.entry((facet.name(), named.value.clone())).or_insert_with(|| {
            *values.entry(facet.name()).or_default() += 1;
            encode(facet, &named)
        })
    }

    /// How many different values a facet has.
    pub(crate) fn values(&self, facet: Facet) -> u64 {
        self.values.get(facet.name()).copied().unwrap_or(0)
    }
}

/// The value of a record that is counted by a key of its own; `None` if it has none.
pub(crate) fn facet_key(facet: Facet, record: &Record) -> Option<FacetValue> {
    let site = record.site();
    match facet {
        Facet::NaicsCode => site.naics_code.map(|code| {
            FacetValue::named(code.as_str(), site.naics_en.as_deref(), site.naics_fr.as_deref())
        }),
        Facet::Substance => record.substance().map(|substance| {
            let (name_en, name_fr) = (substance.name_en.as_deref(), substance.name_fr.as_deref());
            FacetValue::named(substance.id.as_str(), name_en, name_fr)
        }),
        Facet::Facility => {
            let name = site.facility_name.as_deref();
            Some(FacetValue::named(site.facility_id.to_string(), name, name))
        }
        Facet::Company => site.company_name.as_deref().map(FacetValue::plain),
        Facet::Province | Facet::Year | Facet::Medium | Facet::Units => None,
    }
}

/// The key of a value. A company is its own name; other values are followed by their names.
fn encode(facet: Facet, named: &FacetValue) -> String {
    if facet == Facet::Company {
        return named.value.clone();
    }
    let names = serde_json::json!([named.label_en, named.label_fr]);
    format!("{}{SEPARATOR}{names}", named.value)
}

/// The value that a key stands for; `None` for a text that is no key of the facet.
pub(crate) fn decode(facet: Facet, key: &str) -> Option<FacetValue> {
    Some(match facet {
        Facet::Company | Facet::Year => FacetValue::plain(key),
        Facet::Province => {
            let province = Province::of_code(key)?;
            FacetValue::named(key, Some(province.name_en()), Some(province.name_fr()))
        }
        Facet::Medium => {
            let medium = Medium::ALL.into_iter().find(|medium| medium.slug() == key)?;
            FacetValue::named(key, Some(medium.name_en()), Some(medium.name_fr()))
        }
        Facet::Units => {
            let unit = Unit::ALL.into_iter().find(|unit| unit.name() == key)?;
            FacetValue::named(key, Some(key), Some(unit_name_fr(unit)))
        }
        Facet::NaicsCode | Facet::Substance | Facet::Facility => {
            let (value, names) = key.split_once(SEPARATOR)?;
            let [label_en, label_fr]: [Option<String>; 2] = serde_json::from_str(names).ok()?;
            FacetValue::named(value, label_en.as_deref(), label_fr.as_deref())
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_read_back_with_its_names() {
        for (facet, named) in [
            (Facet::Substance, FacetValue::named("NA-M16", Some("A \"b\""), Some("é\u{1f}"))),
            (Facet::Facility, FacetValue::named("1", None, None)),
            (Facet::NaicsCode, FacetValue::named("21", Some(""), None)),
            (Facet::Company, FacetValue::plain("A\u{1f}B")),
        ] {
            assert_eq!(decode(facet, &encode(facet, &named)), Some(named));
        }
        for (facet, key) in
            [(Facet::Substance, "71-43-2"), (Facet::Province, "ZZ"), (Facet::Medium, "fire")]
        {
            assert_eq!(decode(facet, key), None, "{key}");
        }
    }

    #[test]
    fn the_first_names_stay() {
        let mut keys = FacetKeys::default();
        let first =
            keys.of(Facet::Facility, FacetValue::named("1", Some("A"), Some("A"))).to_owned();
        assert_eq!(keys.of(Facet::Facility, FacetValue::named("1", Some("B"), None)), first);
        assert_eq!((keys.values(Facet::Facility), keys.values(Facet::Company)), (1, 0));
    }
}
