//! The fault of a circle as a sentence, in both languages.

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
