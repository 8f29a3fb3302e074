//! The fields of a site, which both kinds of records show.

use super::FieldKind::Text;
use super::value::text;
use super::{FieldKind, RecordField, RecordPart, nullable};
use crate::{Doc, Emission, FixedPoint, NaicsCode, Release, Site};

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
const DEGREES: FieldKind = FieldKind::Number(FixedPoint::DEGREES);

pub(super) const fn facility_name<R: OfSite>() -> RecordField<R> {
    let doc = Doc::new(
        "the name in that year, or the latest known",
        "nom pour l’année en question, ou le plus récent connu",
    );
    nullable("facility_name", Text, SITE, doc, |record| text(&record.site().facility_name))
}

pub(super) const fn company_name<R: OfSite>(doc: Doc) -> RecordField<R> {
    nullable("company_name", Text, SITE, doc, |record| text(&record.site().company_name))
}

pub(super) const fn city<R: OfSite>() -> RecordField<R> {
    nullable(
        "city",
        Text,
        SITE,
        Doc::new("where the facility is", "endroit où se trouve l’installation"),
        |record| text(&record.site().city),
    )
}

pub(super) const fn naics_code<R: OfSite>() -> RecordField<R> {
    nullable(
        "naics_code",
        Text,
        SITE,
        Doc::new("the industry, by its NAICS code", "industrie, par son code SCIAN"),
        |record| record.site().naics_code.as_ref().map(NaicsCode::as_str).into(),
    )
}

pub(super) const fn naics_en<R: OfSite>() -> RecordField<R> {
    let doc = Doc::new("English title of the industry", "titre anglais de l’industrie");
    nullable("naics_en", Text, SITE, doc, |record| text(&record.site().naics_en))
}

pub(super) const fn naics_fr<R: OfSite>() -> RecordField<R> {
    let doc = Doc::new("French title of the industry", "titre français de l’industrie");
    nullable("naics_fr", Text, SITE, doc, |record| text(&record.site().naics_fr))
}

pub(super) const fn latitude<R: OfSite>() -> RecordField<R> {
    nullable("latitude", DEGREES, SITE, Doc::new("degrees north", "degrés nord"), |record| {
        record.site().latitude.into()
    })
}

pub(super) const fn longitude<R: OfSite>() -> RecordField<R> {
    let doc =
        Doc::new("degrees east, so negative in Canada", "degrés est, donc négatifs au Canada");
    nullable("longitude", DEGREES, SITE, doc, |record| record.site().longitude.into())
}
