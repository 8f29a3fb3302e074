//! The results, as a table that people can read and a document can hold.

use std::fmt;

use crate::{Experiment, Verdict};

const HEADER: &str =
    "| Experiment | What must hold | Tried | Held | Figures |\n|---|---|---:|---:|---|";
/// The beginning of the figures of an experiment that the machine did not permit.
const SKIPPED: &str = "skipped: ";

/// The rows of several experiments.
#[derive(Debug, Default)]
pub struct Table {
    /// Each row, after the name of its experiment.
    rows: Vec<(String, String)>,
    is_bad: bool,
}

impl Table {
    /// Adds the result of an experiment.
    pub fn add(&mut self, experiment: &Experiment, verdict: &Verdict) {
        let (tried, held, figures) = match verdict {
            Verdict::Ran(outcome) => {
                let figures = outcome.figures().join("; ");
                (outcome.tried().to_string(), outcome.held().to_string(), figures)
            }
            Verdict::Failed(error) => ("–".into(), "–".into(), format!("failed: {error}")),
            Verdict::Skipped(reason) => ("–".into(), "–".into(), format!("{SKIPPED}{reason}")),
        };
        let Experiment { name, claim, .. } = experiment;
        let row = format!("| {name} | {claim} | {tried} | {held} | {figures} |");
        self.rows.push(((*name).to_owned(), row));
        self.is_bad |= verdict.is_bad();
    }

    /// Whether some claim did not hold, or could not be tested although it should have been.
    #[must_use]
    pub const fn is_bad(&self) -> bool {
        self.is_bad
    }

    /// This table, with the rows of an earlier document for those of `experiments` that it lacks,
    /// in the order of `experiments`. An earlier row stays as it is, with its own figures; an
    /// experiment that has no row in either gets one that says so.
    #[must_use]
    pub fn over(self, earlier: &str, experiments: impl Iterator<Item = Experiment>) -> Self {
        let mut rows = Vec::new();
        for Experiment { name, claim, .. } in experiments {
            let new = self.rows.iter().find(|(known, _)| known == name).map(|(_, row)| row.clone());
            let begin = format!("| {name} | ");
            let old = || earlier.lines().find(|line| line.starts_with(&begin)).map(str::to_owned);
            let none = || format!("| {name} | {claim} | – | – | not run yet |");
            rows.push((name.to_owned(), new.or_else(old).unwrap_or_else(none)));
        }
        Self { rows, ..self }
    }
}

impl fmt::Display for Table {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(formatter, "{HEADER}")?;
        for (_, row) in &self.rows {
            writeln!(formatter, "{row}")?;
        }
        let mark = format!("| {SKIPPED}");
        let skipped = self.rows.iter().filter(|(_, row)| row.contains(&mark));
        let skipped: Vec<&str> = skipped.map(|(name, _)| name.as_str()).collect();
        match skipped.as_slice() {
            [] => writeln!(formatter, "\nNone was skipped."),
            names => writeln!(formatter, "\nSkipped: {}.", names.join(", ")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Outcome;

    fn experiment(name: &'static str) -> Experiment {
        Experiment { name, claim: "it holds", needs: &[], run: |_, _| Ok(Outcome::default()) }
    }

    #[test]
    fn a_partial_run_leaves_the_other_rows_as_they_were() {
        let mut table = Table::default();
        let mut outcome = Outcome::default();
        outcome.note("a case", Ok(()));
        outcome.figure("new figures");
        table.add(&experiment("one"), &Verdict::Ran(outcome));
        table.add(&experiment("four"), &Verdict::Skipped("no strace".to_owned()));
        let earlier = format!(
            "# Title\n\n{HEADER}\n\
             | three | it held | 3 | 3 | old figures |\n\
             | one | it held | 5 | 5 | old figures |\n\
             | one more | it held | 7 | 6 | old figures |\n\
             | two | it held | – | – | skipped: no root |\n\
             | gone | it held | 1 | 1 | |\n\n\
             Skipped: two.\n"
        );
        let all = ["one", "one more", "two", "three", "four", "new"].map(experiment);
        let expected = format!(
            "{HEADER}\n\
             | one | it holds | 1 | 1 | new figures |\n\
             | one more | it held | 7 | 6 | old figures |\n\
             | two | it held | – | – | skipped: no root |\n\
             | three | it held | 3 | 3 | old figures |\n\
             | four | it holds | – | – | skipped: no strace |\n\
             | new | it holds | – | – | not run yet |\n\n\
             Skipped: two, four.\n"
        );
        assert_eq!(table.over(&earlier, all.into_iter()).to_string(), expected);
    }
}
