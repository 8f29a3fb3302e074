//! Counts the calls to a cluster and their outcomes, for the metrics.

use std::time::Duration;

use outfall_request::SearchError;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};

use crate::engines::{Observer, Outcome};
use crate::metrics::{Labels, histogram};

/// Counts the calls to a remote engine, and the searches that it failed.
#[derive(Clone, Debug)]
pub struct EngineCalls {
    engine: &'static str,
    requests: Family<Labels<2>, Counter>,
    durations: Family<Labels<1>, Histogram>,
    retries: Family<Labels<1>, Counter>,
    failures: Family<Labels<2>, Counter>,
}

/// Why a search failed, by name.
const FAILURES: [&str; 3] = ["unavailable", "timed-out", "unusable"];

impl EngineCalls {
    /// The counters of an engine. Each exists from the start, because an alert on a counter that
    /// does not exist yet would miss its first increment.
    pub(crate) fn of(engine: &'static str) -> Self {
        let calls = Self {
            engine,
            requests: Family::default(),
            durations: Family::new_with_constructor(histogram),
            retries: Family::default(),
            failures: Family::default(),
        };
        for outcome in Outcome::ALL {
            drop(calls.requests.get_or_create(&calls.labels("outcome", outcome.name())));
        }
        for kind in FAILURES {
            drop(calls.failures.get_or_create(&calls.labels("kind", kind)));
        }
        drop(calls.durations.get_or_create(&calls.label()));
        drop(calls.retries.get_or_create(&calls.label()));
        calls
    }

    fn label(&self) -> Labels<1> {
        [("engine", self.engine.to_owned())]
    }

    fn labels(&self, name: &'static str, value: &str) -> Labels<2> {
        [("engine", self.engine.to_owned()), (name, value.to_owned())]
    }

    /// Counts a failed search.
    pub(crate) fn failed(&self, error: &SearchError) {
        let [unavailable, timed_out, unusable] = FAILURES;
        let kind = match error {
            SearchError::Unavailable { .. } => unavailable,
            SearchError::TimedOut => timed_out,
            SearchError::Engine(_) => unusable,
        };
        self.failures.get_or_create(&self.labels("kind", kind)).inc();
    }

    pub(crate) fn register(&self, to: &mut Registry) {
        let help = "Calls to the nodes of a remote engine, by how they ended";
        to.register("engine_requests", help, self.requests.clone());
        let help = "How long calls to a remote engine took, with and without an answer";
        to.register_with_unit(
            "engine_request_duration",
            help,
            Unit::Seconds,
            self.durations.clone(),
        );
        let help = "Calls repeated at another node";
        to.register("engine_retries", help, self.retries.clone());
        let help = "Searches that a remote engine failed, by kind";
        to.register("engine_failures", help, self.failures.clone());
    }
}

impl Observer for EngineCalls {
    fn called(&self, outcome: Outcome, took: Duration) {
        self.requests.get_or_create(&self.labels("outcome", outcome.name())).inc();
        self.durations.get_or_create(&self.label()).observe(took.as_secs_f64());
    }

    fn retried(&self) {
        self.retries.get_or_create(&self.label()).inc();
    }
}
