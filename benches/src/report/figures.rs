//! The figures measured on one corpus.

use crate::measure::build::BuildFigures;
use crate::measure::http::Http;
use crate::measure::latency::{BoundedSort, Latencies};
use crate::workload::Question;

/// Everything that is measured on one corpus.
#[derive(Clone, Debug)]
pub struct Figures {
    /// Rows of releases asked for.
    pub rows: u64,
    /// Bytes of the files.
    pub csv_bytes: u64,
    /// Records, of both kinds.
    pub records: u64,
    /// Builds and opening.
    pub build: BuildFigures,
    /// Latencies over all claimed requests, one entry per backend; the one that ships is last.
    pub passes: Vec<PassFigures>,
    /// Latencies by class.
    pub classes: Vec<ClassFigures>,
    /// How many times as long the thousandth page takes as the first, if there is one.
    pub deep_page: Option<f64>,
    /// Pages sorted by value with and without bounds, by class.
    pub bounded_sorts: Vec<BoundedSort>,
    /// The service over HTTP.
    pub http: Http,
}

/// Latencies of one backend, in seconds.
#[derive(Clone, Copy, Debug)]
pub struct PassFigures {
    /// The backend.
    pub name: &'static str,
    /// The mean with each request asked once, in a random order.
    pub mean: f64,
    /// The 99th percentile of the same.
    pub p99: f64,
    /// The mean with each request repeated.
    pub hot_mean: f64,
}

/// Latencies of one class of requests.
#[derive(Clone, Debug)]
pub struct ClassFigures {
    /// The class.
    pub class: &'static str,
    /// One entry per backend.
    pub passes: Vec<PassFigures>,
}

impl PassFigures {
    fn of(latencies: &Latencies, is_asked: impl Fn(usize) -> bool) -> Self {
        Self {
            name: latencies.name,
            mean: latencies.mean(&is_asked),
            p99: latencies.p99(&is_asked),
            hot_mean: latencies.hot_mean(&is_asked),
        }
    }

    /// One entry per backend, over all requests that count in the claims.
    #[must_use]
    pub fn all(latencies: &[Latencies], questions: &[Question]) -> Vec<Self> {
        let is_asked = |index: usize| questions[index].is_claimed();
        latencies.iter().map(|backend| Self::of(backend, is_asked)).collect()
    }
}

impl ClassFigures {
    /// Class by class, in the order of the requests.
    #[must_use]
    pub fn all(latencies: &[Latencies], questions: &[Question]) -> Vec<Self> {
        let mut classes: Vec<&'static str> =
            questions.iter().map(|question| question.class).collect();
        classes.dedup();
        let of = |class| {
            let is_asked = |index: usize| questions[index].class == class;
            let passes =
                latencies.iter().map(|backend| PassFigures::of(backend, is_asked)).collect();
            Self { class, passes }
        };
        classes.into_iter().map(of).collect()
    }
}
