//! The timed requests of every class, drawn from the words of the corpus itself.

mod classes;
mod draft;
mod vocabulary;

use outfall_indexer::Dataset;
use outfall_request::{SearchBackend, SearchRequest};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use self::classes::{CLASSES, Draws};
use self::vocabulary::Vocabulary;

pub use self::classes::{PLACES, PROVINCE};

/// A request, both for a backend and for the service.
#[derive(Clone, Debug)]
pub struct Question {
    /// The class of the request.
    pub class: &'static str,
    /// The same request to the service, as path and query string.
    pub target: String,
    /// The request itself.
    pub request: SearchRequest,
}

impl Question {
    /// Whether the request counts in the claims about the mix. Requests for facets do not: the
    /// engine has no exact sums, and the plain way's detour would dominate its mean. They are shown
    /// as separate classes.
    #[must_use]
    pub fn is_claimed(&self) -> bool {
        self.request.facets.is_empty()
    }
}

/// Draws `each` requests of every class; the same corpus and seed give the same requests.
///
/// # Errors
/// When `backend` fails to give a cursor, or when a class finds no words.
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
