//! Abbreviations of pollutants: each is one more name of its substances.
//!
//! `docs/data.md` prints the table and names its sources.

use crate::SubstanceId;

/// An abbreviation, and the substances that it names.
#[derive(Debug, PartialEq, Eq)]
pub struct Abbreviation {
    /// Its usual spelling.
    pub spelling: &'static str,
    /// Its folded words.
    words: &'static [&'static str],
    /// The ids of its substances, in canonical form.
    pub substances: &'static [&'static str],
}

/// Every abbreviation; no two have the same folded words.
pub static ABBREVIATIONS: [Abbreviation; 22] = [
    abbreviation("NOx", &["nox"], &["11104-93-1"]),
    abbreviation("SO2", &["so", "2"], &["7446-09-5"]),
    abbreviation("SOx", &["sox"], &["7446-09-5"]),
    abbreviation("CO", &["co"], &["630-08-0"]),
    abbreviation("VOC", &["voc"], &["NA-M16"]),
    abbreviation("VOCs", &["vocs"], &["NA-M16"]),
    abbreviation("COV", &["cov"], &["NA-M16"]),
    abbreviation("COVs", &["covs"], &["NA-M16"]),
    abbreviation("TPM", &["tpm"], &["NA-M08"]),
    abbreviation("PM", &["pm"], &["NA-M08", "NA-M09", "NA-M10"]),
    abbreviation("PM10", &["pm", "10"], &["NA-M09"]),
    abbreviation("PM2.5", &["pm", "2", "5"], &["NA-M10"]),
    abbreviation("H2S", &["h", "2", "s"], &["7783-06-4"]),
    abbreviation("NH3", &["nh", "3"], &["NA-16"]),
    abbreviation("HCl", &["hcl"], &["7647-01-0"]),
    abbreviation("HF", &["hf"], &["7664-39-3"]),
    abbreviation("H2SO4", &["h", "2", "so", "4"], &["7664-93-9"]),
    abbreviation("HCB", &["hcb"], &["118-74-1"]),
    abbreviation("PAH", &["pah"], &AROMATIC_HYDROCARBONS),
    abbreviation("PAHs", &["pahs"], &AROMATIC_HYDROCARBONS),
    abbreviation("HAP", &["hap"], &AROMATIC_HYDROCARBONS),
    abbreviation("HAPs", &["haps"], &AROMATIC_HYDROCARBONS),
];

/// Polycyclic aromatic hydrocarbons: the total, then the substances of Schedule 1, Part 2 of the
/// NPRI notice, in alphabetical order of their names there.
const AROMATIC_HYDROCARBONS: [&str; 30] = [
    "NA-PH",
    "83-32-9",
    "208-96-8",
    "56-55-3",
    "218-01-9",
    "50-32-8",
    "205-99-2",
    "192-97-2",
    "191-24-2",
    "205-82-3",
    "207-08-9",
    "226-36-8",
    "224-42-0",
    "53-70-3",
    "5385-75-1",
    "192-65-4",
    "189-64-0",
    "189-55-9",
    "191-30-0",
    "194-59-2",
    "57-97-6",
    "206-44-0",
    "86-73-7",
    "193-39-5",
    "56-49-5",
    "3697-24-3",
    "5522-43-0",
    "198-55-0",
    "85-01-8",
    "129-00-0",
];

const fn abbreviation(
    spelling: &'static str,
    words: &'static [&'static str],
    substances: &'static [&'static str],
) -> Abbreviation {
    Abbreviation { spelling, words, substances }
}

impl Abbreviation {
    /// The abbreviation that these folded words spell, all of them and literally: `cie` is not
    /// `CO`, although their tokens are the same.
    #[must_use]
    pub fn of_words(words: &[String]) -> Option<&'static Self> {
        ABBREVIATIONS.iter().find(|known| words == known.words)
    }

    /// Whether it names this substance.
    #[must_use]
    pub fn names(&self, substance: &SubstanceId) -> bool {
        self.substances.contains(&substance.as_str())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::text::words;

    fn named(text: &str) -> Option<&'static Abbreviation> {
        Abbreviation::of_words(&words(text))
    }

    #[test]
    fn each_is_found_by_its_spelling_alone() {
        let mut known = BTreeSet::new();
        for abbreviation in &ABBREVIATIONS {
            assert_eq!(words(abbreviation.spelling), abbreviation.words);
            assert_eq!(named(abbreviation.spelling), Some(abbreviation));
            assert!(known.insert(abbreviation.words), "{}", abbreviation.spelling);
            let mut ids = BTreeSet::new();
            for id in abbreviation.substances {
                assert_eq!(SubstanceId::parse(id).unwrap().as_str(), *id);
                assert!(ids.insert(id), "{}: {id}", abbreviation.spelling);
            }
        }
    }

    #[test]
    fn spellings_differ_in_case_and_punctuation_alone() {
        for (text, expected) in [
            ("so2 SO₂ SO-2 (SO2), So.2", Some("SO2")),
            ("PM2.5 PM2,5 pm₂.₅", Some("PM2.5")),
            ("CO co l'CO", Some("CO")),
            ("VOCs", Some("VOCs")),
            ("cie company CO2 SO 2 S-O2 vocx NOxs PM25 plant", None),
        ] {
            for word in text.split(' ') {
                let found = named(word).map(|found| found.spelling);
                assert_eq!(found, expected, "{word}");
            }
        }
    }

    /// The check digit at the end of a CAS RN reveals a slip.
    #[test]
    fn no_cas_number_has_a_slip() {
        for id in ABBREVIATIONS.iter().flat_map(|known| known.substances) {
            let id = SubstanceId::parse(id).unwrap();
            let Some(cas_number) = id.cas_number() else { continue };
            let digits: Vec<u32> = cas_number.chars().filter_map(|c| c.to_digit(10)).collect();
            let (check, others) = digits.split_last().unwrap();
            let sum: u32 = others.iter().rev().zip(1..).map(|(digit, weight)| digit * weight).sum();
            assert_eq!(sum % 10, *check, "{cas_number}");
        }
    }
}
