//! The one definition of a record's JSON, as [`crate::Field`]s describe it.

use rust_decimal::Decimal;
use serde::ser::{Error, SerializeMap, SerializeSeq};
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

use crate::{
    BreakdownPart, Emission, FacilityId, Gases, NaicsCode, Province, RELEASE_SOURCE_URL, Record,
    Release, Site,
};

/// A number written as the decimal it is; a float would round it.
struct Number(Decimal);

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let raw = RawValue::from_string(self.0.to_string()).map_err(S::Error::custom)?;
        raw.serialize(serializer)
    }
}

impl Serialize for Release {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Site { facility_id, cross_reference, .. } = self.site.as_ref();
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("record_id", &self.record_id())?;
        map.serialize_entry("facility_name", &self.site.facility_name)?;
        map.serialize_entry("substance_en", &self.substance.name_en)?;
        map.serialize_entry("substance_fr", &self.substance.name_fr)?;
        map.serialize_entry("quantity", &Number(self.quantity))?;
        map.serialize_entry("units", self.unit.name())?;
        map.serialize_entry("medium_en", self.medium.name_en())?;
        map.serialize_entry("province", &self.site.province.map(Province::code))?;
        map.serialize_entry("facility_id", &facility_id.to_string())?;
        map.serialize_entry("year", &self.year.get())?;
        map.serialize_entry("substance_id", self.substance.id.as_str())?;
        map.serialize_entry("cas_number", &self.substance.id.cas_number())?;
        map.serialize_entry("medium_fr", self.medium.name_fr())?;
        map.serialize_entry("company_name", &self.site.company_name)?;
        map.serialize_entry("city", &self.site.city)?;
        map.serialize_entry("naics_code", &self.site.naics_code.as_ref().map(NaicsCode::as_str))?;
        map.serialize_entry("naics_en", &self.site.naics_en)?;
        map.serialize_entry("naics_fr", &self.site.naics_fr)?;
        map.serialize_entry("quantity_kg", &self.quantity_kg().map(Number))?;
        map.serialize_entry("breakdown", &Breakdown(&self.breakdown))?;
        map.serialize_entry("latitude", &self.site.latitude.map(Number))?;
        map.serialize_entry("longitude", &self.site.longitude.map(Number))?;
        map.serialize_entry("ghgrp_id", &cross_reference.as_ref().map(FacilityId::to_string))?;
        map.serialize_entry("source_url", RELEASE_SOURCE_URL)?;
        map.end()
    }
}

struct Breakdown<'a>(&'a [BreakdownPart]);

impl Serialize for Breakdown<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut parts = serializer.serialize_seq(Some(self.0.len()))?;
        for part in self.0 {
            parts.serialize_element(part)?;
        }
        parts.end()
    }
}

impl Serialize for BreakdownPart {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(4))?;
        map.serialize_entry("category_en", &self.category.name_en)?;
        map.serialize_entry("category_fr", &self.category.name_fr)?;
        map.serialize_entry("quantity", &Number(self.quantity))?;
        map.serialize_entry("estimation_method", &self.estimation_method.as_deref())?;
        map.end()
    }
}

impl Serialize for Emission {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Site { facility_id, cross_reference, .. } = self.site.as_ref();
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("record_id", &self.record_id())?;
        map.serialize_entry("facility_name", &self.site.facility_name)?;
        map.serialize_entry("company_name", &self.site.company_name)?;
        map.serialize_entry("total_co2e", &Number(self.total_co2e))?;
        map.serialize_entry("province", &self.site.province.map(Province::code))?;
        map.serialize_entry("naics_code", &self.site.naics_code.as_ref().map(NaicsCode::as_str))?;
        map.serialize_entry("year", &self.year.get())?;
        map.serialize_entry("facility_id", &facility_id.to_string())?;
        map.serialize_entry("npri_id", &cross_reference.as_ref().map(FacilityId::to_string))?;
        map.serialize_entry("city", &self.site.city)?;
        map.serialize_entry("naics_en", &self.site.naics_en)?;
        map.serialize_entry("naics_fr", &self.site.naics_fr)?;
        for (name, value) in Gases::NAMES.into_iter().zip(self.gases.values()) {
            map.serialize_entry(name, &value.map(Number))?;
        }
        map.serialize_entry("total_co2e_units", Self::UNITS)?;
        map.serialize_entry("latitude", &self.site.latitude.map(Number))?;
        map.serialize_entry("longitude", &self.site.longitude.map(Number))?;
        map.serialize_entry("source_url", &self.source_url())?;
        map.end()
    }
}

impl Serialize for Record {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Release(release) => release.serialize(serializer),
            Self::Emission(emission) => emission.serialize(serializer),
        }
    }
}
