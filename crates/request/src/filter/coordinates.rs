//! Where a facility is, and how far two places are from one another.

use std::cmp::Ordering;

use outfall_records::{Decimal, Site};

use crate::Bound;

/// The mean radius of the Earth in kilometres (IUGG, R1).
const EARTH_RADIUS_KM: f64 = 6371.0088;

/// Degrees north and east, as published.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coordinates {
    /// Degrees north.
    pub latitude: Degrees,
    /// Degrees east, negative in Canada.
    pub longitude: Degrees,
}

impl Coordinates {
    /// Where a site is, if it shows both coordinates.
    #[must_use]
    pub fn of(site: &Site) -> Option<Self> {
        Some(Self { latitude: site.latitude?.into(), longitude: site.longitude?.into() })
    }

    /// Kilometres on the great circle between two places, by the haversine formula on a sphere.
    #[must_use]
    pub fn kilometres_to(&self, other: &Self) -> f64 {
        let half_chord = |a: f64, b: f64| ((b - a).to_radians() / 2.0).sin().powi(2);
        let (from, to) = (self.latitude.nearest, other.latitude.nearest);
        let across = half_chord(self.longitude.nearest, other.longitude.nearest);
        let haversine =
            half_chord(from, to) + from.to_radians().cos() * to.to_radians().cos() * across;
        2.0 * EARTH_RADIUS_KM * haversine.sqrt().min(1.0).asin()
    }

    /// Whether a place is in the box between two corners, edges included.
    #[must_use]
    pub fn is_between(&self, south_west: &Self, north_east: &Self) -> bool {
        (south_west.latitude..=north_east.latitude).contains(&self.latitude)
            && (south_west.longitude..=north_east.longitude).contains(&self.longitude)
    }

    /// The angle at the centre of the Earth that spans a distance, in radians.
    #[must_use]
    pub fn radians_spanning(kilometres: f64) -> f64 {
        kilometres / EARTH_RADIUS_KM
    }
}

/// An exact angle, with the nearest double beside it, by which most comparisons are decided.
#[derive(Clone, Copy, Debug)]
pub struct Degrees {
    nearest: f64,
    exact: Decimal,
}

impl Degrees {
    /// The nearest double.
    #[must_use]
    pub const fn nearest(self) -> f64 {
        self.nearest
    }
}

impl From<Decimal> for Degrees {
    fn from(exact: Decimal) -> Self {
        Self { nearest: Bound::from(exact).nearest(), exact }
    }
}

/// Rounding keeps the order, so different doubles decide.
impl Ord for Degrees {
    fn cmp(&self, other: &Self) -> Ordering {
        self.nearest.total_cmp(&other.nearest).then_with(|| self.exact.cmp(&other.exact))
    }
}

impl PartialOrd for Degrees {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Degrees {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Degrees {}

#[cfg(test)]
mod tests {
    use super::*;

    fn coordinates(latitude: &str, longitude: &str) -> Coordinates {
        let degrees = |text: &str| text.parse::<Decimal>().unwrap().into();
        Coordinates { latitude: degrees(latitude), longitude: degrees(longitude) }
    }

    #[test]
    fn distances_are_those_of_the_sphere() {
        for (from, to, expected) in [
            (("43.65", "-79.38"), ("43.65", "-79.38"), 0.0),
            // A degree of a great circle, along the equator and along a meridian.
            (("0", "0"), ("0", "1"), 111.195_080_233_532_9),
            (("60", "5"), ("61", "5"), 111.195_080_233_532_9),
            // Toronto to Montréal, Vancouver to St. John's.
            (("43.6532", "-79.3832"), ("45.5019", "-73.5674"), 504.263_821_448_081_16),
            (("49.2827", "-123.1207"), ("47.5615", "-52.7126"), 5_005.074_034_107_231_5),
            // Over the date line, and from one pole to the other.
            (("0", "179.5"), ("0", "-179.5"), 111.195_080_233_532_9),
            (("90", "0"), ("-90", "77"), 20_015.114_442_035_923),
        ] {
            let (from, to) = (coordinates(from.0, from.1), coordinates(to.0, to.1));
            let found = [from.kilometres_to(&to), to.kilometres_to(&from)];
            for found in found {
                assert!(
                    (found - expected).abs() < 1e-9 * expected.max(1.0),
                    "{from:?} {to:?}: {found}"
                );
            }
        }
    }

    #[test]
    fn angles_that_round_alike_are_compared_exactly() {
        let angles = ["-79.5", "43.1", "43.10000000000000000000000001", "43.2"];
        let angles = angles.map(|text| Degrees::from(text.parse::<Decimal>().unwrap()));
        assert!(angles.is_sorted_by(|a, b| a < b));
        assert_eq!(angles[1].nearest().to_bits(), angles[2].nearest().to_bits());
        assert_eq!(Degrees::from(Decimal::new(10, 1)), Degrees::from(Decimal::ONE));
        assert_eq!(Degrees::from(-Decimal::ZERO), Degrees::from(Decimal::ZERO));
    }
}
