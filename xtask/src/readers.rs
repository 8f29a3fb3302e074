//! Installs `pyarrow` and `shapely`, with which the tests read the service's files back, and what
//! the examples in Python and R need.

use crate::tool::{self, Skipped, root};

/// Installs them from PyPI into their own folder under `target/`, and those of R from Debian;
/// returns what it cannot install.
pub(crate) fn install() -> Vec<Skipped> {
    let requirements = root().join("crates/server/tests/readers/requirements.txt");
    let install = ["--requirement".as_ref(), requirements.as_os_str()];
    let mut skipped = Vec::new();
    if !tool::install_from_pypi(&root().join("target/readers"), install) {
        let reason = "pyarrow, shapely, DuckDB and pandas cannot be installed (python3, PyPI)";
        skipped.push(reason.to_owned());
    }
    // R itself is large; where it is missing, the tests of its examples say so.
    let has_jsonlite = || tool::succeeds(&["Rscript", "-e", "library(jsonlite)"]);
    if tool::is_there("Rscript", "--version")
        && !tool::ensure_package("r-cran-jsonlite", has_jsonlite)
    {
        skipped.push("jsonlite of R cannot be installed".to_owned());
    }
    skipped
}
