//! The distinct coordinates of all facilities, each a keyword: the plain way to filter by place.

use std::collections::BTreeMap;

use outfall_records::{Site, Tables};
use outfall_request::{BoxFilter, Coordinates, NearFilter};
use tantivy::Term;
use tantivy::query::{Query, TermSetQuery};
use tantivy::schema::Field;

/// The keyword of a site's coordinates, if it has both.
pub(crate) fn keyword(site: &Site) -> Option<String> {
    Some(format!("{} {}", site.latitude?, site.longitude?))
}

/// Every place where a facility is.
#[derive(Debug, Default)]
pub(crate) struct DistinctPlaces(Vec<(Coordinates, String)>);

impl DistinctPlaces {
    pub(crate) fn of(tables: &Tables) -> Self {
        let places = tables.sites.iter();
        let places = places.filter_map(|site| Some((keyword(site)?, Coordinates::of(site)?)));
        let places: BTreeMap<String, Coordinates> = places.collect();
        Self(places.into_iter().map(|(keyword, place)| (place, keyword)).collect())
    }

    pub(crate) fn near(&self, field: Field, circle: &NearFilter) -> Box<dyn Query> {
        let (centre, radius) = (circle.centre(), circle.radius());
        self.matching(field, |place| centre.kilometres_to(place) <= radius)
    }

    pub(crate) fn within(&self, field: Field, bounds: &BoxFilter) -> Box<dyn Query> {
        let (south_west, north_east) = (bounds.south_west(), bounds.north_east());
        self.matching(field, |place| {
            (south_west.latitude..=north_east.latitude).contains(&place.latitude)
                && (south_west.longitude..=north_east.longitude).contains(&place.longitude)
        })
    }

    fn matching(&self, field: Field, is_in: impl Fn(&Coordinates) -> bool) -> Box<dyn Query> {
        let places = self.0.iter().filter(|(place, _)| is_in(place));
        let terms = places.map(|(_, keyword)| Term::from_field_text(field, keyword));
        Box::new(TermSetQuery::new(terms.collect::<Vec<_>>()))
    }
}
