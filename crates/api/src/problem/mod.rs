//! Every way in which a request can fail: one enum, one status each, one shape of body (RFC 9457).

mod body;
mod fault_texts;
mod paths;
mod place_texts;
mod texts;

use std::time::Duration;

use outfall_records::Doc;

pub(crate) use body::Body;

use crate::{Bilingual, ParameterProblem};

/// All problem codes.
pub const PROBLEM_CODES: [&str; 21] = {
    let (mut codes, mut place) = ([""; 21], 0);
    let problems = Problem::each();
    while place < codes.len() {
        codes[place] = problems[place].code();
        place += 1;
    }
    // Nothing can be dropped in a constant, and none of these owns anything.
    std::mem::forget(problems);
    codes
};

/// Why a request was not answered.
#[derive(Clone, Debug, PartialEq)]
pub enum Problem {
    /// Parameters are invalid; never empty.
    InvalidParameters(Vec<ParameterProblem>),
    /// The input cannot be read as a request.
    InvalidRequest {
        /// The first character of its target that must be percent-encoded; for bytes that are not
        /// UTF-8, the replacement character.
        raw: Option<char>,
    },
    /// There is no `x-gateway-key`.
    KeyMissing,
    /// The key is repeated, malformed or unknown.
    KeyUnknown,
    /// The key was disabled.
    KeyDisabled,
    /// The key's last day is over.
    KeyExpired,
    /// `x-gateway-host` is missing, repeated or names another host.
    GatewayHostMismatch,
    /// A gateway secret is configured, and `x-gateway-secret` is missing or differs.
    GatewaySecretMismatch,
    /// There is nothing at this path.
    NotFound {
        /// The path that was probably meant.
        nearest: Option<&'static str>,
    },
    /// The path does not support the method.
    MethodNotAllowed {
        /// Those that it does support.
        allowed: Methods,
    },
    /// The path with its query is too long.
    TargetTooLong {
        /// The maximum number of bytes.
        limit: usize,
    },
    /// The headers are too many or too large.
    HeadersTooLarge {
        /// The maximum number of headers.
        count: usize,
        /// The maximum number of bytes in their names and values.
        bytes: usize,
    },
    /// The key already has its maximum number of requests running and waiting.
    TooManyAtOnce,
    /// The address sent too many requests without a valid key.
    TooManyAttempts {
        /// How long to wait before asking again.
        retry_after: Duration,
    },
    /// The key already has its maximum number of exports running.
    TooManyExports,
    /// The key's bucket is empty.
    RateLimited {
        /// How long to wait before asking again.
        retry_after: Duration,
    },
    /// There are more requests than the service can answer.
    Overloaded,
    /// There is no index to search.
    NoIndex,
    /// The engine is unavailable for now.
    EngineUnavailable {
        /// How long to wait before asking again.
        retry_after: Duration,
    },
    /// The search ran out of time.
    TimedOut {
        /// The time limit.
        limit: Duration,
    },
    /// An internal error, explained in the log.
    Internal,
}

/// The methods of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Methods {
    /// `GET` and `HEAD`.
    Read,
    /// `POST` alone.
    Post,
}

impl Methods {
    /// The value of `Allow`.
    #[must_use]
    pub const fn names(self) -> &'static str {
        match self {
            Self::Read => "GET, HEAD",
            Self::Post => "POST",
        }
    }
}

/// What every occurrence of a problem has in common.
struct About {
    code: &'static str,
    status: u16,
    title: Doc,
}

/// How long to wait after problems that take a while to pass.
const RETRY_AFTER: Duration = Duration::from_secs(5);

impl ParameterProblem {
    /// The fault, in a sentence that names the parameter.
    #[must_use]
    pub fn detail(&self) -> Bilingual {
        fault_texts::detail(&self.parameter, &self.fault)
    }
}

/// `duration` rounded up to whole seconds, at least one.
#[must_use]
pub fn whole_seconds(duration: Duration) -> u64 {
    let has_rest = duration.subsec_nanos() > 0;
    (duration.as_secs() + u64::from(has_rest)).max(1)
}

impl Problem {
    /// There is nothing at `path`; names a similar path, if there is one.
    #[must_use]
    pub fn not_found(path: &str) -> Self {
        Self::NotFound { nearest: paths::nearest(path) }
    }

