//! Counts what comes in place of a request and is none.
//!
//! The HTTP library answers that by itself, before there is a request that a route could see. The
//! one sign of it is an event that the library would log.

use std::fmt::Debug;

use prometheus_client::metrics::counter::Counter;
use tracing::field::{Field, Visit};
use tracing::{Event, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::Context;
use tracing_subscriber::registry::LookupSpan;

/// Tells why a connection ended.
const TARGET: &str = "actix_http::h1::dispatcher";
/// The cause of those that count; others are broken connections.
const CAUSE: &str = "request parse error";

/// Counts the events of malformed requests.
pub(super) struct MalformedRequests(Counter);

impl MalformedRequests {
    /// A layer that sees nothing else.
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
