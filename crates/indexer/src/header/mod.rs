//! The header of a file: the kind of file, and the places of its columns.
//!
//! Columns are recognised by the tokens of the English half of their names (`NPRI_ID / No_INRP` is
//! `npri id`), with a table of the names of other editions.

mod columns;
mod kind;

use std::ops::RangeInclusive;
use std::path::Path;

use outfall_records::text::tokens;

pub(crate) use self::columns::{cesi, ghgrp, locations, npri};
pub use self::kind::FileKind;
use self::kind::kind_of;
use crate::ReadError;
use crate::source::{Encoding, Fields};

/// A column that the GHGRP file has had since its edition of 2024, not read.
const BIOMASS: &str = "co 2 from biomass";

/// A bound header: the place of each column of the kind.
#[derive(Debug)]
pub(crate) struct Header {
    pub(crate) kind: FileKind,
    /// The number of fields of every row.
    pub(crate) width: usize,
    /// For each column of the kind, its place in a row and its name as the file writes it.
    columns: Vec<Option<(usize, String)>>,
    /// Columns that no known edition has, as the file names them.
    pub(crate) unknown: Vec<String>,
    has_biomass: bool,
}

impl Header {
    /// Binds the cells of a file's first row.
    ///
    /// # Errors
    /// [`ReadError::Refused`] for a file of no kind that is read,
    /// [`ReadError::MissingColumn`], [`ReadError::DoubledColumn`].
    pub(crate) fn bind(
        path: &Path,
        fields: &Fields<'_>,
        encoding: Encoding,
    ) -> Result<Self, ReadError> {
        let names: Vec<String> = (0..fields.len())
            .map(|place| encoding.decode(&fields.get(place)).trim().to_owned())
            .collect();
        let keys: Vec<String> = names.iter().map(|name| key(name)).collect();
        let kind = kind_of(&keys).map_err(|reason| ReadError::Refused {
            path: path.to_owned(),
            reason: reason.to_owned(),
        })?;
        let mut columns = Vec::new();
        for column in columns::of(kind) {
            let mut places = (0..keys.len()).filter(|place| column.is_named(&keys[*place]));
            match (places.next(), places.next()) {
                (Some(_), Some(second)) => {
                    return Err(ReadError::DoubledColumn {
                        path: path.to_owned(),
                        column: names[second].clone(),
                    });
                }
                (None, _) if column.is_required => {
                    return Err(ReadError::MissingColumn {
                        path: path.to_owned(),
                        wanted: column.name,
                        found: names,
                    });
                }
                (place, _) => columns.push(place.map(|place| (place, names[place].clone()))),
            }
        }
        let is_bound = |place: usize| columns.iter().flatten().any(|(bound, _)| *bound == place);
        let known: Vec<String> = columns::known(kind).iter().map(|name| column_key(name)).collect();
        let is_known = |key: &str| known.iter().any(|name| key.starts_with(name.as_str()));
        let unknown =
            (0..names.len()).filter(|place| !is_bound(*place) && !is_known(&keys[*place]));
        let unknown = unknown.map(|place| names[place].clone()).collect();
        let has_biomass = keys.iter().any(|key| key.starts_with(BIOMASS));
        Ok(Self { kind, width: names.len(), columns, unknown, has_biomass })
    }

    /// The places from the first to the last of some columns; if the columns are adjacent, these
    /// are exactly theirs. `None` if the file has none of them.
    pub(crate) fn places(&self, columns: &[usize]) -> Option<RangeInclusive<usize>> {
        let places = || columns.iter().filter_map(|column| self.place(*column));
        Some(places().min()?..=places().max()?)
    }

    /// The place of a column in a row, if the file has it.
    pub(crate) fn place(&self, column: usize) -> Option<usize> {
        self.columns[column].as_ref().map(|(place, _)| *place)
    }

    /// The name of a column as the file writes it.
    pub(crate) fn name(&self, column: usize) -> &str {
        self.columns[column].as_ref().map_or("", |(_, name)| name)
    }

    /// The edition of the file, by its header.
    pub(crate) fn vintage(&self) -> String {
        let is_newer = match self.kind {
            FileKind::NpriReleases => self.place(npri::NAICS_FR).is_some(),
            FileKind::Ghgrp => self.has_biomass,
            FileKind::NpriLocations | FileKind::Cesi => return format!("{} columns", self.width),
        };
        let edition = if is_newer { "from 2024 on" } else { "until 2023" };
        format!("{} columns, {edition}", self.width)
    }
}

/// The tokens of the English half of a column's name.
fn key(name: &str) -> String {
    let english = name.split(" / ").next().unwrap_or(name);
    tokens(english).join(" ")
}

/// The key of a name in the tables, which use plain words where tokens have equivalents (`company`
/// is `co`).
fn column_key(name: &str) -> String {
    tokens(name).join(" ")
}
