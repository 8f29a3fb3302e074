//! Counts malformed requests.
//!
//! The HTTP library answers these by itself, before a route could see them. The only sign of one is
//! a log event of the library.

use std::fmt::Debug;

use prometheus_client::metrics::counter::Counter;
use tracing::field::{Field, Visit};
use tracing::{Event, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::Context;
use tracing_subscriber::registry::LookupSpan;

/// The target of events about connections that ended.
const TARGET: &str = "actix_http::h1::dispatcher";
/// The message of the events that count; the others are about broken connections.
const CAUSE: &str = "request parse error";

/// A log layer that counts the events of malformed requests.
pub(super) struct MalformedRequests(Counter);

impl MalformedRequests {
    /// The layer, which only sees the events of [`TARGET`].
    pub(super) fn layer<S>(counter: Counter) -> impl Layer<S>
    where
        S: Subscriber + for<'a> LookupSpan<'a>,
    {
        Self(counter).with_filter(Targets::new().with_target(TARGET, LevelFilter::ERROR))
    }
}

impl<S: Subscriber> Layer<S> for MalformedRequests {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        let mut cause = Cause { is_malformed: false };
        event.record(&mut cause);
        if cause.is_malformed {
            self.0.inc();
        }
    }
}

struct Cause {
    is_malformed: bool,
}

impl Visit for Cause {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.is_malformed |= field.name() == "message" && format!("{value:?}").contains(CAUSE);
    }
}
