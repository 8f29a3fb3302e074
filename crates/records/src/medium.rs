//! Where a release goes: the `Group` column of the NPRI file.

use crate::text;

/// The medium of a release.
///
/// Declared in the byte order of [`Medium::slug`], so that ordering media orders record ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Medium {
    /// To air.
    Air,
    /// The sum to all media, reported instead of a medium when it is under a tonne.
    AllMedia,
    /// To land.
    Land,
    /// To water bodies.
    Water,
}

impl Medium {
    /// Every medium, in the order of the slugs.
    pub const ALL: [Self; 4] = [Self::Air, Self::AllMedia, Self::Land, Self::Water];

    /// Slug, English name, French name.
    const fn names(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Self::Air => ("air", "Air", "Air"),
            Self::AllMedia => ("all-media", "All media (<1 tonne)", "Tous les milieux (<1 tonne)"),
            Self::Land => ("land", "Land", "Sol"),
            Self::Water => ("water", "Water", "Eau"),
        }
    }

    /// The last part of a record id.
    #[must_use]
    pub const fn slug(self) -> &'static str {
        self.names().0
    }

    /// The English name, as `medium_en` shows it.
    #[must_use]
    pub const fn name_en(self) -> &'static str {
        self.names().1
    }

    /// The French name, as `medium_fr` shows it.
    #[must_use]
    pub const fn name_fr(self) -> &'static str {
        self.names().2
    }

    /// Reads the English or the French `Group` of any edition of the NPRI file.
    #[must_use]
    pub fn parse(group: &str) -> Option<Self> {
        let words = text::tokens(group);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        match words.as_slice() {
            ["release" | "releases", "to", "air"] | ["rejet" | "rejets", "a", "air"] => {
                Some(Self::Air)
            }
            ["release" | "releases", "to", "water", "body" | "bodies"]
            | ["release" | "releases", "to", "water"]
            | ["rejet" | "rejets", "dans", .., "eau" | "eaux"]
            | ["rejet" | "rejets", "a", "eau"] => Some(Self::Water),
            ["release" | "releases", "to", "land"]
            | ["rejet" | "rejets", "au" | "dans", .., "sol"] => Some(Self::Land),
            ["sum", "of", "release" | "releases", "to", "all", "media", ..]
            | ["total", "des", "rejets", "dans", "tous", "les", "milieux", ..] => {
                Some(Self::AllMedia)
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_of_every_edition_are_read() {
        for (group, expected) in [
            ("Releases to Air", Some(Medium::Air)),
            ("Release to Air", Some(Medium::Air)),
            ("Rejets à l'air", Some(Medium::Air)),
            ("Rejets à l’air", Some(Medium::Air)),
            ("Releases to Water Bodies", Some(Medium::Water)),
            ("Rejets dans les plans d'eau", Some(Medium::Water)),
            ("Releases to Land", Some(Medium::Land)),
            ("Rejets au sol", Some(Medium::Land)),
            ("Sum of release to all media (<1tonne)", Some(Medium::AllMedia)),
            ("Total des rejets dans tous les milieux (<1tonne)", Some(Medium::AllMedia)),
            ("Disposals", None),
            ("", None),
        ] {
            assert_eq!(Medium::parse(group), expected, "{group:?}");
        }
    }

    #[test]
    fn media_are_declared_in_the_order_of_their_slugs() {
        assert!(Medium::ALL.is_sorted());
        assert!(Medium::ALL.map(Medium::slug).is_sorted());
    }
}
