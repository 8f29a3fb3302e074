//! The fault of a parameter as a sentence, in both languages.

use outfall_records::{Province, RecordKind};
use outfall_request::text::{MAX_LENGTH, MAX_PHRASES, MAX_UNITS, ParseError};
use outfall_request::{BoundError, Facet};
use time::Month;

use super::place_texts;
use crate::Bilingual;
use crate::params::{CrossFault, ParameterFault};

/// The fault of the parameter called `name`, and how to correct it.
pub(super) fn detail(name: &str, fault: &ParameterFault) -> Bilingual {
    match fault {
        ParameterFault::NotUtf8 => Bilingual::new(
            format!("{name} must be UTF-8, percent-encoded."),
            format!("{name} doit être en UTF-8, encodé par pourcentage."),
        ),
        ParameterFault::TooLong { limit } => Bilingual::new(
            format!("{name} must have at most {limit} characters."),
            format!("{name} doit avoir au plus {limit} caractères."),
        ),
        ParameterFault::NotAProvince => not_a_province(name),
        ParameterFault::SeveralProvinces { first, second } => Bilingual::new(
            format!(
                "{name} takes one province; repeat it for each, as in {name}={first}&{name}={second}."
            ),
            format!(
                "{name} prend une seule province; répétez-le pour chacune, comme dans \
                 {name}={first}&{name}={second}."
            ),
        ),
        ParameterFault::NotANaicsCode => Bilingual::new(
            format!("{name} must be two to six digits, or one of 31-33, 44-45, 48-49."),
            format!("{name} doit avoir de deux à six chiffres, ou être 31-33, 44-45 ou 48-49."),
        ),
        ParameterFault::WithoutWord => Bilingual::new(
            format!("{name} must be a CAS RN, an NPRI code, or words of a substance's name."),
            format!(
                "{name} doit être un numéro CAS, un code de l’INRP ou des mots du nom d’une \
                 substance."
            ),
        ),
        ParameterFault::NotAFacet { record_kind, name: facet } => {
            not_a_facet(name, *record_kind, facet)
        }
        ParameterFault::NotACross(fault) => not_a_cross(name, fault),
        ParameterFault::NotANumber(error) => not_a_number(name, *error),
        ParameterFault::NotAnInteger { max } => Bilingual::new(
            format!("{name} must be a whole number between 0 and {max}."),
            format!("{name} doit être un nombre entier de 0 à {max}."),
        ),
        ParameterFault::IntegerOutOfRange { max } => Bilingual::new(
            format!("{name} must be between 0 and {max}."),
            format!("{name} doit être de 0 à {max}."),
        ),
        ParameterFault::NotACount | ParameterFault::NegativeCount => Bilingual::new(
            format!("{name} must be a whole number, 0 or more."),
            format!("{name} doit être un nombre entier, 0 ou plus."),
        ),
        ParameterFault::OffsetTooDeep { max } => Bilingual::new(
            format!(
                "{name} must be between 0 and {max}; to go deeper, send the next_cursor of a page \
                 as cursor."
            ),
            format!(
                "{name} doit être de 0 à {max}; pour aller plus loin, envoyez le next_cursor d’une \
                 page comme cursor."
            ),
        ),
        ParameterFault::NotADate => Bilingual::new(
            format!("{name} must be a date, YYYY-MM-DD, or a year, YYYY."),
            format!("{name} doit être une date, AAAA-MM-JJ, ou une année, AAAA."),
        ),
        ParameterFault::Place(fault) => place_texts::detail(name, *fault),
        ParameterFault::WithoutLetters => Bilingual::new(
            format!("{name} must be a name with letters or digits."),
            format!("{name} doit être un nom avec des lettres ou des chiffres."),
        ),
        ParameterFault::NotYears => Bilingual::new(
            format!("{name} must be a year of four digits, or a range such as 2010-2019."),
            format!(
                "{name} doit être une année de quatre chiffres, ou une période comme 2010-2019."
            ),
        ),
        ParameterFault::BackwardYears { first, last } => Bilingual::new(
            format!("{name} must begin with the earlier year: {last:04}-{first:04}."),
            format!("{name} doit commencer par la première année\u{a0}: {last:04}-{first:04}."),
        ),
        ParameterFault::NoSuchMonth => Bilingual::new(
            format!("{name} must be a date that exists: the months of a year are 01 to 12."),
            format!(
                "{name} doit être une date qui existe\u{a0}: les mois d’une année vont de 01 à 12."
            ),
        ),
        ParameterFault::NoSuchDay { year, month } => no_such_day(name, *year, *month),
        ParameterFault::NotAChoice(choices) => Bilingual::new(
            format!("{name} must be {}.", list(choices, "or")),
            format!("{name} doit être {}.", list(choices, "ou")),
        ),
        ParameterFault::Unknown { .. } => Bilingual::new("unknown parameter", "paramètre inconnu"),
        ParameterFault::UnknownFacility => Bilingual::new(
            "unknown parameter; facility_id takes the id of a facility, and q finds it by name",
            "paramètre inconnu; facility_id prend l’identifiant d’une installation, et q la trouve \
             par son nom",
        ),
        ParameterFault::NotApplicable { operation } => Bilingual::new(
            format!("{name} is a parameter of /{operation} only."),
            format!("{name} est un paramètre de /{operation} seulement."),
        ),
        ParameterFault::OfRecords { operation } => Bilingual::new(
            format!(
                "{name} is a parameter of /{operation}; /{operation}/places always has every \
                 facility of the matches."
            ),
            format!(
                "{name} est un paramètre de /{operation}; /{operation}/places donne toujours \
                 toutes les installations des résultats."
            ),
        ),
        ParameterFault::OfPlaces { operation } => Bilingual::new(
            format!("{name} is a parameter of /{operation}/places only; the sums here are exact."),
            format!(
                "{name} est un paramètre de /{operation}/places seulement; les sommes sont ici \
                 exactes."
            ),
        ),
        ParameterFault::NotOfTool { tool } => Bilingual::new(
            format!("{name} is not an argument of {tool}."),
            format!("{name} n’est pas un argument de {tool}."),
        ),
        ParameterFault::NotPlain => Bilingual::new(
            format!("{name} must be a text, a number, or a list of these."),
            format!("{name} doit être un texte, un nombre ou une liste de ceux-ci."),
        ),
        ParameterFault::Required => {
            Bilingual::new(format!("{name} must be given."), format!("{name} doit être donné."))
        }
        ParameterFault::Repeated => Bilingual::new(
            format!("{name} may be given once."),
            format!("{name} ne peut être donné qu’une fois."),
        ),
        ParameterFault::SpellingsDiffer { other } => Bilingual::new(
            format!("{name} and {other} are the same parameter; give one, or the same year twice."),
            format!(
                "{name} et {other} sont le même paramètre; donnez-en un, ou deux fois la même \
                 année."
            ),
        ),
        ParameterFault::CursorWithOffset => Bilingual::new(
            format!("A cursor has its own position; leave {name} out."),
            format!("Un curseur a sa propre position; omettez {name}."),
        ),
        ParameterFault::CursorWithExport => Bilingual::new(
            format!("A file holds every match in one answer; leave {name} out."),
            format!("Un fichier contient tous les résultats en une réponse; omettez {name}."),
        ),
        ParameterFault::FacetsWithExport => Bilingual::new(
            format!("A file has records alone; leave {name} out, or ask for a page with limit=0."),
            format!(
                "Un fichier ne contient que des enregistrements; omettez {name}, ou demandez une \
                 page avec limit=0."
            ),
        ),
        ParameterFault::RelevanceWithoutText => Bilingual::new(
            "Only a request with words in q can be sorted by relevance.",
            "Seule une requête avec des mots dans q peut être triée par pertinence.",
        ),
        ParameterFault::EmptyRange { other, other_value } => {
            let other_value: String = other_value.chars().take(40).collect();
            Bilingual::new(
                format!("{name} must not be greater than {other}, which is {other_value}."),
                format!("{name} ne doit pas dépasser {other}, qui est {other_value}."),
            )
        }
        ParameterFault::TooComplex(error) => too_complex(name, *error),
        ParameterFault::DamagedCursor => Bilingual::new(
            format!(
                "{name} must be a next_cursor exactly as it was given; to start over, leave it out."
            ),
            format!(
                "{name} doit être un next_cursor exactement tel qu’il a été donné; pour \
                 recommencer, omettez-le."
            ),
        ),
        ParameterFault::CursorMismatch(differences) => {
            let differences = differences.join(", ");
            Bilingual::new(
                format!(
                    "{name} belongs to another query, which differs in {differences}; repeat the \
                     query that gave it, or leave it out."
                ),
                format!(
                    "{name} appartient à une autre requête, qui diffère par {differences}; répétez \
                     la requête qui l’a donné, ou omettez-le."
                ),
            )
        }
    }
}

