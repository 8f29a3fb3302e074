//! The requests that are timed: every class of them, drawn from the words of the corpus itself.

mod classes;
mod draft;
mod vocabulary;

use outfall_indexer::Dataset;
use outfall_request::{SearchBackend, SearchRequest};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use self::classes::{CLASSES, Draws};
use self::vocabulary::Vocabulary;

/// A request, and what the service is asked for the same.
#[derive(Clone, Debug)]
pub struct Question {
    /// The class that it was drawn for.
    pub class: &'static str,
    /// Path and query string.
    pub target: String,
    /// The request itself.
    pub request: SearchRequest,
}

impl Question {
    /// Whether it counts in what is claimed of the mix: facets do not, because the engine has no exact
    /// sums, and a detour of the plain way would make the greater part of its mean. They are shown
    /// as classes of their own.
    #[must_use]
    pub fn is_claimed(&self) -> bool {
        self.request.facets.wanted.is_empty()
    }
}

/// `each` requests of every class; the same corpus and seed give the same ones.
///
/// # Errors
/// Those of `backend`, which gives out the cursors, and when a class finds no words.
pub fn questions(
    dataset: &Dataset,
    backend: &dyn SearchBackend,
    each: usize,
    seed: u64,
) -> anyhow::Result<Vec<Question>> {
    let mut draws = Draws {
        releases: Vocabulary::of(&dataset.tables.releases),
        emissions: Vocabulary::of(&dataset.tables.emissions),
        random: ChaCha8Rng::seed_from_u64(seed),
    };
    let mut questions = Vec::new();
    for (class, draw) in CLASSES {
        for _ in 0..each {
            questions.push(draw(&mut draws).finish(class, backend)?);
        }
    }
    Ok(questions)
}
