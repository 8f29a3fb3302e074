//! `bbox=`: the places in a box of degrees.

use super::{Coordinates, Filter};
use crate::Bound;
use crate::reference::FilteredRecord;

/// Meridians and parallels that bound a box, all of them included, in the order of GeoJSON
/// (RFC 7946, section 5). A box does not cross the 180th meridian.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoxFilter {
    /// Degrees east, -180 to 180.
    pub west: Bound,
    /// Degrees north, -90 to 90.
    pub south: Bound,
    /// Degrees east, from `west` to 180.
    pub east: Bound,
    /// Degrees north, from `south` to 90.
    pub north: Bound,
}

impl BoxFilter {
    /// The corner from which the box extends north and east.
    #[must_use]
    pub fn south_west(&self) -> Coordinates {
        Coordinates { latitude: self.south.ceil().into(), longitude: self.west.ceil().into() }
    }

    /// The corner opposite.
    #[must_use]
    pub fn north_east(&self) -> Coordinates {
        Coordinates { latitude: self.north.floor().into(), longitude: self.east.floor().into() }
    }
}

impl Filter for BoxFilter {
    const NAME: &'static str = "bbox";

    fn canonical(&self) -> String {
        let Self { west, south, east, north } = self;
        format!("{west},{south},{east},{north}")
    }

    fn passes(&self, record: &FilteredRecord<'_>) -> bool {
        let is_between = |value: Option<_>, least: &Bound, most: &Bound| {
            value.map(Bound::from).is_some_and(|value| *least <= value && value <= *most)
        };
        let site = record.record().site();
        is_between(site.longitude, &self.west, &self.east)
            && is_between(site.latitude, &self.south, &self.north)
    }
}
