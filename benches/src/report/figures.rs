//! All that is measured on one corpus.

use crate::measure::build::BuildFigures;
use crate::measure::http::Http;
use crate::measure::latency::{BoundedSort, Latencies};
use crate::workload::Question;

/// All that is measured on one corpus.
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
    /// Over all requests, one backend after another; the last is what ships.
    pub passes: Vec<PassFigures>,
    /// The same by class.
    pub classes: Vec<ClassFigures>,
    /// The page after 999 others against the first.
    pub deep_page: Option<f64>,
    /// Pages in the order by value with and without bounds, by class.
    pub bounded_sorts: Vec<BoundedSort>,
    /// The service over HTTP.
    pub http: Http,
}

/// Latencies of one backend, in seconds.
#[derive(Clone, Copy, Debug)]
pub struct PassFigures {
    /// The backend.
    pub name: &'static str,
    /// The mean when every request is asked once, in a random order.
    pub mean: f64,
    /// The 99th percentile of the same.
    pub p99: f64,
    /// The mean when each is asked again and again.
    pub hot_mean: f64,
}

/// Latencies of one class of requests.
#[derive(Clone, Debug)]
pub struct ClassFigures {
    /// The class.
    pub class: &'static str,
    /// One entry a backend.
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

    /// Over all requests that count in what is claimed.
    #[must_use]
    pub fn all(latencies: &[Latencies], questions: &[Question]) -> Vec<Self> {
        let is_asked = |index: usize| questions[index].is_claimed();
        latencies.iter().map(|it| Self::of(it, is_asked)).collect()
    }
}

impl ClassFigures {
    /// Class by class, in the order of the requests.
    #[must_use]
    pub fn all(latencies: &[Latencies], questions: &[Question]) -> Vec<Self> {
        let mut classes: Vec<&'static str> = questions.iter().map(|it| it.class).collect();
        classes.dedup();
        let of = |class| {
            let is_asked = |index: usize| questions[index].class == class;
            let passes = latencies.iter().map(|it| PassFigures::of(it, is_asked)).collect();
            Self { class, passes }
        };
        classes.into_iter().map(of).collect()
    }
}