/// The months in French, in their order.
const MONTHS: [&str; 12] = [
    "janvier",
    "février",
    "mars",
    "avril",
    "mai",
    "juin",
    "juillet",
    "août",
    "septembre",
    "octobre",
    "novembre",
    "décembre",
];

fn no_such_day(name: &str, year: u16, month: Month) -> Bilingual {
    let days = month.length(year.into());
    let french = MONTHS[usize::from(u8::from(month)) - 1];
    Bilingual::new(
        format!(
            "{name} must be a date that exists: {month} {year:04} has {days} days, 01 to {days}."
        ),
        format!(
            "{name} doit être une date qui existe\u{a0}: {french} {year:04} compte {days} jours, du \
             01 au {days}."
        ),
    )
}

fn not_a_province(name: &str) -> Bilingual {
    let english =
        Province::ALL.map(|province| format!("{} ({})", province.code(), province.name_en()));
    let french =
        Province::ALL.map(|province| format!("{} ({})", province.code(), province.name_fr()));
    Bilingual::new(
        format!("{name} must be a code or an English or French name of {}.", list(&english, "or")),
        format!(
            "{name} doit être un code ou un nom, anglais ou français, parmi\u{a0}: {}.",
            list(&french, "ou")
        ),
    )
}

fn not_a_facet(name: &str, record_kind: RecordKind, facet: &str) -> Bilingual {
    let known: Vec<&str> = Facet::of(record_kind).map(Facet::name).collect();
    let facet: String = facet.chars().take(40).collect();
    Bilingual::new(
        format!(
            "{name} of /{record_kind} must be any of {}, with commas between; {facet} is none of them.",
            list(&known, "or")
        ),
        format!(
            "{name} de /{record_kind} doit être parmi {}, séparés par des virgules; {facet} n’en est \
             pas.",
            list(&known, "et")
        ),
    )
}

