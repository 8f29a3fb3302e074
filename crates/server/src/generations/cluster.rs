//! Follows the aliases of a cluster.

use std::sync::Arc;

use super::Shared;
use crate::engines::{Cluster, ClusterError, Opened};

/// A cluster as of the last look.
pub(super) struct ClusterFollower {
    cluster: Cluster,
    /// The generation that is served.
    served: Option<String>,
    /// The last report, while its cause lasts.
    reported: Option<String>,
}

impl ClusterFollower {
    pub(super) const fn new(cluster: Cluster) -> Self {
        Self { cluster, served: None, reported: None }
    }

    /// Reports once why the published generation is not served; the last one stays served.
    fn report(&mut self, shared: &Shared, reason: String) {
        if self.reported.as_ref() == Some(&reason) {
            return;
        }
        tracing::error!(reason, "what the cluster publishes cannot be served; trying again");
        shared.trouble.store(Some(Arc::new(reason.as_str().into())));
        shared.loads.failed.inc();
        self.reported = Some(reason);
    }

    fn clear(&mut self, shared: &Shared) {
        if self.reported.take().is_some() {
            tracing::info!("what the cluster publishes is served");
            shared.trouble.store(None);
        }
    }

    /// Opens the published generation; `None` if it is already served.
    fn newer(&self) -> Result<Option<Opened>, ClusterError> {
        match self.cluster.published()? {
            Some(published) if self.served.as_ref() == Some(&published) => Ok(None),
            // If nothing is published, this returns the error that says so.
            _ => self.cluster.open().map(Some),
        }
    }

    /// Takes over the published generation, unless it is already served.
    pub(super) fn look(&mut self, shared: &Shared) {
        match self.newer() {
            Ok(Some(Opened { backend, generation })) => {
                tracing::info!(generation, "a new index is served");
                shared.serve(backend);
                shared.loads.done.inc();
                self.served = Some(generation);
                self.clear(shared);
            }
            Ok(None) => self.clear(shared),
            Err(error) => self.report(shared, error.to_string()),
        }
    }
}
