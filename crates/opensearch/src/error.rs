//! Why a cluster could not be asked, or did not do what it was asked to.

use std::io;
use std::time::Duration;

use outfall_request::SearchError;

/// Why something was not done with a cluster.
#[derive(Debug, thiserror::Error)]
pub enum ClusterError {
    /// No node can be reached, or the cluster is too busy or not whole; trying again may help.
    #[error("the cluster cannot be asked: {reason}")]
    Unavailable {
        /// What happened.
        reason: String,
    },
    /// The cluster did not answer in time.
    #[error("the cluster did not answer in time")]
    TimedOut,
    /// The cluster refuses the user or the request.
    #[error("the cluster refuses {request} with status {status}: {reason}")]
    Refused {
        /// The method and path.
        request: String,
        /// The HTTP status.
        status: u16,
        /// What the cluster said.
        reason: String,
    },
    /// The cluster's answer is not what was asked for, so none of it is used.
    #[error("the cluster's answer cannot be used: {reason}")]
    Unexpected {
        /// What is wrong with it.
        reason: String,
    },
    /// Nothing is published under the alias, or nothing that this version can read.
    #[error("`{alias}` cannot be served: {reason}")]
    NotServable {
        /// The alias or index.
        alias: String,
        /// What is wrong with it.
        reason: String,
    },
    /// Another build was published since this one began.
    #[error("another build was published since this one began")]
    Overtaken,
    /// A record has no place in the index.
    #[error("the record {record_id} cannot be indexed: {reason}")]
    BadRecord {
        /// The record.
        record_id: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The loaded index does not answer as its records require.
    #[error("the loaded index is not whole: {reason}")]
    Disagrees {
        /// What differs.
        reason: String,
    },
    /// The certificate authorities cannot be read.
    #[error("the certificate authorities cannot be read: {reason}")]
    Certificates {
        /// Why.
        reason: String,
    },
    /// A setting that is needed to connect is missing or malformed.
    #[error("{reason}")]
    Connection {
        /// What is wrong with it.
        reason: String,
    },
}

/// When to ask an unavailable cluster again.
const RETRY_AFTER: Duration = Duration::from_secs(1);

impl ClusterError {
    pub(crate) fn unexpected(reason: impl Into<String>) -> Self {
        Self::Unexpected { reason: reason.into() }
    }

    /// The error of a connection or of the protocol on it.
    pub(crate) fn of_transport(error: ureq::Error) -> Self {
        match error {
            ureq::Error::Timeout(_) => Self::TimedOut,
            ureq::Error::Io(error) if error.kind() == io::ErrorKind::TimedOut => Self::TimedOut,
            error => Self::Unavailable { reason: error.to_string() },
        }
    }

    /// Whether the call may succeed on another node, or on the same one later.
    pub(crate) const fn may_pass(&self) -> bool {
        matches!(self, Self::Unavailable { .. } | Self::TimedOut)
    }
}

impl From<ClusterError> for SearchError {
    fn from(error: ClusterError) -> Self {
        match error {
            ClusterError::TimedOut => Self::TimedOut,
            ClusterError::Unavailable { reason } => {
                Self::Unavailable { retry_after: RETRY_AFTER, reason }
            }
            // The password was changed in the cluster. That is no fault of the request, and an
            // operator can put it right.
            refused @ ClusterError::Refused { status: 401 | 403, .. } => {
                let reason = refused.to_string();
                Self::Unavailable { retry_after: RETRY_AFTER, reason }
            }
            other => Self::Engine(other.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_pass_is_no_fault_of_the_engine() {
        let refused = |status| {
            let (request, reason) = ("GET /".to_owned(), String::new());
            ClusterError::Refused { request, status, reason }
        };
        for (error, is_unavailable) in [
            (ClusterError::Unavailable { reason: String::new() }, true),
            (refused(401), true),
            (refused(403), true),
            (refused(400), false),
            (ClusterError::unexpected("nonsense"), false),
        ] {
            let shown = error.to_string();
            let is_so = matches!(SearchError::from(error), SearchError::Unavailable { .. });
            assert_eq!(is_so, is_unavailable, "{shown}");
        }
    }
}
