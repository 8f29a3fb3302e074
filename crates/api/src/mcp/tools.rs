//! The tools: what each is for, and what it takes. Arguments are parameters of the API, by the same
//! names and with the same texts.

use outfall_records::{Doc, RecordKind};
use serde_json::{Map, Value, json};

use super::{LANGUAGE, LANGUAGES};
use crate::openapi::{doc, in_language, own_parameter};
use crate::params::table::{Name, PARAMETERS};
use crate::{Language, Parameter};

/// The number of records in an answer, and of values in each facet, unless the caller wants
/// another.
pub(super) const DEFAULT_LIMIT: u32 = 10;
/// The largest such number: an agent keeps the whole answer in its context.
pub(super) const MAX_LIMIT: u32 = 100;

/// Something that an agent may call.
#[derive(Debug)]
pub(super) struct Tool {
    pub(super) name: &'static str,
    title: Doc,
    description: Doc,
    pub(super) asks: Asks,
}

/// What a tool asks the index.
#[derive(Debug)]
pub(super) enum Asks {
    /// A page of records.
    Records(RecordKind),
    /// Counts and sums, without records.
    Counts(RecordKind),
    /// Several searches by one parameter.
    About(Name, &'static [Search]),
    /// Nothing.
    WhatIsServed,
}

/// One of several searches: its name in the answer, its kind, and what it adds to the argument.
pub(super) type Search = (&'static str, RecordKind, &'static [(&'static str, &'static str)]);

const OF_A_FACILITY: [Search; 3] = [
    ("releases", RecordKind::Release, &[("limit", "1"), ("facets", "year,medium")]),
    (
        "substances",
        RecordKind::Release,
        &[("limit", "0"), ("facets", "substance"), ("facet_sort", "sum"), ("facet_limit", "10")],
    ),
    ("emissions", RecordKind::Emission, &[("limit", "1"), ("facets", "year")]),
];

const OF_A_SUBSTANCE: [Search; 2] = [
    (
        "releases",
        RecordKind::Release,
        &[("limit", "1"), ("facets", "substance,year,medium,province"), ("facet_limit", "10")],
    ),
    (
        "facilities",
        RecordKind::Release,
        &[("limit", "0"), ("facets", "facility"), ("facet_sort", "sum"), ("facet_limit", "10")],
    ),
];

/// Every tool, in the order of the list.
pub(super) static TOOLS: [Tool; 7] = [
    Tool {
        name: "search_releases",
        title: Doc::new("Search pollutant releases", "Chercher des rejets de polluants"),
        description: Doc::new(
            "Finds records of releases to air, water and land (NPRI): one facility, year, substance \
             and medium each, with the exact quantity and its unit. `count` is the number of all \
             matches; `next_cursor` leads to more. To compare quantities in different units, set \
             value_unit.",
            "Trouve des enregistrements de rejets dans l’air, dans l’eau et sur le sol (INRP)\u{a0}: \
             une installation, une année, une substance et un milieu chacun, avec la quantité exacte \
             et son unité. `count` est le nombre de tous les résultats; `next_cursor` mène à la \
             suite. Pour comparer des quantités en unités différentes, donnez value_unit.",
        ),
        asks: Asks::Records(RecordKind::Release),
    },
    Tool {
        name: "search_emissions",
        title: Doc::new(
            "Search greenhouse-gas totals",
            "Chercher des totaux de gaz à effet de serre",
        ),
        description: Doc::new(
            "Finds greenhouse-gas totals (GHGRP): one facility and year each, with the total as \
             reported and each gas, in tonnes of CO2e. `count` is the number of all matches; \
             `next_cursor` leads to more.",
            "Trouve des totaux de gaz à effet de serre (PDGES)\u{a0}: une installation et une année \
             chacun, avec le total tel que déclaré et chaque gaz, en tonnes de CO2e. `count` est le \
             nombre de tous les résultats; `next_cursor` mène à la suite.",
        ),
        asks: Asks::Records(RecordKind::Emission),
    },
    Tool {
        name: "count_releases",
        title: Doc::new("Count and add up releases", "Compter et additionner des rejets"),
        description: Doc::new(
            "Counts all matching releases and adds up their masses by province, year, industry, \
             substance, medium, facility, company or unit: for totals, rankings (facet_sort=sum) and \
             charts. `year*medium` counts one facet inside another. `facet_info` says how many \
             values a list leaves out. Without facets it only counts.",
            "Compte tous les rejets qui répondent et additionne leurs masses par province, année, \
             industrie, substance, milieu, installation, entreprise ou unité\u{a0}: pour des totaux, \
             des classements (facet_sort=sum) et des graphiques. `year*medium` compte une facette \
             dans une autre. `facet_info` dit combien de valeurs une liste omet. Sans facets, il ne \
             fait que compter.",
        ),
        asks: Asks::Counts(RecordKind::Release),
    },
    Tool {
        name: "count_emissions",
        title: Doc::new("Count and add up emissions", "Compter et additionner des émissions"),
        description: Doc::new(
            "Counts all matching greenhouse-gas totals and adds up their tonnes of CO2e by province, \
             year, industry, facility or company: for totals, rankings (facet_sort=sum) and charts. \
             `facet_info` says how many values a list leaves out. Without facets it only counts.",
            "Compte tous les totaux de gaz à effet de serre qui répondent et additionne leurs tonnes \
             de CO2e par province, année, industrie, installation ou entreprise\u{a0}: pour des \
             totaux, des classements (facet_sort=sum) et des graphiques. `facet_info` dit combien de \
             valeurs une liste omet. Sans facets, il ne fait que compter.",
        ),
        asks: Asks::Counts(RecordKind::Emission),
    },
    Tool {
        name: "describe_facility",
        title: Doc::new("Describe a facility", "Décrire une installation"),
        description: Doc::new(
            "What is known of one facility in both inventories: its newest records with name, place, \
             company and industry, its releases and emissions by year, and the ten substances of \
             which it released the most. To find the id of a facility, search for its name with q.",
            "Ce qui est connu d’une installation dans les deux inventaires\u{a0}: ses enregistrements \
             les plus récents avec nom, lieu, entreprise et industrie, ses rejets et ses émissions \
             par année, et les dix substances dont elle a rejeté le plus. Pour trouver \
             l’identifiant d’une installation, cherchez son nom avec q.",
        ),
        asks: Asks::About(Name::FacilityId, &OF_A_FACILITY),
    },
    Tool {
        name: "describe_substance",
        title: Doc::new("Describe a substance", "Décrire une substance"),
        description: Doc::new(
            "What is known of the releases of one substance: its names and CAS RN, its releases by \
             year, medium and province, and the ten facilities that released the most. Words may \
             match several substances; the facet `substance` lists them.",
            "Ce qui est connu des rejets d’une substance\u{a0}: ses noms et son numéro CAS, ses \
             rejets par année, milieu et province, et les dix installations qui en ont rejeté le \
             plus. Des mots peuvent désigner plusieurs substances; la facette `substance` les \
             énumère.",
        ),
        asks: Asks::About(Name::Substance, &OF_A_SUBSTANCE),
    },
    Tool {
        name: "what_is_served",
        title: Doc::new("Say what is served", "Dire ce qui est servi"),
        description: Doc::new(
            "The official files behind the data with their editions, the number of records by year \
             and province, the licence and the attribution that it requires.",
            "Les fichiers officiels à l’origine des données avec leurs éditions, le nombre \
             d’enregistrements par année et par province, la licence et la mention qu’elle exige.",
        ),
        asks: Asks::WhatIsServed,
    },
];

/// The tool of that name.
pub(super) fn named(name: &str) -> Option<&'static Tool> {
    TOOLS.iter().find(|tool| tool.name == name)
}

