//! A backend that waits for its turn before each search.

use std::sync::Arc;
use std::time::{Duration, Instant};

use outfall_records::DatasetInfo;
use outfall_request::{SearchBackend, SearchError, SearchPage, SearchRequest};
use tokio::runtime::Handle;

use crate::admission::{FairQueue, Party};

/// The backend of an export, used on a thread that may block: each page waits for its turn among
/// long searches and has its own deadline.
pub(super) struct GatedBackend {
    pub(super) backend: Arc<dyn SearchBackend>,
    pub(super) queue: Arc<FairQueue>,
    pub(super) party: Party,
    pub(super) search_deadline: Duration,
    pub(super) runtime: Handle,
}

impl SearchBackend for GatedBackend {
    fn search(&self, request: &SearchRequest) -> Result<SearchPage, SearchError> {
        // Exports are few, so each waits for its turn rather than break off.
        let entered = self.runtime.block_on(self.queue.enter_patiently(&self.party));
        let _place = entered.map_err(|_| SearchError::Engine("no place came".to_owned()))?;
        let deadline = Instant::now().checked_add(self.search_deadline);
        self.backend.search(&SearchRequest { deadline, ..request.clone() })
    }

    fn dataset(&self) -> &DatasetInfo {
        self.backend.dataset()
    }

    fn is_remote(&self) -> bool {
        self.backend.is_remote()
    }

    fn engine(&self) -> &'static str {
        self.backend.engine()
    }
}