fn not_a_cross(name: &str, fault: &CrossFault) -> Bilingual {
    match fault {
        CrossFault::NotTwo { record_kind, given } => {
            let example = example_cross(*record_kind);
            let given: String = given.chars().take(40).collect();
            Bilingual::new(
                format!(
                    "A crossed facet in {name} is two facets with one * between, such as \
                     {example}; {given} is not."
                ),
                format!(
                    "Une facette croisée dans {name} est faite de deux facettes séparées par un *, \
                     comme {example}; {given} ne l’est pas."
                ),
            )
        }
        CrossFault::Same { record_kind, facet } => {
            let (facet, example) = (facet.name(), example_cross(*record_kind));
            Bilingual::new(
                format!(
                    "The two facets of a crossed facet in {name} must differ, as in {example}; \
                     {facet}*{facet} has one twice."
                ),
                format!(
                    "Les deux facettes d’une facette croisée dans {name} doivent différer, comme \
                     dans {example}; {facet}*{facet} a deux fois la même."
                ),
            )
        }
        CrossFault::OuterNotShort { record_kind, outer, inner } => {
            let short = Facet::of(*record_kind).filter(|facet| facet.is_short());
            let short: Vec<&str> = short.map(Facet::name).collect();
            let (outer, inner) = (outer.name(), inner.name());
            let given = format!("{outer}*{inner}");
            Bilingual::new(
                format!(
                    "A crossed facet in {name} must begin with {}; {given} begins with {outer}.",
                    list(&short, "or")
                ),
                format!(
                    "Une facette croisée dans {name} doit commencer par {}; {given} commence par \
                     {outer}.",
                    list(&short, "ou")
                ),
            )
        }
        CrossFault::Two { first, second } => Bilingual::new(
            format!(
                "{name} may hold one crossed facet; ask for {first} and {second} in two requests."
            ),
            format!(
                "{name} ne peut contenir qu’une facette croisée; demandez {first} et {second} en \
                 deux requêtes."
            ),
        ),
    }
}

/// A crossed facet that the operation has.
const fn example_cross(record_kind: RecordKind) -> &'static str {
    match record_kind {
        RecordKind::Release => "year*medium",
        RecordKind::Emission => "year*province",
    }
}

fn not_a_number(name: &str, error: BoundError) -> Bilingual {
    match error {
        BoundError::NotANumber => Bilingual::new(
            format!("{name} must be a decimal number such as 12, 0.5 or 1e6."),
            format!("{name} doit être un nombre décimal comme 12, 0.5 ou 1e6."),
        ),
        BoundError::NotFinite => Bilingual::new(
            format!("{name} must be a finite number."),
            format!("{name} doit être un nombre fini."),
        ),
    }
}

fn too_complex(name: &str, error: ParseError) -> Bilingual {
    let (english, french) = match error {
        ParseError::TooLong { length } => (
            format!("{length} characters long, of at most {MAX_LENGTH}"),
            format!("{length} caractères, sur {MAX_LENGTH} au plus"),
        ),
        ParseError::TooManyUnits { units } => (
            format!("{units} words and phrases, of at most {MAX_UNITS}"),
            format!("{units} mots et expressions, sur {MAX_UNITS} au plus"),
        ),
        ParseError::TooManyPhrases { phrases } => (
            format!(
                "{phrases} phrases, of at most {MAX_PHRASES}; a word with digits or punctuation \
                 inside is one"
            ),
            format!(
                "{phrases} expressions, sur {MAX_PHRASES} au plus; un mot qui contient des chiffres \
                 ou de la ponctuation en est une"
            ),
        ),
    };
    Bilingual::new(
        format!("{name} is too complex: {english}."),
        format!("{name} est trop complexe\u{a0}: {french}."),
    )
}

/// `a, b or c`.
fn list(items: &[impl AsRef<str>], or: &str) -> String {
    let items: Vec<&str> = items.iter().map(AsRef::as_ref).collect();
    match items.as_slice() {
        [] => String::new(),
        [only] => (*only).to_owned(),
        [first @ .., last] => format!("{} {or} {last}", first.join(", ")),
    }
}
