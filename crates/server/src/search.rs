//! The one door to the backend: admission, the deadline, and panics that end one search alone.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

use actix_web::{HttpRequest, rt};
use outfall_request::{SearchBackend, SearchError, SearchPage, SearchRequest};

use prometheus_client::metrics::counter::Counter;

use crate::admission::{Party, Turns};
use crate::http::{RequestId, RequestLog};
use crate::problem::Problem;
use crate::state::AppState;

impl AppState {
    /// Searches within the deadline, on this thread if that takes no more than a slice of time.
    ///
    /// # Errors
    /// [`Problem::Overloaded`], and those of [`attempt`].
    pub(crate) async fn search(
        &self,
        request: &HttpRequest,
        party: &Party,
        backend: &Arc<dyn SearchBackend>,
        mut search: SearchRequest,
    ) -> Result<SearchPage, Problem> {
        let id = RequestId::of(request);
        let turns = request.app_data::<Turns>().ok_or(Problem::Internal)?;
        let panics = &self.metrics.panics;
        let arrived = Instant::now();
        let turn = turns.begin(party).await?;
        let mut began = Instant::now();
        let mut queued = began - arrived;
        let limit = self.settings.search_deadline;
        let deadline = began + limit;
        search.deadline = Some(turn.ends().min(deadline));
        let mut found = attempt(backend.as_ref(), &search, limit, id.as_str(), panics);
        let is_long = matches!(found, Err(Problem::TimedOut { .. }));
        turn.end(!is_long);
        if is_long && Instant::now() < deadline {
            let waits = Instant::now();
            let place = self.searches.enter(party).await?;
            began = Instant::now();
            queued += began - waits;
            search.deadline = Some(deadline);
            let (backend, id) = (Arc::clone(backend), id.to_string());
            let panics = panics.clone();
            let thread = rt::task::spawn_blocking(move || {
                // The next one runs when this has ended, whether or not somebody still waits.
                let _place = place;
                attempt(backend.as_ref(), &search, limit, &id, &panics)
            });
            found = thread.await.unwrap_or(Err(Problem::Internal));
        }
        let searched = began.elapsed();
        RequestLog::note(request, |log| {
            log.queue = Some(queued);
            log.search = Some(searched);
            log.count = found.as_ref().ok().map(|page| page.total);
        });
        found
    }
}

/// Searches until the deadline of the request; `limit` is what the caller is told of it.
///
/// # Errors
/// [`Problem::TimedOut`], or [`Problem::Internal`] when the backend fails or panics; the log then
/// says why, under the id of the request.
fn attempt(
    backend: &dyn SearchBackend,
    search: &SearchRequest,
    limit: Duration,
    id: &str,
    panics: &Counter,
) -> Result<SearchPage, Problem> {
    // A backend changes nothing that outlives a search, so a panic leaves nothing half done.
    match catch_unwind(AssertUnwindSafe(|| backend.search(search))) {
        Ok(Ok(page)) => Ok(page),
        Ok(Err(SearchError::TimedOut)) => Err(Problem::TimedOut { limit }),
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

/// What a panic said.
pub(crate) fn panic_message(panic: &(dyn std::any::Any + Send)) -> &str {
    match (panic.downcast_ref::<&str>(), panic.downcast_ref::<String>()) {
        (Some(message), _) => message,
        (None, Some(message)) => message,
        (None, None) => "without a message",
    }
}
