//! The sites of a kind by where they are.

use outfall_request::{BoxFilter, Coordinates, NearFilter};

use crate::index::Kind;

/// The sites with coordinates, from south to north.
#[derive(Debug)]
pub(crate) struct Places(Vec<(Coordinates, u32)>);

impl Places {
    pub(crate) fn of(kind: &Kind) -> Self {
        let places = kind.coordinates.iter().zip(0..);
        let places = places.filter_map(|(place, site)| place.map(|place| (place, site)));
        let mut places: Vec<_> = places.collect();
        places.sort_unstable_by_key(|(place, site)| (place.latitude, *site));
        Self(places)
    }

    /// The sites in a circle.
    pub(crate) fn near(&self, circle: &NearFilter) -> Vec<u32> {
        let (centre, radius) = (circle.centre(), circle.radius());
        // A little more, so that no rounding leaves out a site on the edge.
        let span = Coordinates::degrees_spanning(radius) * 1.000_001 + 1e-9;
        let south = centre.latitude.nearest() - span;
        let north = centre.latitude.nearest() + span;
        let start = self.0.partition_point(|(place, _)| place.latitude.nearest() < south);
        let band = self.0[start..].iter();
        let band = band.take_while(|(place, _)| place.latitude.nearest() <= north);
        let near = band.filter(|(place, _)| centre.kilometres_to(place) <= radius);
        near.map(|(_, site)| *site).collect()
    }

    /// The sites in a box.
    pub(crate) fn within(&self, bounds: &BoxFilter) -> Vec<u32> {
        let (south_west, north_east) = (bounds.south_west(), bounds.north_east());
        let start = self.0.partition_point(|(place, _)| place.latitude < south_west.latitude);
        let band = self.0[start..].iter();
        let band = band.take_while(|(place, _)| place.latitude <= north_east.latitude);
        let meridians = south_west.longitude..=north_east.longitude;
        let within = band.filter(|(place, _)| meridians.contains(&place.longitude));
        within.map(|(_, site)| *site).collect()
    }
}
