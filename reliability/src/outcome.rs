//! The outcome of an experiment: the cases that were tried, those that held, and figures.

use std::collections::BTreeMap;
use std::fmt;

/// The cases of one experiment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    tried: u64,
    broken: Vec<String>,
    figures: Vec<String>,
    counts: BTreeMap<&'static str, u64>,
}

impl Outcome {
    /// How many cases there were.
    #[must_use]
    pub const fn tried(&self) -> u64 {
        self.tried
    }

    /// How many cases were as claimed.
    #[must_use]
    pub const fn held(&self) -> u64 {
        self.tried.saturating_sub(self.broken.len() as u64)
    }

    /// The cases that were not as claimed, each with what was seen instead.
    #[must_use]
    pub fn broken(&self) -> &[String] {
        &self.broken
    }

    /// The figures that were measured, each with its unit.
    #[must_use]
    pub fn figures(&self) -> Vec<String> {
        let counts = self.counts.iter().map(|(name, count)| format!("{count} {name}"));
        self.figures.iter().cloned().chain(counts).collect()
    }

    /// Counts a case; the error says what was seen instead of what is claimed.
    pub(crate) fn note(&mut self, case: impl fmt::Display, seen: Result<(), String>) {
        self.tried += 1;
        if let Err(seen) = seen {
            self.broken.push(format!("{case}: {seen}"));
        }
    }

    /// Counts an event that becomes a figure.
    pub(crate) fn count(&mut self, name: &'static str) {
        self.count_more(name, 1);
    }

    /// Counts several events at once.
    pub(crate) fn count_more(&mut self, name: &'static str, more: u64) {
        *self.counts.entry(name).or_default() += more;
    }

    /// How many such events were counted.
    pub(crate) fn counted(&self, name: &str) -> u64 {
        self.counts.get(name).copied().unwrap_or_default()
    }

    /// Adds the outcome of other cases.
    pub(crate) fn join(&mut self, other: Self) {
        self.tried += other.tried;
        self.broken.extend(other.broken);
        self.figures.extend(other.figures);
        other
            .counts
            .into_iter()
            .for_each(|(name, count)| *self.counts.entry(name).or_default() += count);
    }

    /// Adds a figure that was measured.
    pub(crate) fn figure(&mut self, figure: impl fmt::Display) {
        self.figures.push(figure.to_string());
    }
}

/// Fails with `otherwise` if something is not as claimed.
pub(crate) fn ensure(holds: bool, otherwise: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(otherwise()) }
}
