//! The fault of a circle or a box as a sentence, in both languages.

use outfall_request::NearFilter;

use crate::Bilingual;
use crate::params::PlaceFault;

/// The fault of the parameter called `name`, and how to correct it.
pub(super) fn detail(name: &str, fault: PlaceFault) -> Bilingual {
    match fault {
        PlaceFault::NotAPoint => Bilingual::new(
            format!("{name} must be a latitude and a longitude in degrees: 43.68,-79.77."),
            format!(
                "{name} doit être une latitude et une longitude en degrés\u{a0}: 43.68,-79.77."
            ),
        ),
        PlaceFault::NotABox => Bilingual::new(
            format!(
                "{name} must be four numbers in degrees: west, south, east, north, such as \
                 -83,42,-79,44."
            ),
            format!(
                "{name} doit être quatre nombres en degrés\u{a0}: ouest, sud, est, nord, comme \
                 -83,42,-79,44."
            ),
        ),
        PlaceFault::WestOfEast => Bilingual::new(
            format!(
                "{name} must begin with the western edge: west, south, east, north. A box cannot \
                 cross the 180th meridian."
            ),
            format!(
                "{name} doit commencer par la limite ouest\u{a0}: ouest, sud, est, nord. Une zone ne \
                 peut pas traverser le 180e méridien."
            ),
        ),
        PlaceFault::SouthOfNorth => Bilingual::new(
            format!(
                "{name} must give the southern edge before the northern: west, south, east, north."
            ),
            format!(
                "{name} doit donner la limite sud avant la limite nord\u{a0}: ouest, sud, est, nord."
            ),
        ),
        PlaceFault::OffTheGlobe => Bilingual::new(
            format!("{name} must have latitudes from -90 to 90 and longitudes from -180 to 180."),
            format!("{name} doit avoir des latitudes de -90 à 90 et des longitudes de -180 à 180."),
        ),
        PlaceFault::RadiusOutOfRange => {
            let most = NearFilter::MOST_KM;
            Bilingual::new(
                format!("{name} must be over 0 and at most {most} kilometres."),
                format!("{name} doit dépasser 0 et être au plus {most} kilomètres."),
            )
        }
        PlaceFault::RadiusWithoutCentre => Bilingual::new(
            format!("{name} is the radius around near; give near=LATITUDE,LONGITUDE too."),
            format!("{name} est le rayon autour de near; donnez aussi near=LATITUDE,LONGITUDE."),
        ),
    }
}
