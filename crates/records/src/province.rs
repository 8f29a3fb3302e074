//! The thirteen provinces and territories.

use crate::text;

/// A province or territory of Canada.
///
/// Declared in the order of the codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "the variants are the official two-letter codes")]
pub enum Province {
    Ab,
    Bc,
    Mb,
    Nb,
    Nl,
    Ns,
    Nt,
    Nu,
    On,
    Pe,
    Qc,
    Sk,
    Yt,
}

impl Province {
    /// All thirteen, in the order of their codes.
    pub const ALL: [Self; 13] = [
        Self::Ab,
        Self::Bc,
        Self::Mb,
        Self::Nb,
        Self::Nl,
        Self::Ns,
        Self::Nt,
        Self::Nu,
        Self::On,
        Self::Pe,
        Self::Qc,
        Self::Sk,
        Self::Yt,
    ];

    /// Code, English name, French name.
    const fn names(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Self::Ab => ("AB", "Alberta", "Alberta"),
            Self::Bc => ("BC", "British Columbia", "Colombie-Britannique"),
            Self::Mb => ("MB", "Manitoba", "Manitoba"),
            Self::Nb => ("NB", "New Brunswick", "Nouveau-Brunswick"),
            Self::Nl => ("NL", "Newfoundland and Labrador", "Terre-Neuve-et-Labrador"),
            Self::Ns => ("NS", "Nova Scotia", "Nouvelle-Écosse"),
            Self::Nt => ("NT", "Northwest Territories", "Territoires du Nord-Ouest"),
            Self::Nu => ("NU", "Nunavut", "Nunavut"),
            Self::On => ("ON", "Ontario", "Ontario"),
            Self::Pe => ("PE", "Prince Edward Island", "Île-du-Prince-Édouard"),
            Self::Qc => ("QC", "Quebec", "Québec"),
            Self::Sk => ("SK", "Saskatchewan", "Saskatchewan"),
            Self::Yt => ("YT", "Yukon", "Yukon"),
        }
    }

    /// The two-letter code.
    #[must_use]
    pub const fn code(self) -> &'static str {
        self.names().0
    }

    /// The province whose code is exactly `code`.
    #[must_use]
    pub fn of_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|province| province.code() == code)
    }

    /// The English name.
    #[must_use]
    pub const fn name_en(self) -> &'static str {
        self.names().1
    }

    /// The French name.
    #[must_use]
    pub const fn name_fr(self) -> &'static str {
        self.names().2
    }

    /// Reads a code or a name in either language: any case, accents and hyphens optional.
    ///
    /// Former codes are read too: `PQ` for Quebec and `NF` for Newfoundland.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let key = text::tokens(text).concat();
        match key.as_str() {
            "" => None,
            "pq" => Some(Self::Qc),
            "nf" | "newfoundland" => Some(Self::Nl),
            "yukonterritory" | "territoireduyukon" => Some(Self::Yt),
            _ => Self::ALL.into_iter().find(|province| {
                let (code, name_en, name_fr) = province.names();
                [code, name_en, name_fr].iter().any(|name| text::tokens(name).concat() == key)
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_and_names_are_read_in_any_spelling() {
        for (text, expected) in [
            ("qc", Some(Province::Qc)),
            ("Québec", Some(Province::Qc)),
            ("quebec", Some(Province::Qc)),
            ("PQ", Some(Province::Qc)),
            ("NF", Some(Province::Nl)),
            ("newfoundland and labrador", Some(Province::Nl)),
            ("Newfoundland & Labrador", Some(Province::Nl)),
            ("terre neuve et labrador", Some(Province::Nl)),
            ("colombie britannique", Some(Province::Bc)),
            ("British-Columbia", Some(Province::Bc)),
            ("ile du prince edouard", Some(Province::Pe)),
            ("NOUVELLE-ECOSSE", Some(Province::Ns)),
            ("territoires du nord ouest", Some(Province::Nt)),
            (" on ", Some(Province::On)),
            ("ZZ", None),
            ("", None),
            ("--", None),
        ] {
            assert_eq!(Province::parse(text), expected, "{text:?}");
        }
    }

    #[test]
    fn every_own_name_is_read_back() {
        for province in Province::ALL {
            for name in [province.code(), province.name_en(), province.name_fr()] {
                assert_eq!(Province::parse(name), Some(province), "{name}");
            }
        }
        assert!(Province::ALL.map(Province::code).is_sorted());
    }
}
