//! Circles and boxes, and how much of a group of places is in one.

use std::f64::consts::FRAC_PI_2;

use outfall_request::{Coordinates, NearFilter};

/// Where some documents are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spot {
    pub(super) coordinates: Coordinates,
    /// The same place on a sphere of radius 1.
    point: [f64; 3],
}

impl Spot {
    pub(super) fn at(coordinates: Coordinates) -> Self {
        let (latitude, longitude) =
            (coordinates.latitude.nearest(), coordinates.longitude.nearest());
        let (up, across) = latitude.to_radians().sin_cos();
        let (east, out) = longitude.to_radians().sin_cos();
        Self { coordinates, point: [across * out, across * east, up] }
    }
}

/// What encloses a group of places: parallels and meridians, and a block in space.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    south_west: Coordinates,
    north_east: Coordinates,
    least: [f64; 3],
    most: [f64; 3],
}

impl From<&Spot> for Bounds {
    fn from(spot: &Spot) -> Self {
        let Spot { coordinates, point } = *spot;
        Self { south_west: coordinates, north_east: coordinates, least: point, most: point }
    }
}

impl Bounds {
    /// What encloses both.
    pub(super) fn joined(mut self, other: Self) -> Self {
        let (least, most) = (&mut self.south_west, &mut self.north_east);
        least.latitude = least.latitude.min(other.south_west.latitude);
        least.longitude = least.longitude.min(other.south_west.longitude);
        most.latitude = most.latitude.max(other.north_east.latitude);
        most.longitude = most.longitude.max(other.north_east.longitude);
        for axis in 0..3 {
            self.least[axis] = self.least[axis].min(other.least[axis]);
            self.most[axis] = self.most[axis].max(other.most[axis]);
        }
        self
    }
}

/// How much of a group of places is in a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Share {
    None,
    /// Any part, perhaps none and perhaps all.
    Some,
    All,
}

/// A part of the map.
pub(super) trait Region {
    /// How much of what is within `bounds` is in the region.
    fn share_of(&self, bounds: &Bounds) -> Share;

    /// Whether a place is in the region.
    fn holds(&self, spot: &Spot) -> bool;
}

/// A box by its corners in the south-west and the north-east; both are in it.
impl Region for (Coordinates, Coordinates) {
    fn share_of(&self, bounds: &Bounds) -> Share {
        let (south_west, north_east) = self;
        let is_beyond = bounds.north_east.latitude < south_west.latitude
            || bounds.north_east.longitude < south_west.longitude
            || bounds.south_west.latitude > north_east.latitude
            || bounds.south_west.longitude > north_east.longitude;
        let is_inside = bounds.south_west.is_between(south_west, north_east)
            && bounds.north_east.is_between(south_west, north_east);
        match (is_beyond, is_inside) {
            (true, _) => Share::None,
            (false, true) => Share::All,
            (false, false) => Share::Some,
        }
    }

    fn holds(&self, spot: &Spot) -> bool {
        spot.coordinates.is_between(&self.0, &self.1)
    }
}

/// A circle on the globe, edge included.
///
/// A place is in it if the straight line to the centre is short enough, which is decided without
/// trigonometry. Where rounding could make a difference, the distance itself decides.
#[derive(Clone, Copy, Debug)]
pub(super) struct Circle {
    centre: Spot,
    kilometres: f64,
    /// Places are in the circle if the square of the straight line is below this.
    surely_in: f64,
    /// Places are not in the circle if the square of the straight line is above this.
    surely_out: f64,
}

/// More than what rounding adds to the length of a straight line.
const ROUNDING: f64 = 1e-13;

impl Circle {
    pub(super) fn of(filter: &NearFilter) -> Self {
        let kilometres = filter.radius();
        let half = (Coordinates::radians_spanning(kilometres) / 2.0).clamp(0.0, FRAC_PI_2);
        let line = 2.0 * half.sin();
        let margin = ROUNDING * (line + ROUNDING);
        Self {
            centre: Spot::at(filter.centre()),
            kilometres,
            surely_in: line * line - margin,
            surely_out: line * line + margin,
        }
    }
}

impl Region for Circle {
    fn share_of(&self, bounds: &Bounds) -> Share {
        let (mut nearest, mut farthest) = (0.0, 0.0);
        for axis in 0..3 {
            let centre = self.centre.point[axis];
            let (below, above) = (bounds.least[axis] - centre, centre - bounds.most[axis]);
            nearest += below.max(above).max(0.0).powi(2);
            farthest += below.abs().max(above.abs()).powi(2);
        }
        if nearest > self.surely_out {
            Share::None
        } else if farthest < self.surely_in {
            Share::All
        } else {
            Share::Some
        }
    }

    fn holds(&self, spot: &Spot) -> bool {
        let squares = self.centre.point.iter().zip(spot.point);
        let square: f64 = squares.map(|(from, to)| (to - from).powi(2)).sum();
        if square < self.surely_in {
            return true;
        }
        square <= self.surely_out
            && self.centre.coordinates.kilometres_to(&spot.coordinates) <= self.kilometres
    }
}
