//! Times requests within one process, with baseline and candidate in turn.

use std::hint::black_box;
use std::time::{Duration, Instant};

use outfall_request::{
    Page, SearchBackend, SearchError, SearchRequest, SortKey, Start, ValueRange,
};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use crate::statistics::{mean, median, percentile};
use crate::workload::Question;

/// A hot request is repeated until this much time has passed, or [`HOT_RUNS`] are done.
const HOT: Duration = Duration::from_millis(1);
/// The most often that a hot request is repeated.
const HOT_RUNS: u32 = 50;

/// The seconds that one backend takes for each request: medians over all alternations.
#[derive(Clone, Debug)]
pub struct Latencies {
    /// The backend.
    pub name: &'static str,
    /// Each request repeated; zero for requests that count in no claim, because they would take the
    /// plain backends minutes.
    pub hot: Vec<f64>,
    /// Each request once, in a new random order in every alternation.
    pub shuffled: Vec<f64>,
}

impl Latencies {
    /// The mean of the shuffled requests whose index `is_asked` accepts.
    pub fn mean(&self, is_asked: impl Fn(usize) -> bool) -> f64 {
        mean(&kept(&self.shuffled, is_asked))
    }

    /// The 99th percentile of the same.
    pub fn p99(&self, is_asked: impl Fn(usize) -> bool) -> f64 {
        percentile(&kept(&self.shuffled, is_asked), 0.99)
    }

    /// The mean of the same requests, hot.
    pub fn hot_mean(&self, is_asked: impl Fn(usize) -> bool) -> f64 {
        mean(&kept(&self.hot, is_asked))
    }
}

fn kept(values: &[f64], is_asked: impl Fn(usize) -> bool) -> Vec<f64> {
    let values = values.iter().enumerate();
    values.filter(|(index, _)| is_asked(*index)).map(|(_, value)| *value).collect()
}

/// Times every request on every backend, with the backends in turn.
///
/// # Errors
/// When a backend fails.
pub fn alternate(
    backends: &[(&'static str, &dyn SearchBackend)],
    questions: &[Question],
    alternations: usize,
) -> Result<Vec<Latencies>, SearchError> {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let mut order: Vec<usize> = (0..questions.len()).collect();
    let none = || vec![Vec::new(); questions.len()];
    let mut runs: Vec<_> = backends.iter().map(|_| (none(), none())).collect();
    for _ in 0..alternations {
        order.shuffle(&mut random);
        for ((_, backend), (hot, shuffled)) in backends.iter().zip(&mut runs) {
            for index in &order {
                shuffled[*index].push(once(*backend, &questions[*index].request)?);
            }
            let claimed =
                questions.iter().zip(hot.iter_mut()).filter(|(question, _)| question.is_claimed());
            for (question, seconds) in claimed {
                seconds.push(again_and_again(*backend, &question.request)?);
            }
        }
    }
    let medians = |runs: &[Vec<f64>]| runs.iter().map(|runs| median(runs)).collect();
    let of_backend = |((name, _), (hot, shuffled)): (&(&'static str, _), &(Vec<_>, Vec<_>))| {
        Latencies { name, hot: medians(hot), shuffled: medians(shuffled) }
    };
    Ok(backends.iter().zip(&runs).map(of_backend).collect())
}

fn once(backend: &dyn SearchBackend, request: &SearchRequest) -> Result<f64, SearchError> {
    let started = Instant::now();
    black_box(backend.search(black_box(request))?);
    Ok(started.elapsed().as_secs_f64())
}

fn again_and_again(
    backend: &dyn SearchBackend,
    request: &SearchRequest,
) -> Result<f64, SearchError> {
    once(backend, request)?;
    let (mut runs, started) = (0, Instant::now());
    while runs == 0 || (runs < HOT_RUNS && started.elapsed() < HOT) {
        black_box(backend.search(black_box(request))?);
        runs += 1;
    }
    Ok(started.elapsed().as_secs_f64() / f64::from(runs))
}

/// How many times as long the thousandth page takes, by its cursor, as the first: the largest ratio
/// of medians over the walks that are long enough, or `None` if none is.
///
/// # Errors
/// When the backend fails.
pub fn deep_page_ratio(
    backend: &dyn SearchBackend,
    walks: &[SearchRequest],
) -> Result<Option<f64>, SearchError> {
    let mut ratios = Vec::new();
    for walk in walks {
        let mut before = walk.clone();
        let limit = walk.page.limit;
        before.page = Page { start: Start::Offset(999 * limit - 1), limit: 1 };
        let Some(cursor) = backend.search(&before)?.next else {
            continue;
        };
        let mut deep = walk.clone();
        deep.page.start = Start::After(cursor);
        let (mut first_page, mut deep_page) = (Vec::new(), Vec::new());
        for _ in 0..5 {
            first_page.push(again_and_again(backend, walk)?);
            deep_page.push(again_and_again(backend, &deep)?);
        }
        ratios.push(median(&deep_page) / median(&first_page));
    }
    Ok((!ratios.is_empty()).then(|| ratios.into_iter().fold(0.0, f64::max)))
}

/// The seconds that one class of pages sorted by value takes, summed over its requests.
#[derive(Clone, Copy, Debug)]
pub struct BoundedSort {
    /// The class.
    pub class: &'static str,
    /// The seconds with the bounds.
    pub bounded: f64,
    /// The seconds without `value_min` and `value_max`.
    pub unbounded: f64,
}

/// Times each class of pages sorted by value within bounds, in turn with the same pages without
/// bounds.
///
/// # Errors
/// When the backend fails.
pub fn bounded_sorts(
    backend: &dyn SearchBackend,
    questions: &[Question],
) -> Result<Vec<BoundedSort>, SearchError> {
    let mut sorts: Vec<BoundedSort> = Vec::new();
    let bounded = questions.iter().filter(|question| {
        let request = &question.request;
        request.sort.by == SortKey::Value && request.filters.values.is_bounded()
    });
    for Question { class, request, .. } in bounded {
        let mut without = request.clone();
        without.filters.values = ValueRange::default();
        let (mut bounded, mut unbounded) = (Vec::new(), Vec::new());
        for _ in 0..5 {
            bounded.push(again_and_again(backend, request)?);
            unbounded.push(again_and_again(backend, &without)?);
        }
        let (bounded, unbounded) = (median(&bounded), median(&unbounded));
        match sorts.last_mut() {
            Some(last) if last.class == *class => {
                last.bounded += bounded;
                last.unbounded += unbounded;
            }
            _ => sorts.push(BoundedSort { class, bounded, unbounded }),
        }
    }
    Ok(sorts)
}
