//! What came out, as a table that people read and a document can hold.

use std::fmt;

use crate::{Experiment, Verdict};

/// The verdicts of several experiments.
#[derive(Debug, Default)]
pub struct Table {
    rows: Vec<(&'static str, &'static str, Verdict)>,
}

impl Table {
    /// Adds what came out of an experiment.
    pub fn add(&mut self, experiment: &Experiment, verdict: Verdict) {
        self.rows.push((experiment.name, experiment.claim, verdict));
    }

    /// Whether some claim did not hold.
    #[must_use]
    pub fn is_bad(&self) -> bool {
        self.rows.iter().any(|(_, _, verdict)| verdict.is_bad())
    }
}

impl fmt::Display for Table {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(formatter, "| Experiment | What must hold | Tried | Held | Figures |")?;
        writeln!(formatter, "|---|---|---:|---:|---|")?;
        for (name, claim, verdict) in &self.rows {
            let (tried, held, figures) = match verdict {
                Verdict::Ran(it) => {
                    (it.tried().to_string(), it.held().to_string(), it.figures().join("; "))
                }
                Verdict::Failed(error) => {
                    ("–".to_owned(), "–".to_owned(), format!("failed: {error}"))
                }
                Verdict::Skipped(reason) => {
                    ("–".to_owned(), "–".to_owned(), format!("skipped: {reason}"))
                }
            };
            writeln!(formatter, "| {name} | {claim} | {tried} | {held} | {figures} |")?;
        }
        let skipped: Vec<&str> = self
            .rows
            .iter()
            .filter(|(_, _, verdict)| matches!(verdict, Verdict::Skipped(_)))
            .map(|(name, _, _)| *name)
            .collect();
        match skipped.as_slice() {
            [] => writeln!(formatter, "\nNone was skipped."),
            names => writeln!(formatter, "\nSkipped: {}.", names.join(", ")),
        }
    }
}
