//! The progress of a build, for the caller to show.

mod terminal;

pub use terminal::TerminalProgress;

/// Receives the stages of a build and the progress of each; every method may be called often.
pub trait Progress: Sync {
    /// A stage began; `bytes` is its length, if known.
    fn begin(&self, stage: &str, bytes: Option<u64>);
    /// So far `bytes` of the stage's length and `rows` rows are done.
    fn advance(&self, bytes: u64, rows: u64);
    /// The stage is done.
    fn end(&self);
}

/// Shows nothing.
#[derive(Clone, Copy, Debug)]
pub struct Silent;

impl Progress for Silent {
    fn begin(&self, _stage: &str, _bytes: Option<u64>) {}
    fn advance(&self, _bytes: u64, _rows: u64) {}
    fn end(&self) {}
}
