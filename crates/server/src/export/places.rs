//! Limits how many exports run at once, and decides which of them gives way when others wait.

use std::sync::Arc;
use std::time::Duration;

use actix_web::HttpRequest;
use parking_lot::Mutex;
use prometheus_client::metrics::counter::Counter;
use tokio::sync::Notify;
use tokio::time::{Instant, timeout_at};

use super::pace::Pace;
use crate::Settings;
use crate::caller::Caller;
use crate::connections::{Connection, Open};
use crate::http::RequestId;

/// Places for exports, with a limit for each caller. When all are taken, an export whose caller has
/// none running waits a little for one of them to end. After that, another one gives way: the
/// slowest of callers with more than one, or else the slowest of all, if it is too slow.
#[derive(Debug)]
pub(crate) struct Places {
    of_caller: usize,
    of_all: usize,
    /// How long an export waits for a place.
    patience: Duration,
    /// The pace, in bytes a second, from which the only export of a caller never gives way.
    least_pace: f64,
    state: Mutex<State>,
    /// Notified of each place that becomes free.
    freed: Notify,
    gave_way: Counter,
}

#[derive(Debug, Default)]
struct State {
    running: Vec<Running>,
    /// Callers that wait for their first place.
    waiting: Vec<Caller>,
    last_number: u64,
}

#[derive(Debug)]
struct Running {
    number: u64,
    caller: Caller,
    pace: Arc<Pace>,
    request_id: String,
    /// The connection that carries it, cut when it gives way.
    connection: Option<Arc<Connection>>,
}

/// The place of a running export, until this is dropped or the export gives way.
#[derive(Debug)]
pub(crate) struct Place {
    places: Arc<Places>,
    number: u64,
    pub(super) pace: Arc<Pace>,
}

/// Why an export got no place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NoPlace {
    /// The caller already has its maximum number of exports running.
    OfCaller,
    /// All places are taken, and no export gives way.
    OfAll,
}

/// Keeps a caller on the waiting list until dropped.
struct Waiting<'a>(&'a Places, &'a Caller);

impl Places {
    /// `of_all` places together, of which each caller gets at most `of_caller`.
    pub(crate) fn new(
        settings: &Settings,
        of_caller: usize,
        of_all: usize,
        gave_way: Counter,
    ) -> Arc<Self> {
        Arc::new(Self {
            of_caller,
            of_all,
            patience: settings.export_patience,
            least_pace: f64::from(settings.least_export_pace),
            state: Mutex::default(),
            freed: Notify::new(),
            gave_way,
        })
    }

    /// Takes a place for the export that this request asks for.
    ///
    /// # Errors
    /// [`NoPlace::OfCaller`] when the caller already has its maximum, and [`NoPlace::OfAll`] when
    /// all places are taken and none gives way.
    pub(crate) async fn take(
        self: &Arc<Self>,
        caller: &Caller,
        request: &HttpRequest,
    ) -> Result<Place, NoPlace> {
        let _waiting = match self.try_take(caller, request)? {
            Some(place) => return Ok(place),
            None => self.wait(caller)?,
        };
        let until = Instant::now() + self.patience;
        while timeout_at(until, self.freed.notified()).await.is_ok() {
            if let Some(place) = self.try_take(caller, request)? {
                return Ok(place);
            }
        }
        let mut state = self.state.lock();
        if state.count(caller) > 0 {
            return Err(NoPlace::OfAll);
        }
        if state.running.len() >= self.of_all {
            let slowest = self.one_that_gives_way(&state).ok_or(NoPlace::OfAll)?;
            let slowest = state.running.swap_remove(slowest);
            // The export cannot end while this is locked, so nothing else is cut by mistake.
            slowest.connection.iter().for_each(|connection| connection.cut());
            self.gave_way.inc();
            tracing::info!(
                request_id = slowest.request_id,
                "an export gave way to another caller's"
            );
        }
        Ok(self.begin(&mut state, caller, request))
    }

    /// A place, if one is free.
    ///
    /// # Errors
    /// [`NoPlace::OfCaller`] when the caller already has its maximum.
    fn try_take(
        self: &Arc<Self>,
        caller: &Caller,
        request: &HttpRequest,
    ) -> Result<Option<Place>, NoPlace> {
        let mut state = self.state.lock();
        if state.count(caller) >= self.of_caller {
            return Err(NoPlace::OfCaller);
        }
        let is_free = state.running.len() < self.of_all;
        Ok(is_free.then(|| self.begin(&mut state, caller, request)))
    }

    fn begin(self: &Arc<Self>, state: &mut State, caller: &Caller, request: &HttpRequest) -> Place {
        state.last_number += 1;
        let number = state.last_number;
        let pace = Arc::new(Pace::new(self.least_pace));
        state.running.push(Running {
            number,
            caller: caller.clone(),
            pace: Arc::clone(&pace),
            request_id: RequestId::of(request).to_string(),
            connection: request.conn_data::<Open>().map(Open::connection),
        });
        Place { places: Arc::clone(self), number, pace }
    }

    /// Puts a caller on the waiting list for its first place, at most once.
    fn wait<'a>(&'a self, caller: &'a Caller) -> Result<Waiting<'a>, NoPlace> {
        let mut state = self.state.lock();
        let has_one = state.count(caller) > 0 || state.waiting.contains(caller);
        if has_one || state.waiting.len() >= self.of_all {
            return Err(NoPlace::OfAll);
        }
        state.waiting.push(caller.clone());
        Ok(Waiting(self, caller))
    }

    /// The index of the export that gives way to the first one of another caller.
    fn one_that_gives_way(&self, state: &State) -> Option<usize> {
        let candidates = state.running.iter().enumerate().map(|(index, running)| {
            let is_only = state.count(&running.caller) == 1;
            (is_only, running.pace.now(), index)
        });
        let slowest =
            candidates.min_by(|one, other| one.0.cmp(&other.0).then(one.1.total_cmp(&other.1)));
        let gives_way = slowest.filter(|(is_only, pace, _)| !is_only || *pace < self.least_pace);
        gives_way.map(|(_, _, index)| index)
    }
}

impl State {
    fn count(&self, caller: &Caller) -> usize {
        self.running.iter().filter(|running| running.caller == *caller).count()
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.places.state.lock().running.retain(|running| running.number != self.number);
        self.places.freed.notify_one();
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        let mut state = self.0.state.lock();
        if let Some(place) = state.waiting.iter().position(|caller| caller == self.1) {
            state.waiting.swap_remove(place);
        }
    }
}
