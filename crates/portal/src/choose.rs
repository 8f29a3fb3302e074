//! Chooses the official files among what datasets list: by name, and by format. The header of the
//! downloaded file decides.

use std::cmp::Reverse;

use outfall_indexer::FileKind;

use crate::{Portal, PortalError, Resource};

/// A file that is published for a dataset; `docs/data.md` describes each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OfficialFile {
    /// Its kind, which its header must show.
    pub kind: FileKind,
    /// The id of the dataset that lists it.
    pub dataset: &'static str,
    /// Its name in the edition of 2024.
    pub name: &'static str,
    /// Parts of the file names of its editions, in lower case; one is enough.
    marks: &'static [&'static str],
    /// Words that its title has, in lower case: all of one list, in English or in French.
    titles: [&'static [&'static str]; 2],
}

const NPRI: &str = "40e01423-7728-429c-ac9d-2954385ccdfb";
const GHGRP: &str = "a8ba14b7-7f23-462a-bdbb-83b0ef629823";

/// The files that an index is built from.
pub const OFFICIAL_FILES: [OfficialFile; 3] = [
    OfficialFile {
        kind: FileKind::NpriReleases,
        dataset: NPRI,
        name: "NPRI-INRP_ReleasesRejets_1993-present.csv",
        marks: &["releasesrejets", "subsrele-normalized"],
        titles: [&["releases", "present"], &["rejets", "présent"]],
    },
    OfficialFile {
        kind: FileKind::NpriLocations,
        dataset: NPRI,
        name: "NPRI-INRP_GeolocationsGeolocalisation_1993-present.csv",
        marks: &["geolocationsgeolocalisation"],
        titles: [&["geolocation", "present"], &["géolocalisation", "présent"]],
    },
    OfficialFile {
        kind: FileKind::Ghgrp,
        dataset: GHGRP,
        name: "PDGES-GHGRP-GHGEmissionsGES-2004-Present.csv",
        marks: &["ghgemissionsges"],
        titles: [&["emissions", "gas", "present"], &["émissions", "gaz", "présent"]],
    },
];

/// Parts of the names of files that cover all years.
const ALL_YEARS: [&str; 2] = ["present", "since199"];
/// The endings and the names of formats that can be read, in lower case.
const READABLE: [&str; 4] = ["csv", "zip", "gz", "gzip"];
/// The endings of files that cannot be read, whatever the portal calls their format.
const UNREADABLE: [&str; 8] = ["xlsx", "xls", "pdf", "html", "htm", "json", "xml", "mdb"];

/// An official file, and the resources that may be it, the likeliest first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The file.
    pub file: OfficialFile,
    /// At least one.
    pub candidates: Vec<Resource>,
}

impl Portal {
    /// Finds every official file.
    ///
    /// # Errors
    /// [`PortalError::NotListed`] and those of asking.
    pub fn find(&self) -> Result<Vec<Found>, PortalError> {
        let npri = self.resources(NPRI)?;
        let ghgrp = self.resources(GHGRP)?;
        let found = OFFICIAL_FILES.into_iter().map(|file| {
            let listed = if file.dataset == NPRI { &npri } else { &ghgrp };
            let candidates = file.candidates(listed);
            if candidates.is_empty() {
                let names: Vec<String> =
                    listed.iter().map(|listed| format!("`{}`", listed.file_name())).collect();
                return Err(PortalError::NotListed {
                    portal: self.url().to_owned(),
                    dataset: file.dataset,
                    wanted: file.name,
                    listed: if names.is_empty() { "nothing".into() } else { names.join(", ") },
                });
            }
            Ok(Found { file, candidates })
        });
        found.collect()
    }
}

impl OfficialFile {
    /// The resources that may be this file, the likeliest first, each address once.
    fn candidates(&self, listed: &[Resource]) -> Vec<Resource> {
        let mut likely: Vec<(u8, &Resource)> = Vec::new();
        for resource in listed {
            let likeness = self.likeness(resource);
            if likeness > 0 && !likely.iter().any(|(_, known)| known.url == resource.url) {
                likely.push((likeness, resource));
            }
        }
        // Stable: of equals, the one that is listed first.
        likely.sort_by_key(|(likeness, _)| Reverse(*likeness));
        likely.into_iter().map(|(_, resource)| resource.clone()).collect()
    }

    /// How well a resource matches this file; 0 if it cannot be the file.
    fn likeness(&self, resource: &Resource) -> u8 {
        let name = resource.file_name().to_lowercase();
        let format = resource.format.to_lowercase();
        let ending = name.rsplit('.').next().unwrap_or_default();
        // Some addresses end in the name of the script that sends a file, not in that of the file.
        let is_readable = READABLE.contains(&ending)
            || READABLE.contains(&format.as_str()) && !UNREADABLE.contains(&ending);
        if !is_readable {
            return 0;
        }
        let is_marked = self.marks.iter().any(|mark| name.contains(mark));
        let has_all_years = ALL_YEARS.iter().any(|words| name.contains(words));
        let title = resource.names.join(" ").to_lowercase();
        let is_entitled =
            self.titles.iter().any(|words| words.iter().all(|word| title.contains(word)));
        match (is_marked, has_all_years, is_entitled) {
            (true, true, _) => 3,
            (true, false, true) => 2,
            (true, false, false) | (false, _, true) => 1,
            (false, _, false) => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_chosen_by_name_and_format() {
        let of_all_years = "NPRI-INRP_ReleasesRejets_1993-present";
        let listed: Vec<Resource> = [
            ("Data dictionary", "PDF", "dictionary.pdf"),
            ("Releases 2023", "CSV", "NPRI-INRP_ReleasesRejets_2023.csv"),
            ("Releases", "CSV", &format!("{of_all_years}.xlsx")),
            ("Releases (1993-present)", "csv", &format!("api?path=%2Fnpri%2F{of_all_years}.csv")),
            ("Rejets", "ZIP", &format!("{of_all_years}.zip")),
            ("Disposals to present", "CSV", "DisposalsEliminations_1993-present.csv"),
            ("Emissions by gas, 2004 to present", "CSV", "download?id=7"),
            ("Émissions par gaz, 2004 à présent", "CSV", "download?id=8"),
            ("Emissions by gas, 2004 to present", "XLSX", "download?id=9"),
            ("Géolocalisation de 1993 à présent", "CSV", "fichier.csv"),
        ]
        .map(|(name, format, path)| Resource {
            names: vec![name.to_owned()],
            format: format.to_owned(),
            url: format!("https://x.example/{path}"),
        })
        .into();
        for (file, expected) in OFFICIAL_FILES.iter().zip([&[3, 4, 1][..], &[9], &[6, 7]]) {
            let found: Vec<usize> = file
                .candidates(&listed)
                .iter()
                .filter_map(|found| listed.iter().position(|known| known == found))
                .collect();
            assert_eq!(found, expected, "{}", file.name);
        }
    }
}
