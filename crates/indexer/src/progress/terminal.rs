//! Progress on standard error: bars on a terminal, a line per stage elsewhere.

use std::io::{IsTerminal, Write, stderr};
use std::time::Instant;

use indicatif::{ProgressBar, ProgressStyle};
use parking_lot::Mutex;

use super::Progress;

/// Shows the stages of a build on standard error.
#[derive(Default)]
pub struct TerminalProgress {
    stage: Mutex<Option<Stage>>,
}

struct Stage {
    name: String,
    started: Instant,
    rows: u64,
    bytes: u64,
    /// `None` if standard error is not a terminal.
    bar: Option<ProgressBar>,
}

const BYTES: &str = "{msg} {wide_bar} {bytes}/{total_bytes} {binary_bytes_per_sec} {eta} left";
const SPINNER: &str = "{msg} {spinner} {elapsed}";

impl Progress for TerminalProgress {
    fn begin(&self, stage: &str, bytes: Option<u64>) {
        let bar = stderr().is_terminal().then(|| {
            let (bar, template) = match bytes {
                Some(bytes) => (ProgressBar::new(bytes), BYTES),
                None => (ProgressBar::new_spinner(), SPINNER),
            };
            bar.set_style(
                ProgressStyle::with_template(template)
                    .unwrap_or_else(|_| ProgressStyle::default_bar()),
            );
            bar.set_message(stage.to_owned());
            bar.enable_steady_tick(std::time::Duration::from_millis(200));
            bar
        });
        let name = stage.to_owned();
        *self.stage.lock() = Some(Stage { name, started: Instant::now(), rows: 0, bytes: 0, bar });
    }

    fn advance(&self, bytes: u64, rows: u64) {
        if let Some(stage) = self.stage.lock().as_mut() {
            (stage.bytes, stage.rows) = (bytes, rows);
            if let Some(bar) = &stage.bar {
                if rows > 0 {
                    bar.set_message(format!("{}, {rows} rows", stage.name));
                }
                bar.set_position(bytes);
            }
        }
    }

    fn end(&self) {
        let Some(Stage { name, started, rows, bytes, bar }) = self.stage.lock().take() else {
            return;
        };
        if let Some(bar) = bar {
            bar.finish_and_clear();
        }
        let seconds = started.elapsed().as_secs_f64();
        let speed = bytes as f64 / 1e6 / seconds.max(1e-9);
        let rows = match (rows, bytes) {
            (0, 0) => String::new(),
            (0, _) => format!(", {:.1} MB", bytes as f64 / 1e6),
            (_, 0) => format!(", {rows} records"),
            _ => format!(", {rows} rows, {speed:.0} MB/s"),
        };
        // Progress that cannot be shown is no reason to stop.
        let _ = writeln!(stderr(), "{name}: {seconds:.1} s{rows}");
    }
}
