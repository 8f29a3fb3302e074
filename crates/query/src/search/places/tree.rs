//! Which places are in a region.

use std::ops::Range;

use super::region::{Bounds, Region, Share, Spot};
use crate::index::numbered;

/// Members of a group: places, or groups of places.
const MEMBERS: usize = 8;

/// Places along the curve, in groups, in groups of groups, and so on.
#[derive(Debug)]
pub(super) struct PlaceTree {
    spots: Vec<Spot>,
    /// The bounds of each group, the smallest groups first.
    levels: Vec<Vec<Bounds>>,
}

impl PlaceTree {
    pub(super) fn of(spots: Vec<Spot>) -> Self {
        let mut levels = Vec::new();
        let mut members: Vec<Bounds> = spots.iter().map(Bounds::from).collect();
        while members.len() > 1 || levels.is_empty() {
            let joined = |group: &[Bounds]| group.iter().copied().reduce(Bounds::joined);
            members = members.chunks(MEMBERS).filter_map(joined).collect();
            levels.push(members.clone());
        }
        Self { spots, levels }
    }

    /// The places in a region, as spans of places along the curve.
    pub(super) fn spans(&self, region: &impl Region) -> Vec<Range<u32>> {
        let mut spans = Vec::new();
        let top = self.levels.len() - 1;
        for group in 0..self.levels[top].len() {
            self.add(top, group, region, &mut spans);
        }
        spans
    }

    fn add(&self, level: usize, group: usize, region: &impl Region, spans: &mut Vec<Range<u32>>) {
        let members = |len: usize| group * MEMBERS..len.min((group + 1) * MEMBERS);
        match (region.share_of(&self.levels[level][group]), level.checked_sub(1)) {
            (Share::None, _) => {}
            (Share::All, _) => {
                let size = MEMBERS.pow(numbered(level + 1));
                add_span(spans, group * size..self.spots.len().min((group + 1) * size));
            }
            (Share::Some, Some(below)) => {
                for member in members(self.levels[below].len()) {
                    self.add(below, member, region, spans);
                }
            }
            (Share::Some, None) => {
                for place in members(self.spots.len()) {
                    if region.holds(&self.spots[place]) {
                        add_span(spans, place..place + 1);
                    }
                }
            }
        }
    }
}

/// Adds a span after all others, as part of the last one if it follows that.
fn add_span(spans: &mut Vec<Range<u32>>, span: Range<usize>) {
    let (start, end) = (numbered(span.start), numbered(span.end));
    match spans.last_mut() {
        Some(last) if last.end == start => last.end = end,
        _ => spans.push(start..end),
    }
}

#[cfg(test)]
mod tests {
    use outfall_request::{Bound, BoxFilter, Coordinates, NearFilter};
    use proptest::prelude::*;

    use super::*;
    use crate::search::places::curve;
    use crate::search::places::region::Circle;

    fn coordinates((latitude, longitude): (f64, f64)) -> Coordinates {
        let degrees = |degrees: f64| bound(degrees).floor().into();
        Coordinates { latitude: degrees(latitude), longitude: degrees(longitude) }
    }

    fn bound(number: f64) -> Bound {
        Bound::parse(&format!("{number:.6}")).unwrap()
    }

    /// Anywhere, with more at the poles, at the 180th meridian and in one city.
    fn place() -> impl Strategy<Value = (f64, f64)> {
        let pole = prop_oneof![Just(-90.0), -90.0..-89.0, 89.0..90.0, Just(90.0)];
        let date_line = prop_oneof![Just(-180.0), -180.0..-179.0, 179.0..180.0, Just(180.0)];
        prop_oneof![
            4 => (-90.0..=90.0, -180.0..=180.0),
            1 => (pole, -180.0..=180.0),
            1 => (-90.0..=90.0, date_line),
            2 => (43.6..43.7, -79.5..-79.4),
        ]
    }

    fn tree(places: Vec<(f64, f64)>) -> PlaceTree {
        let mut places: Vec<Coordinates> = places.into_iter().map(coordinates).collect();
        places.sort_by_key(curve::position);
        PlaceTree::of(places.into_iter().map(Spot::at).collect())
    }

    /// The places of spans that neither touch nor are out of order.
    fn members(spans: &[Range<u32>]) -> Vec<u32> {
        assert!(spans.iter().all(|span| span.start < span.end), "{spans:?}");
        assert!(spans.windows(2).all(|pair| pair[0].end < pair[1].start), "{spans:?}");
        spans.iter().cloned().flatten().collect()
    }

    fn expected(tree: &PlaceTree, is_in: impl Fn(&Coordinates) -> bool) -> Vec<u32> {
        let spots = tree.spots.iter().zip(0..);
        spots.filter(|(spot, _)| is_in(&spot.coordinates)).map(|(_, place)| place).collect()
    }

    proptest! {
        #[test]
        fn circles_hold_what_is_near_enough(
            places in proptest::collection::vec(place(), 0..300),
            (centre, edge) in (place(), place()),
            // The metres of a radius, as a power of ten; past that, the distance of a place.
            power in 0.0_f64..9.0,
        ) {
            let centre = coordinates(centre);
            let kilometres = match power {
                8.0.. => centre.kilometres_to(&coordinates(edge)),
                _ => 10_f64.powf(power) / 1000.0,
            };
            let [latitude, longitude] =
                [centre.latitude, centre.longitude].map(|degrees| bound(degrees.nearest()));
            // Every digit of the distance, so that the place may be exactly on the edge.
            let within_km = Bound::parse(&format!("{kilometres:e}")).unwrap();
            let filter = NearFilter { latitude, longitude, within_km };
            let tree = tree(places.into_iter().chain([edge]).collect());
            let found = members(&tree.spans(&Circle::of(&filter)));
            let near = |place: &Coordinates| centre.kilometres_to(place) <= filter.radius();
            prop_assert_eq!(found, expected(&tree, near));
        }

        #[test]
        fn boxes_hold_what_is_between_their_sides(
            places in proptest::collection::vec(place(), 0..300),
            (from, to) in (place(), place()),
            (is_thin, is_low) in (any::<bool>(), any::<bool>()),
        ) {
            let from = coordinates(from);
            let (mut latitude, mut longitude) = to;
            if is_thin {
                longitude = from.longitude.nearest();
            }
            if is_low {
                latitude = from.latitude.nearest();
            }
            let to = coordinates((latitude, longitude));
            let sides = |a: f64, b: f64| (bound(a.min(b)), bound(a.max(b)));
            let (south, north) = sides(from.latitude.nearest(), to.latitude.nearest());
            let (west, east) = sides(from.longitude.nearest(), to.longitude.nearest());
            let filter = BoxFilter { west, south, east, north };
            let corners = (filter.south_west(), filter.north_east());
            let tree = tree(places.into_iter().chain([(latitude, longitude)]).collect());
            let between = |place: &Coordinates| {
                (corners.0.latitude..=corners.1.latitude).contains(&place.latitude)
                    && (corners.0.longitude..=corners.1.longitude).contains(&place.longitude)
            };
            let found = members(&tree.spans(&corners));
            prop_assert!(!found.is_empty());
            prop_assert_eq!(found, expected(&tree, between));
        }
    }
}
