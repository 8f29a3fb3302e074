//! What the JSON of sites and substances shows, read back from its fragments.

use std::borrow::Cow;

use outfall_layout::Strings;
use serde::Deserialize;

/// The fields of a site that facets count; the others are skipped.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct ShownSite<'a> {
    #[serde(borrow)]
    pub(super) facility_name: Option<Cow<'a, str>>,
    #[serde(borrow)]
    pub(super) company_name: Option<Cow<'a, str>>,
    #[serde(borrow)]
    pub(super) province: Option<Cow<'a, str>>,
    #[serde(borrow)]
    pub(super) naics_code: Option<Cow<'a, str>>,
    #[serde(borrow)]
    pub(super) naics_en: Option<Cow<'a, str>>,
    #[serde(borrow)]
    pub(super) naics_fr: Option<Cow<'a, str>>,
}

/// The names of a substance.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct ShownSubstance<'a> {
    #[serde(borrow)]
    pub(super) substance_en: Option<Cow<'a, str>>,
    #[serde(borrow)]
    pub(super) substance_fr: Option<Cow<'a, str>>,
}

/// The JSON object of each of `count` descriptions: its fragments are fields after a comma.
pub(super) fn objects(fragments: &Strings, count: usize) -> impl Iterator<Item = String> {
    let width = fragments.len().checked_div(count).unwrap_or(0);
    (0..count).map(move |number| {
        let places = number * width..(number + 1) * width;
        let fields: String = places.map(|place| fragments.get(place)).collect();
        format!("{{{}}}", fields.trim_start_matches(','))
    })
}
