//! Writes `docs/performance.md`: the measurements, as ratios beside their goals.

mod cluster;
mod figures;
mod goals;
mod machine;
mod markdown;

pub use cluster::{keeping_cluster, render_cluster, with_cluster};
pub use figures::{ClassFigures, Figures, PassFigures};
pub use markdown::render;
