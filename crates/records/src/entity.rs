//! The two kinds of records.

use std::fmt;

/// A kind of record; each has its own operation, index and set of parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Entity {
    /// NPRI pollutant releases, served by `GET /release`.
    Release,
    /// GHGRP facility greenhouse-gas totals, served by `GET /emission`.
    Emission,
}

impl Entity {
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
}

impl fmt::Display for Entity {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}
