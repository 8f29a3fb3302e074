//! Recognises the kind of a file by its header, and the official files that are not read.

use super::column_key;

/// A kind of official file that is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FileKind {
    /// NPRI releases, the long table.
    NpriReleases,
    /// NPRI facility locations.
    NpriLocations,
    /// GHGRP emissions by gas.
    Ghgrp,
    /// CESI greenhouse gas emissions from large facilities.
    Cesi,
}

impl FileKind {
    /// The name in reports and in `/meta`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::NpriReleases => "npri-releases",
            Self::NpriLocations => "npri-locations",
            Self::Ghgrp => "ghgrp",
            Self::Cesi => "cesi",
        }
    }

    /// The kind of file, as part of a sentence.
    pub(crate) const fn described(self) -> &'static str {
        match self {
            Self::NpriReleases => "a file of NPRI releases",
            Self::NpriLocations => "a file of NPRI locations",
            Self::Ghgrp => "a file of GHGRP emissions",
            Self::Cesi => "a file of CESI large facilities",
        }
    }
}

pub(super) fn kind_of(keys: &[String]) -> Result<FileKind, &'static str> {
    let has = |name: &str| keys.iter().any(|key| *key == column_key(name));
    if has("annee") && keys.iter().any(|key| key == "id inrp") {
        return Err("it is the NPRI table of a single year (wide); take the bulk file \
                    `NPRI-INRP_ReleasesRejets_1993-present.csv` instead");
    }
    if keys.iter().any(|key| key.starts_with("comment type name")) {
        return Err("it is the NPRI file of comments; take \
                    `NPRI-INRP_ReleasesRejets_1993-present.csv` instead");
    }
    if keys.iter().any(|key| key.starts_with("off site disposal")) {
        return Err("it is the NPRI file of disposals and transfers; take \
                    `NPRI-INRP_ReleasesRejets_1993-present.csv` instead");
    }
    let is_pivoted =
        |key: &String| key.starts_with("release to air") || key.starts_with("releases to");
    // The cells of a long table without a header begin like that too.
    if has("reporting year") && keys.iter().any(is_pivoted) {
        return Err("it is the NPRI pivot table of releases; take the long table \
                    `NPRI-INRP_ReleasesRejets_1993-present.csv` instead");
    }
    if has("emission source") {
        return Err("it is the GHGRP file of emissions by source; take the one by gas, \
                    `PDGES-GHGRP-GHGEmissionsGES-2004-Present.csv`, instead");
    }
    if has("group english") || (has("cas number") && has("quantity")) {
        return Ok(FileKind::NpriReleases);
    }
    if has("ghgrp id no") || has("reporting company legal name") {
        return Ok(FileKind::Ghgrp);
    }
    if has("industry classification link") || (has("facility id") && has("report year")) {
        return Ok(FileKind::Cesi);
    }
    if has("year of last filed report") || has("lastreport") {
        return Ok(FileKind::NpriLocations);
    }
    Err(
        "its first line is not the header of NPRI releases, NPRI locations, GHGRP emissions by gas \
         or CESI large facilities",
    )
}
