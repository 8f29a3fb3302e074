//! A data directory with published generations, and the checks that it must pass after any fault.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use outfall_query::Generation;

use crate::corpus::Corpus;
use crate::damage::Patient;
use crate::outcome::ensure;
use crate::{Lab, LabError};

/// How many generations a rebuild keeps; once there are this many, each rebuild also removes one.
const KEPT: u32 = 3;

/// A data directory that is rebuilt in one case after another.
#[derive(Clone, Debug)]
pub(crate) struct Data {
    dir: PathBuf,
    index_build: PathBuf,
    corpus: Corpus,
}

/// The place that one core works in while it tries cases.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub(crate) data: Data,
    /// The file that strace writes to.
    pub(crate) log: PathBuf,
}

impl Place {
    /// Prepares a small data directory below `folder` for one core alone.
    pub(crate) fn prepare(lab: &Lab, folder: &Path, core: usize) -> Result<Self, LabError> {
        let own = folder.join(core.to_string());
        let corpus = Corpus::write(&own, 60, 1)?;
        Ok(Self { data: Data::aged(lab, &own, &corpus)?, log: own.join("calls") })
    }
}

impl Data {
    /// The data directory in `folder`, to be built from `corpus`.
    pub(crate) fn new(lab: &Lab, folder: &Path, corpus: &Corpus) -> Self {
        Self {
            dir: folder.join("data"),
            index_build: lab.index_build().to_owned(),
            corpus: corpus.clone(),
        }
    }

    /// A data directory in `folder`, with a published index of a corpus of `rows` rows.
    pub(crate) fn published(lab: &Lab, folder: &Path, rows: u64) -> Result<Self, LabError> {
        let data = Self::new(lab, folder, &Corpus::write(folder, rows, 1)?);
        data.rebuild().map_err(LabError::Setup)?;
        Ok(data)
    }

    /// A data directory built from `corpus`, with as many generations as are kept, so that each
    /// further rebuild does everything that a rebuild can do.
    pub(crate) fn aged(lab: &Lab, folder: &Path, corpus: &Corpus) -> Result<Self, LabError> {
        let data = Self::new(lab, folder, corpus);
        for _ in 0..KEPT {
            data.rebuild().map_err(LabError::Setup)?;
        }
        Ok(data)
    }

    /// The same data directory, to be built from another corpus.
    pub(crate) fn of(&self, corpus: &Corpus) -> Self {
        Self { corpus: corpus.clone(), ..self.clone() }
    }

    pub(crate) fn dir(&self) -> &Path {
        &self.dir
    }

    /// The rebuild command behind a wrapper such as `strace …`. It works on one thread, so that its
    /// system calls come in the same order each time.
    pub(crate) fn rebuild_under<S: AsRef<OsStr>>(&self, wrapper: &[S]) -> Command {
        let mut words = wrapper.iter().map(AsRef::as_ref).chain([self.index_build.as_os_str()]);
        let mut command = Command::new(words.next().unwrap_or_default());
        // An earlier edition may follow a later one here.
        command.args(words).args(["--allow-shrink", "--threads", "1", "--data"]).arg(&self.dir);
        command.args(self.corpus.files());
        command
    }

    /// Rebuilds undisturbed; returns the generation that is served from then on.
    pub(crate) fn rebuild(&self) -> Result<String, String> {
        let output = self.rebuild_under::<&str>(&[]).output().map_err(|error| error.to_string())?;
        ensure(output.status.success(), || format!("a rebuild failed: {}", said(&output)))?;
        self.check_whole()
    }

    /// The generation that `CURRENT` names, if all of its files are as they were published.
    pub(crate) fn check_whole(&self) -> Result<String, String> {
        let opened = Generation::open(&self.dir);
        Ok(opened.map_err(|error| format!("what is served is not whole: {error}"))?.name)
    }

    /// Replaces `CURRENT` in one step.
    pub(crate) fn set_current(&self, line: &[u8]) -> Result<(), LabError> {
        let new = self.dir.join("CURRENT.new");
        let replaced =
            fs::write(&new, line).and_then(|()| fs::rename(new, self.dir.join("CURRENT")));
        replaced.map_err(LabError::io("replace `CURRENT`"))
    }

    /// Rebuilds after a fault: that must succeed, serve a new generation and leave nothing of the
    /// failed rebuild behind.
    pub(crate) fn check_recovery(&self) -> Result<(), String> {
        let before = self.check_whole()?;
        let after = self.rebuild()?;
        ensure(after > before, || format!("{after} was published after {before}"))?;
        let names = self.names()?;
        let left: Vec<_> = names.iter().filter(|name| !is_lasting(name)).collect();
        ensure(left.is_empty(), || format!("the next rebuild left {left:?}"))?;
        let generations = names.iter().filter(|name| name.starts_with("gen-")).count();
        ensure(generations <= KEPT as usize, || format!("{generations} generations are kept"))
    }

    /// The size of the largest generation, in bytes.
    pub(crate) fn largest_generation(&self) -> io::Result<u64> {
        let mut largest = 0;
        for entry in fs::read_dir(&self.dir)? {
            let path = entry?.path();
            if path.is_dir() {
                largest = largest.max(Patient::new(&path)?.bytes());
            }
        }
        Ok(largest)
    }

    fn names(&self) -> Result<Vec<String>, String> {
        let entries = fs::read_dir(&self.dir).map_err(|error| error.to_string())?;
        let names =
            entries.map(|entry| entry.map(|entry| entry.file_name().to_string_lossy().into()));
        names.collect::<Result<_, _>>().map_err(|error| error.to_string())
    }
}

/// Whether a successful rebuild may leave this name in a data directory.
fn is_lasting(name: &str) -> bool {
    matches!(name, "CURRENT" | "LOCK") || name.starts_with("gen-")
}

/// The status of a failed command and the last line of its standard error.
pub(crate) fn said(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stderr);
    let last = text.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("nothing");
    format!("{}: {last}", output.status)
}
