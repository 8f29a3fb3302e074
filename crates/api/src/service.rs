//! The answers of the service about itself: what there is, whether it can answer, what it serves.

use std::time::SystemTime;

use outfall_records::DatasetInfo;
use schemars::JsonSchema;
use serde::Serialize;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use crate::Language;

/// This program.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[schemars(extend("x-fr" = "Ce programme."))]
#[schemars(inline)]
struct ServiceInfo {
    #[schemars(extend("const" = "outfall"))]
    name: &'static str,
    version: &'static str,
}

const SERVICE: ServiceInfo = ServiceInfo { name: "outfall", version: env!("CARGO_PKG_VERSION") };

/// The operations: the answer at `/`.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[schemars(extend("x-fr" = "Les opérations\u{a0}: la réponse à `/`."))]
pub struct Index {
    service: ServiceInfo,
    #[schemars(extend("format" = "uri-reference"))]
    documentation: &'static str,
    #[schemars(with = "Vec<Operation>")]
    operations: [Operation; 10],
}

#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[schemars(inline)]
struct Operation {
    path: &'static str,
    summary: &'static str,
    needs_key: bool,
}

const fn operation(path: &'static str, summary: &'static str, needs_key: bool) -> Operation {
    Operation { path, summary, needs_key }
}

impl Index {
    /// The paths of the operations.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &'static str> + use<> {
        self.operations.map(|operation| operation.path).into_iter()
    }
}

/// The answer at `/`.
pub const INDEX: Index = Index {
    service: SERVICE,
    documentation: "/docs",
    operations: [
        operation("/release", "search pollutant releases (NPRI)", true),
        operation("/emission", "search facility greenhouse-gas totals (GHGRP)", true),
        operation("/release/places", "where the facilities of matching releases are", true),
        operation("/emission/places", "where the facilities of matching emissions are", true),
        operation("/mcp", "the searches for agents: the Model Context Protocol, by POST", true),
        operation("/meta", "what is served: sources, counts, licence, attribution", false),
        operation("/docs", "this service described for people, who can try it there", false),
        operation("/openapi.json", "this service described for programs (OpenAPI 3.1)", false),
        operation("/health/live", "whether the process lives", false),
        operation("/health/ready", "whether there is an index to search", false),
    ],
};

/// Whether the service lives, and whether it can answer.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(extend("x-fr" = "Indique si le service est en vie et s’il peut répondre."))]
pub struct Health<'a> {
    /// `degraded` means that something on disk cannot be read, and that the service answers with
    /// what it read before.
    #[schemars(extend(
        "x-fr" = "`degraded` signifie qu’une chose sur le disque ne peut être lue, et que le \
                  service répond avec ce qu’il a lu auparavant."
    ))]
    pub status: Status,
    /// The identity of the data that is served.
    #[schemars(extend("x-fr" = "Identifiant des données servies."))]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub build_id: Option<&'a str>,
    /// Why it is degraded; the log says more.
    #[schemars(extend("x-fr" = "Pourquoi il est dégradé; le journal en dit plus."))]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reasons: Vec<DegradedReason>,
}

/// The state of a service.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(inline)]
pub enum Status {
    /// The process answers.
    #[schemars(extend("x-fr" = "Le processus répond."))]
    Live,
    /// There is an index to search.
    #[schemars(extend("x-fr" = "Il y a un index à interroger."))]
    Ready,
    /// There is one, but it or the keys may be outdated.
    #[schemars(extend("x-fr" = "Il y en a un, mais lui ou les clés peuvent être périmés."))]
    Degraded,
}

/// Why a service is degraded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(extend("x-fr" = "Pourquoi un service est dégradé."))]
#[serde(rename_all = "kebab-case")]
#[schemars(inline)]
pub enum DegradedReason {
    /// The published index cannot be served; an older one answers.
    #[schemars(extend("x-fr" = "L’index publié ne peut être servi; un plus ancien répond."))]
    IndexUnreadable,
    /// The key file cannot be read; changes of keys are not followed.
    #[schemars(extend(
        "x-fr" = "Le fichier des clés ne peut être lu; les changements de clés ne sont pas \
                  suivis."
    ))]
    KeyFileUnreadable,
}

/// What is served: the dataset, its source files and its licence.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(extend(
    "x-fr" = "Ce qui est servi\u{a0}: le jeu de données, ses fichiers sources et sa licence."
))]
pub struct Meta<'a> {
    #[serde(flatten)]
    dataset: &'a DatasetInfo,
    /// When the index was published, RFC 3339 in UTC; no part of `build_id`.
    #[schemars(extend(
        "x-fr" = "Moment de la publication de l’index, RFC 3339 en UTC; ne fait pas partie de \
                  `build_id`."
    ))]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", extend("format" = "date-time"))]
    built_at: Option<String>,
    licence: Licence,
    attribution: Attribution,
    service: ServiceInfo,
}

impl<'a> Meta<'a> {
    /// The answer about a dataset.
    #[must_use]
    pub fn new(dataset: &'a DatasetInfo) -> Self {
        let built_at = dataset.published.and_then(to_the_second);
        Self { dataset, built_at, licence: LICENCE, attribution: ATTRIBUTION, service: SERVICE }
    }
}

fn to_the_second(time: SystemTime) -> Option<String> {
    let time = OffsetDateTime::from(time).replace_nanosecond(0).ok()?;
    time.format(&Rfc3339).ok()
}

/// The source of the records, which anybody who quotes them must name.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Source {
    attribution: &'static str,
    licence: &'static str,
    licence_url: &'static str,
}

impl Source {
    /// The source in this language.
    pub(crate) fn in_language(language: Language) -> Self {
        Self {
            attribution: language.choose([ATTRIBUTION.en, ATTRIBUTION.fr]),
            licence: LICENCE.name,
            licence_url: LICENCE.url,
        }
    }
}

/// The licence of the data.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[schemars(extend("x-fr" = "La licence des données."))]
#[schemars(inline)]
struct Licence {
    name: &'static str,
    #[schemars(url)]
    url: &'static str,
}

/// The attribution that the licence requires.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[schemars(extend("x-fr" = "La mention de source que la licence exige."))]
#[schemars(inline)]
struct Attribution {
    en: &'static str,
    fr: &'static str,
}

const LICENCE: Licence = Licence {
    name: "Open Government Licence – Canada",
    url: "https://open.canada.ca/en/open-government-licence-canada",
};

const ATTRIBUTION: Attribution = Attribution {
    en: "Contains information licensed under the Open Government Licence – Canada. Source: \
         Environment and Climate Change Canada, National Pollutant Release Inventory and Greenhouse \
         Gas Reporting Program.",
    fr: "Contient de l’information visée par la Licence du gouvernement ouvert – Canada. Source : \
         Environnement et Changement climatique Canada, Inventaire national des rejets de polluants \
         et Programme de déclaration des gaz à effet de serre.",
};
