//! `cargo xtask fixtures`.

use std::path::PathBuf;

use anyhow::Context;
use outfall_fixtures::{Shape, committed_dir, write_corpus};

pub(crate) fn run(rows: Option<u64>, seed: u64, out: Option<PathBuf>) -> anyhow::Result<()> {
    let shape = rows.map_or_else(Shape::sample, |rows| Shape::sized(rows, seed));
    let dir = out.unwrap_or_else(|| committed_dir().to_owned());
    let written = write_corpus(&dir, &shape)
        .with_context(|| format!("the corpus could not be written to `{}`", dir.display()))?;
    eprintln!("{}: {written:#?}", dir.display());
    Ok(())
}