/// Every tool, described for a model.
pub(super) fn list(language: Language) -> Value {
    in_language(&TOOLS.iter().map(Tool::definition).collect(), language)
}

impl Tool {
    /// Whether it takes the parameter.
    pub(super) fn takes(&self, parameter: &Parameter) -> bool {
        const OF_FACETS: [Name; 3] = [Name::Facets, Name::FacetSort, Name::FacetLimit];
        match &self.asks {
            Asks::Records(record_kind) => {
                parameter.is_on(*record_kind)
                    && parameter.is_of_records()
                    && parameter.id != Name::Format
                    && !OF_FACETS.contains(&parameter.id)
            }
            Asks::Counts(record_kind) => {
                parameter.is_on(*record_kind)
                    && parameter.is_of_records()
                    && (parameter.is_of_places() || OF_FACETS.contains(&parameter.id))
            }
            Asks::About(name, _) => parameter.id == *name,
            Asks::WhatIsServed => false,
        }
    }

    /// The kind of its records, or of the first of them.
    pub(super) fn record_kind(&self) -> Option<RecordKind> {
        match &self.asks {
            Asks::Records(record_kind) | Asks::Counts(record_kind) => Some(*record_kind),
            Asks::About(_, searches) => searches.first().map(|(_, record_kind, _)| *record_kind),
            Asks::WhatIsServed => None,
        }
    }

