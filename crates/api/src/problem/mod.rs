//! Every way in which a request can fail: one enum, one status each, one shape of body (RFC 9457).

mod body;
mod fault_texts;
mod paths;
mod place_texts;
mod texts;

use std::time::Duration;

pub(crate) use body::Body;

use crate::{Bilingual, ParameterProblem};

/// All problem codes.
pub const PROBLEM_CODES: [&str; 21] = [
    "invalid-parameter",
    "invalid-request",
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
    "engine-unavailable",
    "timed-out",
    "internal-error",
];

/// Why a request was not answered.
#[derive(Clone, Debug, PartialEq)]
pub enum Problem {
    /// Parameters are invalid; never empty.
    InvalidParameters(Vec<ParameterProblem>),
    /// What came cannot be read as a request.
    InvalidRequest {
        /// The first character of its target that must be percent-encoded; for what is not UTF-8,
        /// the replacement character.
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
    /// The path only supports `GET` and `HEAD`.
    MethodNotAllowed,
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
    /// There is nothing at `path`, but perhaps at one that is much like it.
    #[must_use]
    pub fn not_found(path: &str) -> Self {
        Self::NotFound { nearest: paths::nearest(path) }
    }

    /// One of each problem, in the order of [`PROBLEM_CODES`]; the values in them are placeholders.
    pub(crate) const fn each() -> [Self; PROBLEM_CODES.len()] {
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
            Self::MethodNotAllowed,
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

    /// The code of the problem, one of [`PROBLEM_CODES`]; its type is `/problems/<code>`.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::InvalidParameters(_) => "invalid-parameter",
            Self::InvalidRequest { .. } => "invalid-request",
            Self::KeyMissing => "key-missing",
            Self::KeyUnknown => "key-unknown",
            Self::KeyDisabled => "key-disabled",
            Self::KeyExpired => "key-expired",
            Self::GatewayHostMismatch => "gateway-host-mismatch",
            Self::GatewaySecretMismatch => "gateway-secret-mismatch",
            Self::NotFound { .. } => "not-found",
            Self::MethodNotAllowed => "method-not-allowed",
            Self::TargetTooLong { .. } => "target-too-long",
            Self::HeadersTooLarge { .. } => "headers-too-large",
            Self::RateLimited { .. } => "rate-limited",
            Self::TooManyAtOnce => "too-many-at-once",
            Self::TooManyExports => "too-many-exports",
            Self::TooManyAttempts { .. } => "too-many-attempts",
            Self::Overloaded => "overloaded",
            Self::NoIndex => "no-index",
            Self::EngineUnavailable { .. } => "engine-unavailable",
            Self::TimedOut { .. } => "timed-out",
            Self::Internal => "internal-error",
        }
    }

    /// The HTTP status of the problem.
    #[must_use]
    pub const fn status(&self) -> u16 {
        match self {
            Self::InvalidParameters(_) | Self::InvalidRequest { .. } => 400,
            Self::KeyMissing | Self::KeyUnknown => 401,
            Self::KeyDisabled
            | Self::KeyExpired
            | Self::GatewayHostMismatch
            | Self::GatewaySecretMismatch => 403,
            Self::NotFound { .. } => 404,
            Self::MethodNotAllowed => 405,
            Self::TargetTooLong { .. } => 414,
            Self::HeadersTooLarge { .. } => 431,
            Self::RateLimited { .. }
            | Self::TooManyAtOnce
            | Self::TooManyExports
            | Self::TooManyAttempts { .. } => 429,
            Self::Overloaded
            | Self::NoIndex
            | Self::EngineUnavailable { .. }
            | Self::TimedOut { .. } => 503,
            Self::Internal => 500,
        }
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
