//! The fields of a site, which both kinds of records show.

use super::FieldKind::{Number, Text};
use super::value::text;
use super::{RecordField, RecordPart, nullable};
use crate::{Emission, NaicsCode, Release, Site};

/// A record that shows a site.
pub(super) trait OfSite: 'static {
    fn site(&self) -> &Site;
}

impl OfSite for Release {
    fn site(&self) -> &Site {
        &self.site
    }
}

impl OfSite for Emission {
    fn site(&self) -> &Site {
        &self.site
    }
}

const SITE: RecordPart = RecordPart::Site;

pub(super) const fn facility_name<R: OfSite>() -> RecordField<R> {
    let doc = "the name in that year, or the latest known";
    nullable("facility_name", Text, SITE, doc, |record| text(&record.site().facility_name))
}

pub(super) const fn company_name<R: OfSite>(doc: &'static str) -> RecordField<R> {
    nullable("company_name", Text, SITE, doc, |record| text(&record.site().company_name))
}

pub(super) const fn city<R: OfSite>() -> RecordField<R> {
    nullable("city", Text, SITE, "where the facility is", |record| text(&record.site().city))
}

pub(super) const fn naics_code<R: OfSite>() -> RecordField<R> {
    nullable("naics_code", Text, SITE, "the industry, by its NAICS code", |record| {
        record.site().naics_code.as_ref().map(NaicsCode::as_str).into()
    })
}

pub(super) const fn naics_en<R: OfSite>() -> RecordField<R> {
    let doc = "English title of the industry";
    nullable("naics_en", Text, SITE, doc, |record| text(&record.site().naics_en))
}

pub(super) const fn naics_fr<R: OfSite>() -> RecordField<R> {
    let doc = "French title of the industry";
    nullable("naics_fr", Text, SITE, doc, |record| text(&record.site().naics_fr))
}

pub(super) const fn latitude<R: OfSite>() -> RecordField<R> {
    nullable("latitude", Number, SITE, "degrees north", |record| record.site().latitude.into())
}

pub(super) const fn longitude<R: OfSite>() -> RecordField<R> {
    let doc = "degrees east, so negative in Canada";
    nullable("longitude", Number, SITE, doc, |record| record.site().longitude.into())
}
