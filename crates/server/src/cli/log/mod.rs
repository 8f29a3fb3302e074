//! The log of a running service, on standard error.

mod redacted;

use std::env::{self, VarError};
use std::{io, panic, thread};

use tracing_appender::non_blocking::{ErrorCounter, NonBlockingBuilder, WorkerGuard};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{EnvFilter, Layer, fmt, registry};

use redacted::Redacted;

use super::{CommandError, LogFormat};
use crate::search::panic_message;

/// How many lines are buffered while nobody reads the log; more are dropped, and counted.
const LINES: usize = 8192;
/// The environment variable that sets the log level.
const LEVEL: &str = "OUTFALL_LOG_LEVEL";
/// Silences the HTTP library, because any client can make it complain at will; such requests are
/// counted instead.
const QUIET: &str = "actix_http=off";

/// A running log. Dropping it writes the buffered lines, if anybody reads them.
pub(super) struct Log {
    pub(super) dropped_lines: ErrorCounter,
    _guard: WorkerGuard,
}

impl Log {
    /// Starts the log on a separate thread, because a pipe that nobody reads must not block
    /// requests.
    ///
    /// # Errors
    /// [`CommandError::Usage`] when the level is invalid.
    pub(super) fn start(format: LogFormat) -> Result<Self, CommandError> {
        let filter = filter()?;
        let writer = NonBlockingBuilder::default().lossy(true).buffered_lines_limit(LINES);
        let (writer, guard) = writer.finish(Redacted(io::stderr()));
        let dropped_lines = writer.error_counter();
        let lines = fmt::layer().with_writer(writer);
        let lines = match format {
            LogFormat::Text => lines.boxed(),
            LogFormat::Json => lines.json().flatten_event(true).boxed(),
        };
        // A log that a test in the same process started earlier stays.
        let _ = registry().with(lines.with_filter(filter)).try_init();
        log_panics();
        Ok(Self { dropped_lines, _guard: guard })
    }
}

fn filter() -> Result<EnvFilter, CommandError> {
    let usage = |error: &dyn std::error::Error| CommandError::Usage(format!("{LEVEL}: {error}"));
    let level = match env::var(LEVEL) {
        Ok(level) if !level.trim().is_empty() => level,
        Ok(_) | Err(VarError::NotPresent) => "info".to_owned(),
        Err(error) => return Err(usage(&error)),
    };
    // Later directives win, so an operator can still enable the library by name.
    EnvFilter::try_new(format!("{QUIET},{level}")).map_err(|error| usage(&error))
}

/// Logs panics like everything else: in the same format, and without keys.
fn log_panics() {
    panic::set_hook(Box::new(|panic| {
        let thread = thread::current();
        tracing::error!(
            thread = thread.name(),
            location = panic.location().map(tracing::field::display),
            panic = panic_message(panic.payload()),
            "panicked"
        );
    }));
}
