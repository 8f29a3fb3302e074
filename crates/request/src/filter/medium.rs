//! `medium=`: where a release went.

use outfall_records::text::tokens;
use outfall_records::{Medium, Record};

use super::Filter;
use crate::reference::FilteredRecord;

/// One `medium=`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MediumFilter(pub Medium);

impl MediumFilter {
    /// The ids of the media, as a `record_id` ends.
    pub const IDS: [&'static str; 4] =
        [Medium::Air.slug(), Medium::Water.slug(), Medium::Land.slug(), Medium::AllMedia.slug()];

    /// Reads the id of a medium, or its English or French name, with or without `(<1 tonne)`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let sought = tokens(text);
        let is_sought = |medium: &Medium| {
            let names = [medium.slug(), medium.name_en(), medium.name_fr()];
            let short = names.map(|name| name.split(" (").next().unwrap_or(name));
            names.into_iter().chain(short).any(|name| tokens(name) == sought)
        };
        Medium::ALL.into_iter().find(is_sought).map(Self)
    }
}

impl Filter for MediumFilter {
    const NAME: &'static str = "medium";

    fn canonical(&self) -> String {
        self.0.slug().to_owned()
    }

    fn passes(&self, record: &FilteredRecord<'_>) -> bool {
        match record.record() {
            Record::Release(release) => release.medium == self.0,
            Record::Emission(_) => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn media_are_read_by_id_and_by_name() {
        for (text, expected) in [
            ("air", Some(Medium::Air)),
            ("AIR", Some(Medium::Air)),
            ("Water", Some(Medium::Water)),
            ("eau", Some(Medium::Water)),
            ("sol", Some(Medium::Land)),
            ("all-media", Some(Medium::AllMedia)),
            ("all media (<1 tonne)", Some(Medium::AllMedia)),
            ("Tous les milieux", Some(Medium::AllMedia)),
            ("tous les milieux (<1 tonne)", Some(Medium::AllMedia)),
            ("(<1 tonne)", None),
            ("air (<1 tonne)", None),
            ("soil", None),
            ("media", None),
            ("-", None),
        ] {
            assert_eq!(MediumFilter::parse(text).map(|filter| filter.0), expected, "{text}");
        }
        for id in MediumFilter::IDS {
            assert_eq!(
                MediumFilter::parse(id).map(|filter| filter.canonical()).as_deref(),
                Some(id)
            );
        }
    }
}
