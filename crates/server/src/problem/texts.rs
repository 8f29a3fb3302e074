//! The English texts of problems, in one place. Codes are elsewhere, for they never change.

use outfall_query::{BoundError, Facet};
use outfall_records::Province;

use super::Problem;
use crate::http::seconds;
use crate::params::Fault;

/// What kind of problem it is, the same for every occurrence.
pub(super) const fn title(problem: &Problem) -> &'static str {
    match problem {
        Problem::InvalidParameters(_) => "Invalid request parameters",
        Problem::KeyMissing => "API key required",
        Problem::KeyUnknown => "API key not known",
        Problem::KeyDisabled => "API key disabled",
        Problem::KeyExpired => "API key expired",
        Problem::GatewayHostMismatch => "Wrong gateway host",
        Problem::GatewaySecretMismatch => "Wrong gateway secret",
        Problem::NotFound => "Not found",
        Problem::MethodNotAllowed => "Method not allowed",
        Problem::TargetTooLong { .. } => "Request target too long",
        Problem::HeadersTooLarge { .. } => "Request headers too large",
        Problem::RateLimited { .. } => "Too many requests",
        Problem::TooManyAtOnce => "Too many requests at once",
        Problem::TooManyExports => "Too many exports",
        Problem::TooManyAttempts { .. } => "Too many attempts without a good key",
        Problem::Overloaded => "Overloaded",
        Problem::NoIndex => "No index yet",
        Problem::TimedOut { .. } => "Search timed out",
        Problem::Internal => "Internal error",
    }
}

/// What happened, and what to do about it.
pub(super) fn detail(problem: &Problem) -> String {
    match problem {
        Problem::InvalidParameters(problems) => match problems.len() {
            1 => "1 parameter is not valid.".to_owned(),
            count => format!("{count} parameters are not valid."),
        },
        Problem::KeyMissing => "Send your key in the header x-gateway-key.".to_owned(),
        Problem::KeyUnknown => {
            "The header x-gateway-key must carry one key that this service knows.".to_owned()
        }
        Problem::KeyDisabled => "This key has been disabled; ask for another.".to_owned(),
        Problem::KeyExpired => "This key has expired; ask for another.".to_owned(),
        Problem::GatewayHostMismatch => {
            "The header x-gateway-host must carry, once, the host name of the service's base URL."
                .to_owned()
        }
        Problem::GatewaySecretMismatch => {
            "The header x-gateway-secret must carry, once, the secret of the gateway.".to_owned()
        }
        Problem::NotFound => "There is nothing at this path; / lists what there is.".to_owned(),
        Problem::MethodNotAllowed => "This path is read with GET or HEAD.".to_owned(),
        Problem::TargetTooLong { limit } => {
            format!("Path and query may have at most {limit} bytes together.")
        }
        Problem::HeadersTooLarge { count, bytes } => {
            format!(
                "A request may have at most {count} headers, with at most {bytes} bytes together."
            )
        }
        Problem::RateLimited { retry_after } => {
            format!("The key has used up its requests; ask again in {} s.", seconds(*retry_after))
        }
        Problem::TooManyAtOnce => {
            "The key has too many requests running; send the next when one is answered.".to_owned()
        }
        Problem::TooManyAttempts { retry_after } => format!(
            "Too many requests without a good key came from this address; ask again in {} s.",
            seconds(*retry_after)
        ),
        Problem::TooManyExports => {
            "The key has two exports running; ask again when one of them has ended.".to_owned()
        }
        Problem::Overloaded => {
            "More is being asked than can be answered; ask again in a moment.".to_owned()
        }
        Problem::NoIndex => {
            "There is no index to search: none is published, or it cannot be served.".to_owned()
        }
        Problem::TimedOut { limit } => format!(
            "The search did not end within {} s; ask for less, or again later.",
            limit.as_secs_f32()
        ),
        Problem::Internal => {
            "The request could not be answered; the log has more under its request_id.".to_owned()
        }
    }
}

/// What is wrong with the parameter called `name`, and what would be right.
pub(super) fn fault_detail(name: &str, fault: &Fault) -> String {
    match fault {
        Fault::NotUtf8 => format!("{name} must be UTF-8, percent-encoded."),
        Fault::TooLong { limit } => format!("{name} must have at most {limit} characters."),
        Fault::NotAProvince => {
            let names = Province::ALL.map(|it| format!("{} ({})", it.code(), it.name_en()));
            format!("{name} must be a code or an English or French name of {}.", or_list(&names))
        }
        Fault::NotANaicsCode => {
            format!("{name} must be two to six digits, or one of 31-33, 44-45, 48-49.")
        }
        Fault::WithoutWord => {
            format!("{name} must be a CAS RN, an NPRI code, or words of a substance's name.")
        }
        Fault::NotANumber(BoundError::NotANumber) => {
            format!("{name} must be a decimal number such as 12, 0.5 or 1e6.")
        }
        Fault::NotANumber(BoundError::NotFinite) => format!("{name} must be a finite number."),
        Fault::NotAnInteger { max } => {
            format!("{name} must be a whole number between 0 and {max}.")
        }
        Fault::IntegerOutOfRange { max } => format!("{name} must be between 0 and {max}."),
        Fault::OffsetTooDeep { max } => format!(
            "{name} must be between 0 and {max}; to go deeper, send the next_cursor of a page as \
             cursor."
        ),
        Fault::NotADate => format!("{name} must be a date, YYYY-MM-DD, or a year, YYYY."),
        Fault::NotAChoice(choices) => format!("{name} must be {}.", or_list(choices)),
        Fault::NotAFacet { entity, name: facet } => {
            let known: Vec<&str> = Facet::of(*entity).map(Facet::name).collect();
            let (known, facet) = (or_list(&known), facet.chars().take(40).collect::<String>());
            format!(
                "{name} of /{entity} must be any of {known}, with commas between; {facet} is none \
                 of them."
            )
        }
        Fault::Unknown { .. } => "unknown parameter".to_owned(),
        Fault::NotApplicable { operation } => {
            format!("{name} is a parameter of /{operation} only.")
        }
        Fault::Repeated => format!("{name} may be given once."),
        Fault::SpellingsDiffer { other } => {
            format!("{name} and {other} are the same parameter; give one, or the same year twice.")
        }
        Fault::CursorWithOffset => {
            format!("A cursor has its own position; leave {name} out.")
        }
        Fault::CursorWithExport => {
            format!("A file holds every match in one answer; leave {name} out.")
        }
        Fault::FacetsWithExport => {
            format!("A file has records alone; leave {name} out, or ask for a page with limit=0.")
        }
        Fault::RelevanceWithoutText => {
            "Only a request with words in q can be sorted by relevance.".to_owned()
        }
        Fault::EmptyRange { other, other_value } => {
            let other_value: String = other_value.chars().take(40).collect();
            format!("{name} must not be greater than {other}, which is {other_value}.")
        }
        Fault::TooComplex(error) => format!("{name} is too complex: {error}."),
        Fault::DamagedCursor => format!(
            "{name} must be a next_cursor exactly as it was given; to start over, leave it out."
        ),
        Fault::CursorMismatch(differences) => format!(
            "{name} belongs to another query, which differs in {}; repeat the query that gave it, \
             or leave it out.",
            differences.join(", ")
        ),
    }
}

/// `a, b or c`.
fn or_list(items: &[impl AsRef<str>]) -> String {
    let items: Vec<&str> = items.iter().map(AsRef::as_ref).collect();
    match items.as_slice() {
        [] => String::new(),
        [only] => (*only).to_owned(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}
