//! The two kinds of records.

use std::fmt;

/// A kind of record; each has its own operation, index and set of parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RecordKind {
    /// NPRI pollutant releases, served by `GET /release`.
    Release,
    /// GHGRP facility greenhouse-gas totals, served by `GET /emission`.
    Emission,
}

impl RecordKind {
    /// Both kinds, releases first.
    pub const ALL: [Self; 2] = [Self::Release, Self::Emission];

    /// The name of the kind in answers and in paths: `release` or `emission`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Release => "release",
            Self::Emission => "emission",
        }
    }

    /// Whether its values have a unit of their own; otherwise all are in tonnes CO2e.
    #[must_use]
    pub const fn has_units(self) -> bool {
        matches!(self, Self::Release)
    }

    /// Whether its records are of a substance that went to a medium, with a breakdown by category.
    #[must_use]
    pub const fn has_substances(self) -> bool {
        matches!(self, Self::Release)
    }
}

/// A value for each kind of record.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PerKind<T> {
    /// The value for releases.
    pub releases: T,
    /// The value for emissions.
    pub emissions: T,
}

impl<T> PerKind<T> {
    /// The value for a kind.
    pub const fn of(&self, kind: RecordKind) -> &T {
        match kind {
            RecordKind::Release => &self.releases,
            RecordKind::Emission => &self.emissions,
        }
    }

    /// The values, releases first.
    pub fn each(&self) -> [&T; 2] {
        RecordKind::ALL.map(|kind| self.of(kind))
    }

    /// The result of `of` for each value.
    pub fn map<U>(self, mut of: impl FnMut(T) -> U) -> PerKind<U> {
        PerKind { releases: of(self.releases), emissions: of(self.emissions) }
    }
}

impl fmt::Display for RecordKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}
