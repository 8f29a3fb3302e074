//! Every system call of a rebuild, each to be disturbed in a separate rebuild.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::Path;

use crate::LabError;
use crate::data::{Data, said};
use crate::strace::{Call, FILE_CALLS, read_log, strace};

/// A system call, known by its name and by its number among a thread's calls of that name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Target {
    pub(crate) call: String,
    pub(crate) number: u32,
}

impl fmt::Display for Target {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "`{}` number {}", self.call, self.number)
    }
}

/// A call's name and the kind of file that it is about.
pub(crate) type Kind = (String, String);

/// The calls of one undisturbed rebuild.
#[derive(Clone, Debug)]
pub(crate) struct Sweep {
    targets: Vec<(Target, Kind)>,
    /// The calls at which some thread closes a folder that it has listed.
    unlistings: BTreeSet<Target>,
}

impl Sweep {
    /// Rebuilds once and records the calls.
    pub(crate) fn record(data: &Data, log: &Path) -> Result<Self, LabError> {
        let output = data.rebuild_under(&strace(FILE_CALLS, log, &[])).output();
        let output = output.map_err(LabError::io("start strace"))?;
        if !output.status.success() {
            return Err(LabError::Setup(format!("a traced rebuild failed: {}", said(&output))));
        }
        let mut made: BTreeMap<(u32, String), u32> = BTreeMap::new();
        let mut targets = Vec::new();
        let (mut known, mut listed) = (BTreeSet::new(), BTreeSet::new());
        let mut unlistings = BTreeSet::new();
        for call in read_log(log)? {
            let number = made.entry((call.thread, call.name.clone())).or_default();
            *number += 1;
            let target = Target { call: call.name.clone(), number: *number };
            let path = call.path_kind(data.dir());
            match call.name.as_str() {
                "getdents64" => drop(listed.insert(path.clone())),
                "close" if listed.contains(&path) => drop(unlistings.insert(target.clone())),
                _ => {}
            }
            // strace counts for each thread, so the first thread to get there is disturbed.
            if known.insert(target.clone()) {
                targets.push((target, (call.name, path)));
            }
        }
        Ok(Self { targets, unlistings })
    }

    /// The sweep without calls that never fail on any system: those that close a folder after
    /// listing it. The standard library treats their failure as corrupt memory.
    pub(crate) fn failable(mut self) -> Self {
        self.targets.retain(|(target, _)| !self.unlistings.contains(target));
        self
    }

    /// The kinds of all calls.
    pub(crate) fn kinds(&self) -> BTreeSet<&Kind> {
        self.targets.iter().map(|(_, kind)| kind).collect()
    }

    pub(crate) fn all(&self) -> Vec<&Target> {
        self.targets.iter().map(|(target, _)| target).collect()
    }

    /// The first of each kind, and every `one_in`th of all.
    pub(crate) fn sample(&self, one_in: usize) -> Vec<&Target> {
        let mut seen: BTreeSet<&Kind> = BTreeSet::new();
        let targets = self.targets.iter().enumerate();
        let sampled = targets.filter(|(at, (_, kind))| seen.insert(kind) || at % one_in == 0);
        sampled.map(|(_, (target, _))| target).collect()
    }
}

/// The kind that a call is counted as.
pub(crate) fn kind(call: &Call, data: &Data) -> Kind {
    (call.name.clone(), call.path_kind(data.dir()))
}
