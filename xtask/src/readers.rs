//! Installs what the tests read the service's files back with: `pyarrow` and `shapely`.

use crate::tool::{self, Skipped, root};

/// Installs them from PyPI into their own folder under `target/`; says so if it cannot.
pub(crate) fn install() -> Option<Skipped> {
    let requirements = root().join("crates/server/tests/readers/requirements.txt");
    let install = ["--requirement".as_ref(), requirements.as_os_str()];
    let is_there = tool::install_from_pypi(&root().join("target/readers"), install);
    (!is_there).then(|| "pyarrow and shapely cannot be installed (python3, PyPI)".to_owned())
}