    fn definition(&self) -> Value {
        let mut properties = Map::new();
        if let Some(record_kind) = self.record_kind() {
            let taken = PARAMETERS.iter().filter(|parameter| self.takes(parameter));
            properties
                .extend(taken.map(|taken| (taken.name.to_owned(), property(taken, record_kind))));
        }
        properties.insert(
            LANGUAGE.to_owned(),
            json!({"type": "string", "enum": LANGUAGES, "description": doc(Doc::new(
                "the language of warnings and problems",
                "la langue des avertissements et des problèmes",
            ))}),
        );
        let mut schema =
            json!({"type": "object", "properties": properties, "additionalProperties": false});
        if let Asks::About(name, _) = &self.asks {
            schema["required"] = json!([PARAMETERS[*name as usize].name]);
        }
        json!({
            "name": self.name,
            "title": doc(self.title),
            "description": doc(self.description),
            "inputSchema": schema,
            "annotations": {
                "readOnlyHint": true, "destructiveHint": false,
                "idempotentHint": true, "openWorldHint": false,
            },
        })
    }
}

/// An argument, described as in OpenAPI, with the limits of tools.
fn property(parameter: &Parameter, record_kind: RecordKind) -> Value {
    let mut property = own_parameter(parameter, record_kind);
    if matches!(parameter.id, Name::Limit | Name::FacetLimit) {
        property["maximum"] = json!(MAX_LIMIT);
        property["default"] = json!(DEFAULT_LIMIT);
    }
    property
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_search_of_a_tool_is_one_of_the_api() {
        use crate::{CheckedRequest, Format, RawParams};

        for tool in &TOOLS {
            let Asks::About(name, searches) = &tool.asks else { continue };
            for (name_of_part, record_kind, added) in *searches {
                let parameter = &PARAMETERS[*name as usize];
                let pairs = [(parameter.name, parameter.example)];
                let raw = RawParams::from_pairs(
                    pairs.into_iter().chain(added.iter().copied()),
                    *record_kind,
                );
                let checked = CheckedRequest::new(*record_kind, raw, Format::Json);
                assert!(checked.is_ok(), "{} {name_of_part}", tool.name);
            }
        }
    }

    #[test]
    fn names_and_schemas_are_as_the_protocol_wants_them() {
        for language in [Language::English, Language::French] {
            let tools = list(language);
            for tool in tools.as_array().unwrap() {
                let name = tool["name"].as_str().unwrap();
                let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte == b'_';
                assert!(name.bytes().all(is_plain), "{name}");
                assert_eq!(tool["inputSchema"]["type"], "object");
                for (argument, schema) in tool["inputSchema"]["properties"].as_object().unwrap() {
                    let text = schema["description"].as_str().unwrap_or_default();
                    assert!(!text.is_empty(), "{name} {argument}");
                }
            }
        }
    }
}
