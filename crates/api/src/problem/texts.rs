//! The texts of problems, in both languages. The codes are elsewhere, because they never change.
//!
//! In French, a no-break space precedes a colon and a unit.

use super::{Methods, Problem, whole_seconds};
use crate::Bilingual;

/// Explains what happened and what to do about it.
pub(super) fn detail(problem: &Problem) -> Bilingual {
    match problem {
        Problem::InvalidParameters(problems) => match problems.len() {
            1 => Bilingual::new("1 parameter is not valid.", "1 paramètre n’est pas valide."),
            count => Bilingual::new(
                format!("{count} parameters are not valid."),
                format!("{count} paramètres ne sont pas valides."),
            ),
        },
        Problem::InvalidRequest { raw } => invalid_request(*raw),
        Problem::KeyMissing => Bilingual::new(
            "Send your key in the header x-gateway-key.",
            "Envoyez votre clé dans l’en-tête x-gateway-key.",
        ),
        Problem::KeyUnknown => Bilingual::new(
            "The header x-gateway-key must carry one key that this service knows.",
            "L’en-tête x-gateway-key doit porter une seule clé, connue de ce service.",
        ),
        Problem::KeyDisabled => Bilingual::new(
            "This key has been disabled; ask for another.",
            "Cette clé a été désactivée; demandez-en une autre.",
        ),
        Problem::KeyExpired => Bilingual::new(
            "This key has expired; ask for another.",
            "Cette clé a expiré; demandez-en une autre.",
        ),
        Problem::GatewayHostMismatch => Bilingual::new(
            "The header x-gateway-host must carry, once, the host name of the service's base URL.",
            "L’en-tête x-gateway-host doit porter, une seule fois, le nom d’hôte de l’URL de base \
             du service.",
        ),
        Problem::GatewaySecretMismatch => Bilingual::new(
            "The header x-gateway-secret must carry, once, the secret of the gateway.",
            "L’en-tête x-gateway-secret doit porter, une seule fois, le secret de la passerelle.",
        ),
        Problem::NotFound { nearest: None } => Bilingual::new(
            "There is nothing at this path; / lists what there is.",
            "Il n’y a rien à ce chemin; / énumère ce qu’il y a.",
        ),
        Problem::NotFound { nearest: Some(nearest) } => Bilingual::new(
            format!("There is nothing at this path; {nearest} is probably what you look for."),
            format!("Il n’y a rien à ce chemin; vous cherchez sans doute {nearest}."),
        ),
        Problem::MethodNotAllowed { allowed: Methods::Read } => Bilingual::new(
            "This path is read with GET or HEAD.",
            "Ce chemin se lit avec GET ou HEAD.",
        ),
        Problem::MethodNotAllowed { allowed: Methods::Post } => {
            Bilingual::new("This path is asked with POST.", "Ce chemin s’interroge avec POST.")
        }
        Problem::TargetTooLong { limit } => Bilingual::new(
            format!("Path and query may have at most {limit} bytes together."),
            format!("Le chemin et la requête ne peuvent dépasser ensemble {limit} octets."),
        ),
        Problem::HeadersTooLarge { count, bytes } => Bilingual::new(
            format!(
                "A request may have at most {count} headers, with at most {bytes} bytes together."
            ),
            format!(
                "Une requête peut avoir au plus {count} en-têtes, d’au plus {bytes} octets au \
                 total."
            ),
        ),
        Problem::RateLimited { retry_after } => {
            let seconds = whole_seconds(*retry_after);
            Bilingual::new(
                format!("The key has used up its requests; ask again in {seconds} s."),
                format!("La clé a épuisé ses requêtes; réessayez dans {seconds}\u{a0}s."),
            )
        }
        Problem::TooManyAtOnce => Bilingual::new(
            "You have too many requests running; send the next when one is answered.",
            "Vous avez trop de requêtes en cours; envoyez la suivante quand l’une aura sa réponse.",
        ),
        Problem::TooManyAttempts { retry_after } => {
            let seconds = whole_seconds(*retry_after);
            Bilingual::new(
                format!(
                    "Too many requests without a good key came from this address; ask again in \
                     {seconds} s."
                ),
                format!(
                    "Trop de requêtes sans clé valable sont venues de cette adresse; réessayez \
                     dans {seconds}\u{a0}s."
                ),
            )
        }
        Problem::Overloaded => Bilingual::new(
            "More is being asked than can be answered; ask again in a moment.",
            "Il est demandé plus qu’il ne peut être répondu; réessayez dans un instant.",
        ),
        Problem::TooManyExports => Bilingual::new(
            "You have two exports running; ask again when one of them has ended.",
            "Vous avez deux exportations en cours; réessayez quand l’une d’elles sera terminée.",
        ),
        Problem::NoIndex => Bilingual::new(
            "There is no index to search: none is published, or it cannot be served.",
            "Il n’y a pas d’index où chercher\u{a0}: aucun n’est publié, ou il ne peut être servi.",
        ),
        Problem::EngineUnavailable { retry_after } => {
            let seconds = whole_seconds(*retry_after);
            Bilingual::new(
                format!("The search engine cannot be asked now; ask again in {seconds} s."),
                format!(
                    "Le moteur de recherche ne peut être interrogé pour l’instant; réessayez dans \
                     {seconds}\u{a0}s."
                ),
            )
        }
        Problem::TimedOut { limit } => {
            let limit = limit.as_secs_f32();
            Bilingual::new(
                format!("The search did not end within {limit} s; ask for less, or again later."),
                format!(
                    "La recherche n’a pas abouti en {limit}\u{a0}s; demandez moins, ou réessayez \
                     plus tard."
                ),
            )
        }
        Problem::Internal => Bilingual::new(
            "The request could not be answered; the log has more under its request_id.",
            "La requête n’a pu recevoir de réponse; le journal en dit plus sous son request_id.",
        ),
    }
}

/// What must be done about the character `raw` in a path or query.
fn invalid_request(raw: Option<char>) -> Bilingual {
    let encoded = |character: char| {
        let mut bytes = [0; 4];
        let bytes = character.encode_utf8(&mut bytes).bytes();
        bytes.map(|byte| format!("%{byte:02X}")).collect::<String>()
    };
    let (english, french) = match raw {
        None => {
            return Bilingual::new(
                "What came cannot be read as a request in HTTP/1.1.",
                "Ce qui a été reçu ne peut être lu comme une requête HTTP/1.1.",
            );
        }
        Some(char::REPLACEMENT_CHARACTER) => {
            ("é is %C3%A9, as in UTF-8".to_owned(), "é s’écrit %C3%A9, comme en UTF-8".to_owned())
        }
        Some(' ') => ("a space is %20".to_owned(), "une espace s’écrit %20".to_owned()),
        Some(control) if control.is_control() => (
            format!("the control character U+{:04X} is {}", u32::from(control), encoded(control)),
            format!(
                "le caractère de commande U+{:04X} s’écrit {}",
                u32::from(control),
                encoded(control)
            ),
        ),
        Some(raw) => {
            (format!("{raw} is {}", encoded(raw)), format!("{raw} s’écrit {}", encoded(raw)))
        }
    };
    Bilingual::new(
        format!("Path and query must be percent-encoded: {english}."),
        format!("Le chemin et la requête doivent être encodés par pourcentage\u{a0}: {french}."),
    )
}
