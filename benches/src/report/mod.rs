//! Writes `docs/performance.md`: the measurements, as ratios beside their goals.

mod figures;
mod goals;
mod machine;
mod markdown;

pub use figures::{ClassFigures, Figures, PassFigures};
pub use markdown::render;
