//! What a client reports about its calls, for metrics.

use std::fmt;
use std::time::Duration;

use ureq::http::StatusCode;

use crate::ClusterError;

/// How a call to a node ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// With what was asked for: a status of 2xx.
    Answered,
    /// With a refusal of the user or the request: any other status that is not below.
    Refused,
    /// With 429: the node has too much to do.
    Busy,
    /// With a status of 5xx.
    Failed,
    /// Without an answer: no connection, or one that broke.
    Unreachable,
    /// Without an answer in time.
    TimedOut,
}

impl Outcome {
    /// Every outcome.
    pub const ALL: [Self; 6] = [
        Self::Answered,
        Self::Refused,
        Self::Busy,
        Self::Failed,
        Self::Unreachable,
        Self::TimedOut,
    ];

    /// Its name in metrics.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Answered => "answered",
            Self::Refused => "refused",
            Self::Busy => "busy",
            Self::Failed => "failed",
            Self::Unreachable => "unreachable",
            Self::TimedOut => "timed-out",
        }
    }

    /// The outcome of a call, from the status of the answer.
    pub(crate) fn of<T>(called: &Result<(StatusCode, T), ClusterError>) -> Self {
        match called {
            Ok((status, _)) if status.is_success() => Self::Answered,
            Ok((StatusCode::TOO_MANY_REQUESTS, _)) => Self::Busy,
            Ok((status, _)) if status.is_server_error() => Self::Failed,
            Ok(_) => Self::Refused,
            Err(ClusterError::TimedOut) => Self::TimedOut,
            Err(_) => Self::Unreachable,
        }
    }
}

/// Is notified of a client's calls.
pub trait Observer: fmt::Debug + Send + Sync {
    /// A call to a node has ended.
    fn called(&self, outcome: Outcome, took: Duration);

    /// The next call repeats one that a node did not answer, at another node.
    fn retried(&self);
}
