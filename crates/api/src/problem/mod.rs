//! Everything but success: one enum, one status for each, one shape for all (RFC 9457).

mod body;
mod fault_texts;
mod texts;

use std::time::Duration;

use crate::{Bilingual, ParameterProblem};

/// Every code of a problem.
pub const PROBLEM_CODES: [&str; 20] = [
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
    "engine-unavailable",
    "timed-out",
    "internal-error",
];

/// Why a request was not answered.
#[derive(Clone, Debug, PartialEq)]
pub enum Problem {
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
    TargetTooLong {
        /// The most bytes.
        limit: usize,
    },
    /// The headers are too many or too large.
    HeadersTooLarge {
        /// The most headers.
        count: usize,
        /// The most bytes in their names and values.
        bytes: usize,
    },
    /// The key has as many requests running and waiting as it may.
    TooManyAtOnce,
    /// The address came too often without a good key.
    TooManyAttempts {
        /// When to ask again.
        retry_after: Duration,
    },
    /// The key has as many exports running as it may.
    TooManyExports,
    /// The key's bucket is empty.
    RateLimited {
        /// When to ask again.
        retry_after: Duration,
    },
    /// More is asked than can be answered.
    Overloaded,
    /// There is no index to search.
    NoIndex,
    /// The engine cannot be asked now.
    EngineUnavailable {
        /// When to ask again.
        retry_after: Duration,
    },
    /// The search ran out of time.
    TimedOut {
        /// How long it may take.
        limit: Duration,
    },
    /// Something failed inside, which the log tells.
    Internal,
}

/// How soon to ask again for what is not there yet.
const RETRY_AFTER: Duration = Duration::from_secs(5);

impl ParameterProblem {
    /// The fault, in a sentence that names the parameter.
    #[must_use]
    pub fn detail(&self) -> Bilingual {
        fault_texts::detail(&self.parameter, &self.fault)
    }
}

/// Whole seconds that are surely over after `duration`, at least one.
#[must_use]
pub fn whole_seconds(duration: Duration) -> u64 {
    let has_rest = duration.subsec_nanos() > 0;
    (duration.as_secs() + u64::from(has_rest)).max(1)
}

impl Problem {
    /// One of each problem, in the order of [`PROBLEM_CODES`]; the numbers in them mean nothing.
    pub(crate) const fn each() -> [Self; PROBLEM_CODES.len()] {
        let (limit, bytes, count) = (1, 1, 1);
        let retry_after = Duration::from_secs(1);
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
            Self::EngineUnavailable { .. } => "engine-unavailable",
            Self::TimedOut { .. } => "timed-out",
            Self::Internal => "internal-error",
        }
    }

    /// The one place that decides the status of a problem.
    #[must_use]
    pub const fn status(&self) -> u16 {
        match self {
            Self::InvalidParameters(_) => 400,
            Self::KeyMissing | Self::KeyUnknown => 401,
            Self::KeyDisabled
            | Self::KeyExpired
            | Self::GatewayHostMismatch
            | Self::GatewaySecretMismatch => 403,
            Self::NotFound => 404,
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

    /// When to ask again, for the problems that pass.
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
