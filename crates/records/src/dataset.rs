//! The sources and the contents of one published index.

use std::collections::BTreeMap;
use std::time::SystemTime;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The identity and the contents of one published index.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DatasetInfo {
    /// Made from records and sources: changes whenever an answer could change, and is the same in
    /// every build of the same files. Safe inside a quoted `ETag`.
    #[schemars(extend(
        "x-fr" = "Établi à partir des enregistrements et des sources\u{a0}: change dès qu’une \
                  réponse pourrait changer, et reste le même chaque fois que les mêmes fichiers \
                  sont traités. Peut servir tel quel dans un `ETag`."
    ))]
    pub build_id: String,
    /// When it was published, if known; not part of its identity, and not stored.
    #[serde(skip)]
    pub published: Option<SystemTime>,
    /// The official files that it was built from, in the order given.
    #[schemars(extend(
        "x-fr" = "Les fichiers officiels à l’origine de l’index, dans l’ordre donné."
    ))]
    pub sources: Vec<SourceInfo>,
    /// Its records, by the name of the kind.
    #[schemars(extend("x-fr" = "Ses enregistrements, par type."))]
    pub kinds: BTreeMap<String, KindInfo>,
}

/// One official file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(extend("x-fr" = "Un fichier officiel."))]
#[schemars(rename = "Source")]
pub struct SourceInfo {
    /// The file's own name, without its folder.
    #[schemars(extend("x-fr" = "Le nom du fichier, sans son dossier."))]
    pub name: String,
    /// The kind, by its header: `npri-releases`, `npri-locations`, `ghgrp`, `cesi`.
    #[schemars(extend(
        "x-fr" = "Le type, d’après l’en-tête\u{a0}: `npri-releases`, `npri-locations`, `ghgrp`, \
                  `cesi`."
    ))]
    #[schemars(extend("enum" = ["npri-releases", "npri-locations", "ghgrp", "cesi"]))]
    pub kind: String,
    /// The edition, by its header, as a text for people.
    #[schemars(extend("x-fr" = "L’édition, d’après l’en-tête, en texte destiné aux personnes."))]
    pub vintage: String,
    /// Bytes on disk, before decompression.
    #[schemars(extend("x-fr" = "Octets sur le disque, avant décompression."))]
    pub bytes: u64,
    /// SHA-256 of those bytes, in hexadecimal.
    #[schemars(extend("x-fr" = "SHA-256 de ces octets, en hexadécimal."))]
    #[schemars(regex(pattern = r"^[0-9a-f]{64}$"))]
    pub sha256: String,
    /// SHA-256 of the unpacked bytes; the same unless the file is packed.
    #[schemars(extend(
        "x-fr" = "SHA-256 des octets décompressés; le même, sauf si le fichier est compressé."
    ))]
    #[schemars(regex(pattern = r"^[0-9a-f]{64}$"))]
    pub unpacked_sha256: String,
    /// Rows read, header not counted.
    #[schemars(extend("x-fr" = "Lignes lues, sans compter l’en-tête."))]
    pub rows: u64,
    /// Rows that became part of a record.
    #[schemars(extend("x-fr" = "Lignes qui font partie d’un enregistrement."))]
    pub accepted: u64,
    /// Rows that did not, by the code of the reason.
    #[schemars(extend("x-fr" = "Lignes rejetées, par code du motif."))]
    pub rejected: BTreeMap<String, u64>,
}

/// The records of one kind.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(extend("x-fr" = "Les enregistrements d’un type."))]
#[schemars(rename = "Kind")]
pub struct KindInfo {
    /// The number of records.
    #[schemars(extend("x-fr" = "Le nombre d’enregistrements."))]
    pub records: u64,
    /// Records by reporting year.
    #[schemars(extend("x-fr" = "Enregistrements par année de déclaration."))]
    pub years: BTreeMap<u16, u64>,
    /// Records by province code; those of no province under the empty text.
    #[schemars(extend(
        "x-fr" = "Enregistrements par code de province; sous un texte vide, ceux qui n’en ont pas."
    ))]
    pub provinces: BTreeMap<String, u64>,
}
