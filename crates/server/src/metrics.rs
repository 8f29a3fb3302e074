//! The metrics of the service, for Prometheus. No label holds text from a caller.

use std::sync::atomic::Ordering;
use std::time::Duration;

use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::{Registry, Unit};

use crate::Settings;
use crate::exposition::Exposition;
use crate::state::AppState;

/// The name and the value of each label.
pub(crate) type Labels<const N: usize> = [(&'static str, String); N];

/// All metrics; those that are counted elsewhere are read when a client asks for them.
pub(crate) struct Metrics {
    registry: Registry,
    requests: Family<Labels<2>, Counter>,
    problems: Family<Labels<1>, Counter>,
    durations: Family<Labels<1>, Histogram>,
    searches: Family<Labels<1>, Histogram>,
    queues: Histogram,
    in_flight: Gauge,
    waiting: Gauge,
    keys: Family<Labels<1>, Gauge>,
    index: Family<Labels<1>, Gauge>,
    is_degraded: Gauge,
    is_key_file_unreadable: Gauge,
    log_lines_dropped: Counter,
    /// Input that could not be read as a request.
    pub(crate) malformed_requests: Counter,
    /// Searches that panicked.
    pub(crate) panics: Counter,
    /// Connections that were cut because they made no progress.
    pub(crate) connections_cut: Counter,
    /// Exports that were cut so that another caller may have one.
    pub(crate) exports_gave_way: Counter,
    /// Connections that were closed to make room for others.
    pub(crate) connections_displaced: Counter,
}

/// The facts of an answered request that are counted.
pub(crate) struct Answered<'a> {
    /// The pattern of the route, never the path.
    pub(crate) route: &'a str,
    pub(crate) status: u16,
    pub(crate) problem: Option<&'static str>,
    pub(crate) total: Duration,
    pub(crate) queue: Option<Duration>,
    /// The engine that searched, and how long it took.
    pub(crate) search: Option<(&'static str, Duration)>,
}

/// From 0.1 ms to 3.3 s.
pub(crate) fn histogram() -> Histogram {
    Histogram::new(exponential_buckets(1e-4, 2.0, 16))
}

impl Metrics {
    /// New metrics, including the counters of the settings.
    pub(crate) fn new(settings: &Settings) -> Self {
        let metrics = Self {
            registry: Registry::with_prefix("outfall"),
            requests: Family::default(),
            problems: Family::default(),
            durations: Family::new_with_constructor(histogram),
            searches: Family::new_with_constructor(histogram),
            queues: histogram(),
            in_flight: Gauge::default(),
            waiting: Gauge::default(),
            keys: Family::default(),
            index: Family::default(),
            is_degraded: Gauge::default(),
            is_key_file_unreadable: Gauge::default(),
            log_lines_dropped: Counter::default(),
            malformed_requests: Counter::default(),
            panics: Counter::default(),
            connections_cut: Counter::default(),
            exports_gave_way: Counter::default(),
            connections_displaced: Counter::default(),
        };
        metrics.registered(settings)
    }

    fn registered(mut self, settings: &Settings) -> Self {
        let Settings { index_loads, engine_calls, updates, .. } = settings;
        let to = &mut self.registry;
        let seconds = || Unit::Seconds;
        to.register("requests", "Answered requests", self.requests.clone());
        to.register("problems", "Requests not answered as asked, by code", self.problems.clone());
        let help = "From the head of a request to the head of its answer";
        to.register_with_unit("request_duration", help, seconds(), self.durations.clone());
        to.register_with_unit("search_duration", "Searches", seconds(), self.searches.clone());
        let help = "How long requests waited for their search";
        to.register_with_unit("queue_duration", help, seconds(), self.queues.clone());
        let help = "Requests whose answer is not yet sent";
        to.register("requests_in_flight", help, self.in_flight.clone());
        to.register("searches_waiting", "Long searches that wait for a core", self.waiting.clone());
        to.register("keys", "Known keys by state", self.keys.clone());
        to.register("index_info", "The index that is served", self.index.clone());
        let help = "1 while what is published cannot be served";
        to.register("index_degraded", help, self.is_degraded.clone());
        let help = "1 while the key file cannot be read and the keys stay as they were";
        to.register("key_file_unreadable", help, self.is_key_file_unreadable.clone());
        to.register("index_loads", "Indexes taken over", index_loads.done.clone());
        to.register("index_load_failures", "Indexes that were refused", index_loads.failed.clone());
        let help = "Updates after which the index was up to date";
        to.register("updates", help, updates.done.clone());
        to.register("update_failures", "Updates that failed", updates.failed.clone());
        let help = "1 if the last update failed";
        to.register("update_failing", help, updates.is_failing.clone());
        to.register("panics", "Searches that panicked", self.panics.clone());
        let help = "Connections cut because they made no progress";
        to.register("connections_cut", help, self.connections_cut.clone());
        let help = "Exports cut so that another key may have one";
        to.register("exports_gave_way", help, self.exports_gave_way.clone());
        let help = "Connections closed to make room for others";
        to.register("connections_displaced", help, self.connections_displaced.clone());
        let help = "Lines of the log that nobody took in time";
        to.register("log_lines_dropped", help, self.log_lines_dropped.clone());
        let help = "What came in place of a request and was none";
        to.register("malformed_requests", help, self.malformed_requests.clone());
        if let Some(calls) = engine_calls {
            calls.register(to);
        }
        let build = Info::new([("version", env!("CARGO_PKG_VERSION"))]);
        to.register("build", "This program", build);
        self
    }

    /// Counts a request as in flight.
    pub(crate) fn begin(&self) -> InFlight {
        self.in_flight.inc();
        InFlight(self.in_flight.clone())
    }

    /// Counts an answer.
    pub(crate) fn answered(&self, answered: &Answered<'_>) {
        let route = || ("route", answered.route.to_owned());
        let status = ("status", answered.status.to_string());
        self.requests.get_or_create(&[route(), status]).inc();
        self.durations.get_or_create(&[route()]).observe(answered.total.as_secs_f64());
        if let Some(code) = answered.problem {
            self.problems.get_or_create(&[("code", code.to_owned())]).inc();
        }
        if let Some(queue) = answered.queue {
            self.queues.observe(queue.as_secs_f64());
        }
        if let Some((engine, search)) = answered.search {
            let engine = [("engine", engine.to_owned())];
            self.searches.get_or_create(&engine).observe(search.as_secs_f64());
        }
    }

    /// All metrics as text.
    pub(crate) fn text(&self, state: &AppState, format: Exposition) -> String {
        self.waiting.set(i64::try_from(state.searches.waiting()).unwrap_or(i64::MAX));
        self.is_degraded.set(i64::from(state.is_index_degraded()));
        self.is_key_file_unreadable.set(i64::from(state.is_key_file_unreadable()));
        self.index.clear();
        if let Ok(backend) = state.backend() {
            let build_id = backend.dataset().build_id.clone();
            self.index.get_or_create(&[("build_id", build_id)]).set(1);
        }
        let (active, refused) = state.keys.counts();
        for (name, count) in [("active", active), ("refused", refused)] {
            let count = i64::try_from(count).unwrap_or(i64::MAX);
            self.keys.get_or_create(&[("state", name.to_owned())]).set(count);
        }
        if let Some(dropped) = &state.settings.dropped_log_lines {
            self.log_lines_dropped.inner().store(dropped.dropped_lines() as u64, Ordering::Relaxed);
        }
        let mut text = String::new();
        // Writing to a string never fails.
        let _ = encode(&mut text, &self.registry);
        format.of_open_metrics(text)
    }
}

/// Counts a request as in flight until dropped.
pub(crate) struct InFlight(Gauge);

impl Drop for InFlight {
    fn drop(&mut self) {
        self.0.dec();
    }
}
