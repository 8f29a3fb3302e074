//! The documents in a circle or a box.
//!
//! The distinct places of sites are listed along a curve that mostly keeps neighbours on the map
//! together, so a region is a few spans of that list. [`PlaceTree`] finds the spans, and
//! [`PlaceDocuments`] makes a set of their documents without visiting each of them.

mod curve;
mod documents;
mod region;
mod tree;

use std::ops::Range;

use outfall_request::{BoxFilter, NearFilter, SearchError};

use self::documents::PlaceDocuments;
use self::region::{Circle, Spot};
use self::tree::PlaceTree;
use crate::index::{Kind, numbered};
use crate::search::deadline::Deadline;
use crate::search::sets::DocSet;

/// Places that follow one another on the curve, in spans.
#[derive(Debug)]
pub(crate) struct PlaceSpans(Vec<Range<u32>>);

/// The documents of a kind by the places of their sites.
#[derive(Debug)]
pub(crate) struct Places {
    tree: PlaceTree,
    documents: PlaceDocuments,
}

impl Places {
    pub(crate) fn of(kind: &Kind) -> Self {
        let placed = kind.coordinates.iter().zip(0_usize..);
        let placed = placed.filter_map(|(place, site)| Some(((*place)?, site)));
        let placed = placed.map(|(place, site)| (curve::position(&place), place, site));
        let mut placed: Vec<_> = placed.collect();
        placed.sort_unstable_by_key(|(position, place, site)| {
            (*position, place.latitude, place.longitude, *site)
        });
        let mut spots: Vec<Spot> = Vec::new();
        let mut spot_of = vec![None; kind.coordinates.len()];
        for (_, place, site) in placed {
            if spots.last().is_none_or(|last| last.coordinates != place) {
                spots.push(Spot::at(place));
            }
            spot_of[site] = Some(numbered(spots.len()) - 1);
        }
        let documents = PlaceDocuments::of(kind.site_of.clone(), spot_of, spots.len());
        Self { tree: PlaceTree::of(spots), documents }
    }

    /// The places in a circle.
    pub(crate) fn near(&self, circle: &NearFilter) -> PlaceSpans {
        PlaceSpans(self.tree.spans(&Circle::of(circle)))
    }

    /// The places in a box.
    pub(crate) fn in_box(&self, bounds: &BoxFilter) -> PlaceSpans {
        PlaceSpans(self.tree.spans(&(bounds.south_west(), bounds.north_east())))
    }

    /// The documents of some places.
    pub(crate) fn documents(
        &self,
        places: &PlaceSpans,
        deadline: &Deadline,
    ) -> Result<DocSet, SearchError> {
        self.documents.of_spans(&places.0, deadline)
    }

    /// The first documents of some places, as many as wanted; `None` if a set of all is the better
    /// way.
    pub(crate) fn first(&self, places: &PlaceSpans, wanted: usize) -> Option<Vec<u32>> {
        self.documents.first_of_spans(&places.0, wanted)
    }

    /// The number of documents of some places.
    pub(crate) fn count(&self, places: &PlaceSpans) -> usize {
        self.documents.count_of_spans(&places.0)
    }
}
