//! Everything but success: one enum, one status for each, one shape for all (RFC 9457).

mod body;
mod fault_texts;
mod texts;

use std::time::Duration;

use actix_web::http::StatusCode;

use crate::Settings;
use crate::language::Bilingual;
use crate::params::ParameterProblem;

/// Every code of a problem.
pub const PROBLEM_CODES: [&str; 19] = [
    "invalid-parameter",
    "key-missing",
    "key-unknown",
    "key-disabled",
    "key-expired",
    "gateway-host-mismatch",
    "gateway-secret-mismatch",
    "not-found",
    "method-not-allowed",
    "target-too-long",
    "headers-too-large",
    "rate-limited",
    "too-many-at-once",
    "too-many-exports",
    "too-many-attempts",
    "overloaded",
    "no-index",
    "timed-out",
    "internal-error",
];

/// Why a request was not answered.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Problem {
    /// Parameters are not valid; never empty.
    InvalidParameters(Vec<ParameterProblem>),
    /// There is no `x-gateway-key`.
    KeyMissing,
    /// The key is doubled, malformed or not known.
    KeyUnknown,
    /// The key was disabled.
    KeyDisabled,
    /// The key's last day is over.
    KeyExpired,
    /// `x-gateway-host` is missing, doubled or another host.
    GatewayHostMismatch,
    /// `x-gateway-secret` is configured, and missing or another.
    GatewaySecretMismatch,
    /// There is nothing at this path.
    NotFound,
    /// The path is read with `GET` and `HEAD` only.
    MethodNotAllowed,
    /// The path with its query is too long.
    TargetTooLong { limit: usize },
    /// The headers are too many or too large.
    HeadersTooLarge { count: usize, bytes: usize },
    /// The key has as many requests running and waiting as it may.
    TooManyAtOnce,
    /// The address came too often without a good key.
    TooManyAttempts { retry_after: Duration },
    /// The key has as many exports running as it may.
    TooManyExports,
    /// The key's bucket is empty.
    RateLimited { retry_after: Duration },
    /// More is asked than can be answered.
    Overloaded,
    /// There is no index to search.
    NoIndex,
    /// The search ran out of time.
    TimedOut { limit: Duration },
    /// Something failed inside, which the log tells.
    Internal,
}

/// How soon to ask again for what is not there yet.
const RETRY_AFTER: Duration = Duration::from_secs(5);

/// What is wrong with a parameter, in a sentence that names it.
pub(crate) fn parameter_detail(problem: &ParameterProblem) -> Bilingual {
    fault_texts::detail(&problem.parameter, &problem.fault)
}

impl Problem {
    /// One of each problem, in the order of [`PROBLEM_CODES`], to tell what there may be.
    pub(crate) fn each() -> [Self; PROBLEM_CODES.len()] {
        let settings = Settings::default();
        [
            Self::InvalidParameters(Vec::new()),
            Self::KeyMissing,
            Self::KeyUnknown,
            Self::KeyDisabled,
            Self::KeyExpired,
            Self::GatewayHostMismatch,
            Self::GatewaySecretMismatch,
            Self::NotFound,
            Self::MethodNotAllowed,
            Self::TargetTooLong { limit: settings.max_target_bytes },
            Self::HeadersTooLarge { count: settings.max_headers, bytes: settings.max_header_bytes },
            Self::RateLimited { retry_after: Duration::from_secs(1) },
            Self::TooManyAtOnce,
            Self::TooManyExports,
            Self::TooManyAttempts { retry_after: Duration::from_secs(1) },
            Self::Overloaded,
            Self::NoIndex,
            Self::TimedOut { limit: settings.search_deadline },
            Self::Internal,
        ]
    }

    /// The code of the problem, one of [`PROBLEM_CODES`]; its type is `/problems/<code>`.
    pub(crate) const fn code(&self) -> &'static str {
        match self {
            Self::InvalidParameters(_) => "invalid-parameter",
            Self::KeyMissing => "key-missing",
            Self::KeyUnknown => "key-unknown",
            Self::KeyDisabled => "key-disabled",
            Self::KeyExpired => "key-expired",
            Self::GatewayHostMismatch => "gateway-host-mismatch",
            Self::GatewaySecretMismatch => "gateway-secret-mismatch",
            Self::NotFound => "not-found",
            Self::MethodNotAllowed => "method-not-allowed",
            Self::TargetTooLong { .. } => "target-too-long",
            Self::HeadersTooLarge { .. } => "headers-too-large",
            Self::RateLimited { .. } => "rate-limited",
            Self::TooManyAtOnce => "too-many-at-once",
            Self::TooManyExports => "too-many-exports",
            Self::TooManyAttempts { .. } => "too-many-attempts",
            Self::Overloaded => "overloaded",
            Self::NoIndex => "no-index",
            Self::TimedOut { .. } => "timed-out",
            Self::Internal => "internal-error",
        }
    }

    /// The one place that decides the status of a problem.
    pub(crate) const fn status(&self) -> StatusCode {
        match self {
            Self::InvalidParameters(_) => StatusCode::BAD_REQUEST,
            Self::KeyMissing | Self::KeyUnknown => StatusCode::UNAUTHORIZED,
            Self::KeyDisabled
            | Self::KeyExpired
            | Self::GatewayHostMismatch
            | Self::GatewaySecretMismatch => StatusCode::FORBIDDEN,
            Self::NotFound => StatusCode::NOT_FOUND,
            Self::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
            Self::TargetTooLong { .. } => StatusCode::URI_TOO_LONG,
            Self::HeadersTooLarge { .. } => StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE,
            Self::RateLimited { .. }
            | Self::TooManyAtOnce
            | Self::TooManyExports
            | Self::TooManyAttempts { .. } => StatusCode::TOO_MANY_REQUESTS,
            Self::Overloaded | Self::NoIndex | Self::TimedOut { .. } => {
                StatusCode::SERVICE_UNAVAILABLE
            }
            Self::Internal => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    /// When to ask again, for the problems that pass.
    const fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::RateLimited { retry_after } | Self::TooManyAttempts { retry_after } => {
                Some(*retry_after)
            }
            Self::TooManyAtOnce | Self::Overloaded => Some(Duration::from_secs(1)),
            Self::NoIndex | Self::TimedOut { .. } | Self::TooManyExports => Some(RETRY_AFTER),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::Language;

    #[test]
    fn every_code_has_its_problem_and_every_text_its_twin() {
        assert_eq!(Problem::each().map(|problem| problem.code()), PROBLEM_CODES);
        for problem in Problem::each() {
            for text in [texts::title(&problem), texts::detail(&problem)] {
                let english = text.clone().in_language(Language::English);
                assert_ne!(text.in_language(Language::French), english, "{}", problem.code());
            }
        }
    }
}
