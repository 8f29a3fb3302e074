//! `near=` and `within_km=`: the places around a point.

use outfall_records::Decimal;

use super::{Coordinates, Filter, SpelledFilter};
use crate::Bound;
use crate::reference::FilteredRecord;

/// A circle on the globe, its edge included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NearFilter {
    /// Degrees north of the centre, -90 to 90.
    pub latitude: Bound,
    /// Degrees east of the centre, -180 to 180.
    pub longitude: Bound,
    /// Kilometres, above 0 and at most [`NearFilter::MOST_KM`].
    pub within_km: Bound,
}

impl NearFilter {
    /// The radius of a request that gives none, in kilometres.
    pub const DEFAULT_KM: u32 = 10;
    /// The largest radius, in kilometres.
    pub const MOST_KM: u32 = 500;

    /// The centre.
    #[must_use]
    pub fn centre(&self) -> Coordinates {
        Coordinates {
            latitude: self.latitude.floor().into(),
            longitude: self.longitude.floor().into(),
        }
    }

    /// The radius in kilometres.
    #[must_use]
    pub fn radius(&self) -> f64 {
        self.within_km.nearest()
    }

    /// The other parameter that the filter is given by.
    pub(super) fn spelled_radius(filter: Option<&Self>) -> SpelledFilter {
        let radius = filter.map(|filter| &filter.within_km);
        let default = Bound::from(Decimal::from(Self::DEFAULT_KM));
        SpelledFilter::single("within_km", radius.filter(|radius| **radius != default))
    }
}

impl Filter for NearFilter {
    const NAME: &'static str = "near";

    fn canonical(&self) -> String {
        format!("{},{}", self.latitude, self.longitude)
    }

    fn passes(&self, record: &FilteredRecord<'_>) -> bool {
        let place = Coordinates::of(record.record().site());
        place.is_some_and(|place| self.centre().kilometres_to(&place) <= self.radius())
    }
}