    /// One of each problem, in the order of the documentation; the values in them are placeholders.
    pub(crate) const fn each() -> [Self; 21] {
        let (limit, bytes, count) = (1, 1, 1);
        let retry_after = Duration::from_secs(1);
        [
            Self::InvalidParameters(Vec::new()),
            Self::InvalidRequest { raw: None },
            Self::KeyMissing,
            Self::KeyUnknown,
            Self::KeyDisabled,
            Self::KeyExpired,
            Self::GatewayHostMismatch,
            Self::GatewaySecretMismatch,
            Self::NotFound { nearest: None },
            Self::MethodNotAllowed { allowed: Methods::Read },
            Self::TargetTooLong { limit },
            Self::HeadersTooLarge { count, bytes },
            Self::RateLimited { retry_after },
            Self::TooManyAtOnce,
            Self::TooManyExports,
            Self::TooManyAttempts { retry_after },
            Self::Overloaded,
            Self::NoIndex,
            Self::EngineUnavailable { retry_after },
            Self::TimedOut { limit: retry_after },
            Self::Internal,
        ]
    }

    /// What every occurrence of the problem has in common.
    const fn about(&self) -> About {
        let (code, status, english, french) = match self {
            Self::InvalidParameters(_) => (
                "invalid-parameter",
                400,
                "Invalid request parameters",
                "Paramètres de requête non valides",
            ),
            Self::InvalidRequest { .. } => {
                ("invalid-request", 400, "Invalid request", "Requête non valide")
            }
            Self::KeyMissing => ("key-missing", 401, "API key required", "Clé d’API requise"),
            Self::KeyUnknown => ("key-unknown", 401, "API key not known", "Clé d’API inconnue"),
            Self::KeyDisabled => ("key-disabled", 403, "API key disabled", "Clé d’API désactivée"),
            Self::KeyExpired => ("key-expired", 403, "API key expired", "Clé d’API expirée"),
            Self::GatewayHostMismatch => {
                ("gateway-host-mismatch", 403, "Wrong gateway host", "Hôte de passerelle erroné")
            }
            Self::GatewaySecretMismatch => (
                "gateway-secret-mismatch",
                403,
                "Wrong gateway secret",
                "Secret de passerelle erroné",
            ),
            Self::NotFound { .. } => ("not-found", 404, "Not found", "Introuvable"),
            Self::MethodNotAllowed { .. } => {
                ("method-not-allowed", 405, "Method not allowed", "Méthode non permise")
            }
            Self::TargetTooLong { .. } => (
                "target-too-long",
                414,
                "Request target too long",
                "Adresse de requête trop longue",
            ),
            Self::HeadersTooLarge { .. } => (
                "headers-too-large",
                431,
                "Request headers too large",
                "En-têtes de requête trop volumineux",
            ),
            Self::RateLimited { .. } => {
                ("rate-limited", 429, "Too many requests", "Trop de requêtes")
            }
            Self::TooManyAtOnce => {
                ("too-many-at-once", 429, "Too many requests at once", "Trop de requêtes à la fois")
            }
            Self::TooManyExports => {
                ("too-many-exports", 429, "Too many exports", "Trop d’exportations")
            }
            Self::TooManyAttempts { .. } => (
                "too-many-attempts",
                429,
                "Too many attempts without a good key",
                "Trop d’essais sans clé valable",
            ),
            Self::Overloaded => ("overloaded", 503, "Overloaded", "Service surchargé"),
            Self::NoIndex => ("no-index", 503, "No index yet", "Pas encore d’index"),
            Self::EngineUnavailable { .. } => (
                "engine-unavailable",
                503,
                "Search engine unavailable",
                "Moteur de recherche indisponible",
            ),
            Self::TimedOut { .. } => {
                ("timed-out", 503, "Search timed out", "Délai de recherche dépassé")
            }
            Self::Internal => ("internal-error", 500, "Internal error", "Erreur interne"),
        };
        About { code, status, title: Doc::new(english, french) }
    }

    /// The code of the problem, one of [`PROBLEM_CODES`]; its type is `/problems/<code>`.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        self.about().code
    }

    /// The HTTP status of the problem.
    #[must_use]
    pub const fn status(&self) -> u16 {
        self.about().status
    }

    /// The name of the problem for people.
    fn title(&self) -> Bilingual {
        let Doc { en, fr } = self.about().title;
        Bilingual::new(en, fr)
    }

    /// What happened and what to do about it, in a sentence.
    pub(crate) fn detail(&self) -> Bilingual {
        texts::detail(self)
    }

    /// How long to wait before asking again, for problems that pass.
    #[must_use]
    pub const fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::RateLimited { retry_after }
            | Self::TooManyAttempts { retry_after }
            | Self::EngineUnavailable { retry_after } => Some(*retry_after),
            Self::TooManyAtOnce | Self::Overloaded => Some(Duration::from_secs(1)),
            Self::NoIndex | Self::TimedOut { .. } | Self::TooManyExports => Some(RETRY_AFTER),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Language;

    #[test]
    fn every_text_has_its_twin() {
        for problem in Problem::each() {
            for text in [problem.title(), texts::detail(&problem)] {
                let english = text.clone().in_language(Language::English);
                assert_ne!(text.in_language(Language::French), english, "{}", problem.code());
            }
        }
    }
}
