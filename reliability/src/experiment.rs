//! What an experiment is, and how one comes out.

use crate::{Lab, LabError, Need, Outcome};

/// How much of an experiment is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tier {
    /// What a test run can afford: samples, where there are many cases.
    Quick,
    /// Every case.
    Full,
}

impl Tier {
    /// One of two sizes.
    pub(crate) const fn pick<T: Copy>(self, quick: T, full: T) -> T {
        match self {
            Self::Quick => quick,
            Self::Full => full,
        }
    }
}

/// A claim about the service, and what puts it to the test.
#[derive(Clone, Copy, Debug)]
pub struct Experiment {
    /// A few words, unique.
    pub name: &'static str,
    /// What must hold in every case.
    pub claim: &'static str,
    /// What the machine must offer.
    pub needs: &'static [Need],
    /// Tries all cases.
    pub run: fn(&Lab, Tier) -> Result<Outcome, LabError>,
}

/// How an experiment came out.
#[derive(Debug)]
pub enum Verdict {
    /// It ran to its end; some cases may not have held.
    Ran(Outcome),
    /// It could not be done; nothing is known of its claim.
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
    /// Whether the claim was contradicted, or could not be looked into although it should.
    #[must_use]
    pub fn is_bad(&self) -> bool {
        match self {
            Self::Ran(outcome) => outcome.tried() == 0 || !outcome.broken().is_empty(),
            Self::Failed(_) => true,
            Self::Skipped(_) => false,
        }
    }
}
