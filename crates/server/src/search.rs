//! The only way to the backend: admission, the deadline, and panics that end one search alone.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

use actix_web::{HttpRequest, rt};
use outfall_api::{CheckedRequest, Problem};
use outfall_request::{SearchBackend, SearchError, SearchPage};
use prometheus_client::metrics::counter::Counter;

use crate::admission::{Party, WorkerBudget};
use crate::http::RequestId;
use crate::middleware::RequestLog;
use crate::state::AppState;

impl AppState {
    /// Searches within the deadline: on this thread if the engine is local and a slice of time is
    /// enough, else on a separate thread.
    ///
    /// # Errors
    /// [`Problem::Overloaded`], and those of [`attempt`].
    pub(crate) async fn search(
        &self,
        request: &HttpRequest,
        party: &Party,
        backend: &Arc<dyn SearchBackend>,
        checked: &CheckedRequest,
    ) -> Result<SearchPage, Problem> {
        let limit = self.settings.search_deadline;
        let arrived = Instant::now();
        if backend.is_remote() {
            let (deadline, queued) = (arrived + limit, Duration::ZERO);
            return self.search_on_thread(request, party, backend, checked, deadline, queued).await;
        }
        let budget = request.app_data::<WorkerBudget>().ok_or(Problem::Internal)?;
        let guard = budget.begin(party).await?;
        let began = Instant::now();
        let queued = began - arrived;
        let deadline = began + limit;
        let slice_ends = guard.ends().min(deadline);
        let id = RequestId::of(request);
        let panics = &self.metrics.panics;
        let found = attempt(backend.as_ref(), checked, slice_ends, limit, id.as_str(), panics);
        let is_long = matches!(found, Err(Problem::TimedOut { .. }));
        guard.end(!is_long);
        if is_long && Instant::now() < deadline {
            return self.search_on_thread(request, party, backend, checked, deadline, queued).await;
        }
        log_search(request, backend.engine(), queued, began.elapsed(), &found);
        found
    }

    /// Searches on a separate thread once there is room, until the deadline. The request has
    /// already waited for `queued`.
    async fn search_on_thread(
        &self,
        request: &HttpRequest,
        party: &Party,
        backend: &Arc<dyn SearchBackend>,
        checked: &CheckedRequest,
        deadline: Instant,
        queued: Duration,
    ) -> Result<SearchPage, Problem> {
        let waits = Instant::now();
        let place = self.queue_of(backend.as_ref()).enter(party).await?;
        let began = Instant::now();
        let limit = self.settings.search_deadline;
        let engine = backend.engine();
        let (backend, id) = (Arc::clone(backend), RequestId::of(request).to_string());
        let (checked, panics) = (checked.clone(), self.metrics.panics.clone());
        let thread = rt::task::spawn_blocking(move || {
            // Held until the search ends, even if nobody waits for it any more.
            let _place = place;
            attempt(backend.as_ref(), &checked, deadline, limit, &id, &panics)
        });
        let found = thread.await.unwrap_or(Err(Problem::Internal));
        log_search(request, engine, queued + (began - waits), began.elapsed(), &found);
        found
    }
}

fn log_search(
    request: &HttpRequest,
    engine: &'static str,
    queued: Duration,
    searched: Duration,
    found: &Result<SearchPage, Problem>,
) {
    RequestLog::note(request, |log| {
        // One message of an agent may take several searches, all of one engine.
        let before = log.search.map_or(Duration::ZERO, |(_, before)| before);
        log.queue = Some(log.queue.unwrap_or_default() + queued);
        log.search = Some((engine, before + searched));
        log.count = found.as_ref().ok().map(|page| page.total);
    });
}

/// Searches until the deadline. `limit` is the time limit that a problem names.
///
/// # Errors
/// [`Problem::TimedOut`], [`Problem::EngineUnavailable`], or [`Problem::Internal`] when the backend
/// fails or panics; the log then says why, under the id of the request.
fn attempt(
    backend: &dyn SearchBackend,
    checked: &CheckedRequest,
    deadline: Instant,
    limit: Duration,
    id: &str,
    panics: &Counter,
) -> Result<SearchPage, Problem> {
    // A backend changes nothing that outlives a search, so a panic leaves nothing half done.
    let search = || outfall_api::search(backend, checked, Some(deadline));
    match catch_unwind(AssertUnwindSafe(search)) {
        Ok(Ok(page)) => Ok(page),
        Ok(Err(SearchError::TimedOut)) => Err(Problem::TimedOut { limit }),
        Ok(Err(error @ SearchError::Unavailable { retry_after, .. })) => {
            tracing::warn!(request_id = id, %error, "the engine cannot be asked");
            Err(Problem::EngineUnavailable { retry_after })
        }
        Ok(Err(error @ SearchError::Engine(_))) => {
            tracing::error!(request_id = id, %error, "the search failed");
            Err(Problem::Internal)
        }
        Err(panic) => {
            panics.inc();
            let panic = panic_message(panic.as_ref());
            tracing::error!(request_id = id, panic, "the search panicked");
            Err(Problem::Internal)
        }
    }
}

pub(crate) fn panic_message(panic: &(dyn std::any::Any + Send)) -> &str {
    match (panic.downcast_ref::<&str>(), panic.downcast_ref::<String>()) {
        (Some(message), _) => message,
        (None, Some(message)) => message,
        (None, None) => "without a message",
    }
}
