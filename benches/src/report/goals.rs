//! The ratios that are measured, each with its limit and its goal.

use super::figures::{Figures, PassFigures};
use crate::measure::http::HttpFigures;
use crate::workload::{PLACES, PROVINCE};

/// A ratio within one run.
pub(super) struct Goal {
    pub(super) area: &'static str,
    pub(super) must: Limit,
    pub(super) goal: Limit,
    pub(super) measured: fn(&Figures) -> Option<f64>,
}

#[derive(Clone, Copy)]
pub(super) enum Limit {
    AtMost(f64),
    AtLeast(f64),
}

impl Limit {
    pub(super) fn is_met_by(self, ratio: f64) -> bool {
        match self {
            Self::AtMost(limit) => ratio <= limit,
            Self::AtLeast(limit) => ratio >= limit,
        }
    }
}

use Limit::{AtLeast, AtMost};

pub(super) const GOALS: [Goal; 15] = [
    Goal {
        area: "build CPU / CPU of only parsing the same CSV",
        must: AtMost(6.0),
        goal: AtMost(3.5),
        measured: |figures| Some(figures.build.build.cpu / figures.build.parse.cpu),
    },
    Goal {
        area: "naive tantivy build CPU / ours",
        must: AtLeast(6.0),
        goal: AtLeast(10.0),
        measured: |figures| Some(figures.build.naive?.cpu / figures.build.build.cpu),
    },
    Goal {
        area: "build wall / CPU",
        must: AtMost(0.75),
        goal: AtMost(0.6),
        measured: |figures| Some(figures.build.build.wall / figures.build.build.cpu),
    },
    Goal {
        area: "peak build memory / CSV bytes",
        must: AtMost(1.0),
        goal: AtMost(0.6),
        measured: |figures| Some(figures.build.build.peak as f64 / figures.csv_bytes as f64),
    },
    Goal {
        area: "index bytes / CSV bytes",
        must: AtMost(0.35),
        goal: AtMost(0.3),
        measured: |figures| Some(figures.build.build.bytes as f64 / figures.csv_bytes as f64),
    },
    Goal {
        area: "mean latency, stock tantivy / ours",
        must: AtLeast(50.0),
        goal: AtLeast(500.0),
        measured: |figures| against_stock(figures, |pass| pass.mean),
    },
    Goal {
        area: "p99 latency, stock tantivy / ours",
        must: AtLeast(50.0),
        goal: AtLeast(500.0),
        measured: |figures| against_stock(figures, |pass| pass.p99),
    },
    Goal {
        area: "page 1000 by cursor / page 1",
        must: AtMost(2.0),
        goal: AtMost(1.1),
        measured: |figures| figures.deep_page,
    },
    Goal {
        area: "value sort with bounds / without, the worst class",
        must: AtMost(3.0),
        goal: AtMost(1.5),
        measured: |figures| {
            let ratios = figures.bounded_sorts.iter().map(|sort| sort.bounded / sort.unbounded);
            ratios.reduce(f64::max)
        },
    },
    Goal {
        area: "filter by place / by province, the worst class",
        must: AtMost(3.0),
        goal: AtMost(1.5),
        measured: |figures| {
            let province = hot_mean(figures, PROVINCE)?;
            let places = PLACES.iter().filter_map(|class| hot_mean(figures, class));
            places.map(|place| place / province).reduce(f64::max)
        },
    },
    Goal {
        area: "HTTP search CPU per request / static handler's, c = 16",
        must: AtMost(15.0),
        goal: AtMost(6.0),
        measured: |figures| at_16(figures).map(|http| http.search_cpu / http.static_cpu),
    },
    Goal {
        area: "HTTP search requests per second / static handler's, c = 16",
        must: AtLeast(0.1),
        goal: AtLeast(0.3),
        measured: |figures| at_16(figures).map(|http| http.search_rate / http.static_rate),
    },
    Goal {
        area: "answer on a kept connection / on a fresh one, the slowest of six sizes",
        must: AtMost(1.5),
        goal: AtMost(1.0),
        measured: |figures| {
            figures.http.kept.iter().map(|answer| answer.kept / answer.fresh).reduce(f64::max)
        },
    },
    Goal {
        area: "serving memory / CSV bytes",
        must: AtMost(0.8),
        goal: AtMost(0.5),
        measured: |figures| Some(figures.http.memory as f64 / figures.csv_bytes as f64),
    },
    Goal {
        area: "open-to-ready CPU / parse-only CPU",
        must: AtMost(0.5),
        goal: AtMost(0.1),
        measured: |figures| Some(figures.build.open.cpu / figures.build.parse.cpu),
    },
];

fn against_stock(figures: &Figures, of: fn(&PassFigures) -> f64) -> Option<f64> {
    let named = |name| figures.passes.iter().find(|pass| pass.name == name).map(of);
    Some(named("stock")? / named("outfall")?)
}

/// The mean of a class, hot, as the engine that ships answers it.
fn hot_mean(figures: &Figures, class: &str) -> Option<f64> {
    let figures = figures.classes.iter().find(|figures| figures.class == class)?;
    figures.passes.last().map(|pass| pass.hot_mean)
}

fn at_16(figures: &Figures) -> Option<&HttpFigures> {
    figures.http.load.iter().find(|http| http.connections == 16)
}
