//! Circles and boxes of every size, all over the globe.

use outfall_records::Decimal;
use outfall_request::{Bound, BoxFilter, NearFilter, SearchRequest};
use proptest::prelude::*;
use proptest::sample::select;

use super::Vocabulary;

/// Degrees north and east.
type Place = (f64, f64);

impl Vocabulary {
    /// A request for the records in a circle, in a box or in both, mostly around a facility.
    pub(crate) fn in_a_region(&self) -> impl Strategy<Value = SearchRequest> + use<> {
        let record_kind = self.record_kind;
        let facilities: Vec<Place> = self.places.iter().map(degrees).collect();
        let near = circle(place(facilities.clone()));
        let bbox = box_of_any_size(place(facilities));
        let regions = prop_oneof![
            4 => near.clone().prop_map(|near| (Some(near), None)),
            4 => bbox.clone().prop_map(|bbox| (None, Some(bbox))),
            1 => (near, bbox).prop_map(|(near, bbox)| (Some(near), Some(bbox))),
        ];
        (regions, select(vec![0, 3, 1000])).prop_map(move |((near, bbox), limit)| {
            let mut request = SearchRequest::all(record_kind);
            (request.filters.near, request.filters.bbox) = (near, bbox);
            request.page.limit = limit;
            request
        })
    }
}

fn degrees((latitude, longitude): &(Decimal, Decimal)) -> Place {
    (Bound::from(*latitude).nearest(), Bound::from(*longitude).nearest())
}

/// A facility, or a place that may be at a pole or at the 180th meridian.
fn place(facilities: Vec<Place>) -> impl Strategy<Value = Place> + Clone {
    let latitude = prop_oneof![2 => -90.0..=90.0, 1 => 89.99..=90.0, 1 => -90.0..=-89.99];
    let longitude = prop_oneof![2 => -180.0..=180.0, 1 => 179.99..=180.0, 1 => -180.0..=-179.99];
    prop_oneof![4 => select(facilities), 1 => (latitude, longitude)]
}

fn bound(number: f64) -> Bound {
    Bound::parse(&number.to_string()).unwrap()
}

/// A circle with a radius from ten metres to more than half the globe.
fn circle(
    centre: impl Strategy<Value = Place> + Clone,
) -> impl Strategy<Value = NearFilter> + Clone {
    (centre, -2.0_f64..4.4).prop_map(|((latitude, longitude), power)| NearFilter {
        latitude: bound(latitude),
        longitude: bound(longitude),
        within_km: bound(10_f64.powf(power)),
    })
}

/// A box of which each side may be anything from a metre to all there is.
fn box_of_any_size(
    centre: impl Strategy<Value = Place> + Clone,
) -> impl Strategy<Value = BoxFilter> + Clone {
    let reach =
        prop_oneof![1 => Just(0.0), 8 => (-5.0_f64..2.6).prop_map(|power| 10_f64.powf(power))];
    (centre, [reach.clone(), reach.clone(), reach.clone(), reach]).prop_map(
        |((latitude, longitude), [west, south, east, north])| BoxFilter {
            west: bound((longitude - west).max(-180.0)),
            south: bound((latitude - south).max(-90.0)),
            east: bound((longitude + east).min(180.0)),
            north: bound((latitude + north).min(90.0)),
        },
    )
}
