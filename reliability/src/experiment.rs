//! Experiments, and their verdicts.

use crate::{Lab, LabError, Need, Outcome};

/// How much of an experiment is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tier {
    /// As many cases as a test run has time for: a sample, if there are many.
    Quick,
    /// Every case.
    Full,
}

impl Tier {
    /// Of two values, the one for this tier.
    pub(crate) const fn pick<T: Copy>(self, quick: T, full: T) -> T {
        match self {
            Self::Quick => quick,
            Self::Full => full,
        }
    }
}

/// A claim about the service, and the code that tests it.
#[derive(Clone, Copy, Debug)]
pub struct Experiment {
    /// A unique name of a few words.
    pub name: &'static str,
    /// What must hold in every case.
    pub claim: &'static str,
    /// What the machine must offer.
    pub needs: &'static [Need],
    /// Tries all cases.
    pub run: fn(&Lab, Tier) -> Result<Outcome, LabError>,
}

/// The result of an experiment.
#[derive(Debug)]
pub enum Verdict {
    /// It ran to its end; some cases may not have held.
    Ran(Outcome),
    /// It could not be run, so nothing is known about its claim.
    Failed(LabError),
    /// The machine lacks what it needs, for this reason.
    Skipped(String),
}

impl Experiment {
    /// Why it cannot run here, if it cannot.
    #[must_use]
    pub fn obstacle(&self) -> Option<String> {
        self.needs.iter().find_map(|need| need.obstacle())
    }

    /// Runs it if it can be run here.
    #[must_use]
    pub fn verdict(&self, lab: &Lab, tier: Tier) -> Verdict {
        if let Some(reason) = self.obstacle() {
            return Verdict::Skipped(reason);
        }
        match (self.run)(lab, tier) {
            Ok(outcome) => Verdict::Ran(outcome),
            Err(error) => Verdict::Failed(error),
        }
    }
}

impl Verdict {
    /// Whether the claim was broken, or could not be tested although it should have been.
    #[must_use]
    pub fn is_bad(&self) -> bool {
        match self {
            Self::Ran(outcome) => outcome.tried() == 0 || !outcome.broken().is_empty(),
            Self::Failed(_) => true,
            Self::Skipped(_) => false,
        }
    }
}
