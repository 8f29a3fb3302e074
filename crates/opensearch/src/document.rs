//! A record as a document of an index.

use std::collections::{BTreeSet, HashMap};

use outfall_records::text::{class_of, tokens};
use outfall_records::{Amount, Record, Unit};
use outfall_request::{CityFilter, Facet};
use serde_json::{Map, Value, json};

use crate::ClusterError;
use crate::facet_key::{FacetKeys, facet_key};
use crate::limbs::{LIMBS, UNITS_LIMB, limbs};
use crate::lists::{ListBuilder, Place};
use crate::mapping::Measure;
use crate::order_key::order_key;

/// Makes the documents of the records of one kind.
#[derive(Debug, Default)]
pub(crate) struct Documents {
    keys: FacetKeys,
    places: HashMap<Place, u32>,
    /// The limbs of each measure that occur in some record; requests ask for no others.
    limbs: [BTreeSet<usize>; 2],
}

impl Documents {
    /// Documents of records that come in canonical order, their places numbered by `lists`.
    pub(crate) fn new(lists: &ListBuilder) -> Self {
        let numbered = lists.places.iter().cloned().zip(0..);
        Self { places: numbered.collect(), ..Self::default() }
    }

    /// How many values each facet has, to size requests by.
    pub(crate) fn values(&self, facet: Facet) -> u64 {
        self.keys.values(facet)
    }

    /// The limbs of a measure that occur.
    pub(crate) fn limbs_of(&self, measure: Measure) -> &BTreeSet<usize> {
        &self.limbs[measure as usize]
    }

    /// The document of a record, and what it adds to a sum.
    pub(crate) fn of(&mut self, record: &Record) -> Result<(Value, Amount), ClusterError> {
        let bad = |reason: &str| ClusterError::BadRecord {
            record_id: record.record_id(),
            reason: reason.to_owned(),
        };
        let site = record.site();
        let mut fields = Map::new();
        let mut put = |name: &str, value: Value| {
            fields.insert(name.to_owned(), value);
        };
        put("id", record.record_id().into());
        put("year", record.year().get().into());
        let texts = record.texts();
        let names = texts.iter().filter(|text| text.field.is_name());
        for (name, class, texts) in [
            ("text", "text_class", IndexedTexts::of(texts.iter().map(|text| &*text.text))),
            ("name", "name_class", IndexedTexts::of(names.map(|text| &*text.text))),
        ] {
            put(name, texts.in_order.into());
            put(class, Value::from_iter(texts.classes));
        }
        if let Some(substance) = record.substance() {
            let texts = IndexedTexts::of(substance.every_name.iter().map(String::as_str));
            put("substance_name", texts.in_order.into());
            put("substance_class", Value::from_iter(texts.classes));
            put("substance", substance.id.as_str().into());
        }
        put("company", IndexedTexts::of(site.company_names()).in_order.into());
        if let Some(city) = site.city.as_deref().and_then(CityFilter::new) {
            put("city", city.key().into());
        }
        if let Some(province) = site.province {
            put("province", province.code().into());
        }
        if let Record::Release(release) = record {
            put("medium", release.medium.slug().into());
        }
        let facilities = site.facility_keys().map(|key| key.as_str().to_owned());
        put("facility", facilities.collect());
        if let Some(code) = &site.naics_code {
            let code = code.as_str();
            put("naics", (2..=code.len()).map(|len| &code[..len]).collect());
        }
        let place = self.places.get(&Place::of(site)).ok_or_else(|| bad("its place is unknown"))?;
        put("place", (*place).into());
        let json = serde_json::to_string(record).map_err(|error| bad(&error.to_string()))?;
        put("json", json.into());

        let mut facets = Map::new();
        for facet in [Facet::NaicsCode, Facet::Substance, Facet::Facility, Facet::Company] {
            if let Some(value) = facet_key(facet, record) {
                let key = self.keys.of(facet, value);
                facets.insert(facet.name().to_owned(), key.into());
            }
        }
        put("facet", facets.into());

        let value = record.value();
        let amount = Amount::of(value, record.unit());
        let amount = amount.ok_or_else(|| bad("its value is out of range"))?;
        let mut order = Map::new();
        order.insert("reported".to_owned(), order_key(value).into());
        let measure = match record.unit() {
            Some(unit) => {
                put("units", unit.name().into());
                let (measure, compared) = match unit {
                    Unit::GramsTeq => (Measure::Teq, Some(value)),
                    unit => (Measure::Mass, unit.kilograms(value)),
                };
                let compared = compared.ok_or_else(|| bad("its mass is out of range"))?;
                order.insert(measure.name().to_owned(), order_key(compared).into());
                measure
            }
            None => Measure::Mass,
        };
        put("order", order.into());
        let limbs = limbs(amount);
        let mut sum = Map::new();
        for limb in (0..LIMBS).filter(|limb| limbs[*limb] != 0 || *limb == UNITS_LIMB) {
            self.limbs[measure as usize].insert(limb);
            sum.insert(format!("l{limb}"), limbs[limb].into());
        }
        put("sum", json!({measure.name(): sum}));
        Ok((fields.into(), amount))
    }
}

/// Texts as the cluster indexes them.
struct IndexedTexts {
    /// The tokens of each text, joined by spaces.
    in_order: Vec<String>,
    classes: BTreeSet<String>,
}

impl IndexedTexts {
    fn of<'t>(texts: impl Iterator<Item = &'t str>) -> Self {
        let mut all = Self { in_order: Vec::new(), classes: BTreeSet::new() };
        for text in texts {
            let tokens = tokens(text);
            all.classes.extend(tokens.iter().map(|token| class_of(token).into_owned()));
            let joined = tokens.join(" ");
            if !joined.is_empty() && !all.in_order.contains(&joined) {
                all.in_order.push(joined);
            }
        }
        all
    }
}
