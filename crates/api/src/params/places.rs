//! `near`, `within_km` and `bbox`: places in degrees, and a distance.

use outfall_records::Decimal;
use outfall_request::{Bound, BoxFilter, NearFilter};

use super::fault::{ParameterFault, PlaceFault};
use super::raw::RawParams;
use super::table::Name;

const MOST_NORTH: u32 = 90;
const MOST_EAST: u32 = 180;

/// The circle that a request gives by its centre, and mostly by its radius.
pub(super) fn near(raw: &mut RawParams) -> Option<NearFilter> {
    let centre = raw.read_one(Name::Near, centre);
    let radius = raw.read_one(Name::WithinKm, radius);
    if let Some(radius) = &radius
        && !raw.is_given(Name::Near)
    {
        raw.refuse(&radius.given, PlaceFault::RadiusWithoutCentre.into());
    }
    let [latitude, longitude] = centre?.value;
    let default = || Bound::from(Decimal::from(NearFilter::DEFAULT_KM));
    let within_km = radius.map_or_else(default, |radius| radius.value);
    Some(NearFilter { latitude, longitude, within_km })
}

/// The box that a request gives.
pub(super) fn bbox(raw: &mut RawParams) -> Option<BoxFilter> {
    raw.read_one(Name::Bbox, corners).map(|read| read.value)
}

fn centre(text: &str) -> Result<[Bound; 2], ParameterFault> {
    let centre @ [latitude, longitude] = &numbers(text).ok_or(PlaceFault::NotAPoint)?;
    if !is_within(latitude, MOST_NORTH) || !is_within(longitude, MOST_EAST) {
        return Err(PlaceFault::OffTheGlobe.into());
    }
    Ok(centre.clone())
}

fn radius(text: &str) -> Result<Bound, ParameterFault> {
    let radius = Bound::parse(text).map_err(ParameterFault::NotANumber)?;
    let is_positive = radius > Bound::from(Decimal::ZERO);
    if !is_positive || !is_within(&radius, NearFilter::MOST_KM) {
        return Err(PlaceFault::RadiusOutOfRange.into());
    }
    Ok(radius)
}

fn corners(text: &str) -> Result<BoxFilter, ParameterFault> {
    let [west, south, east, north] = numbers(text).ok_or(PlaceFault::NotABox)?;
    let is_on_globe = [&west, &east].into_iter().all(|meridian| is_within(meridian, MOST_EAST))
        && [&south, &north].into_iter().all(|parallel| is_within(parallel, MOST_NORTH));
    if !is_on_globe {
        return Err(PlaceFault::OffTheGlobe.into());
    }
    if west > east {
        return Err(PlaceFault::WestOfEast.into());
    }
    if south > north {
        return Err(PlaceFault::SouthOfNorth.into());
    }
    Ok(BoxFilter { west, south, east, north })
}

/// Exactly `N` numbers, with commas between.
fn numbers<const N: usize>(text: &str) -> Option<[Bound; N]> {
    let numbers = text.split(',').map(|number| Bound::parse(number.trim()));
    numbers.collect::<Result<Vec<Bound>, _>>().ok()?.try_into().ok()
}

fn is_within(number: &Bound, limit: u32) -> bool {
    let limit = Decimal::from(limit);
    Bound::from(-limit) <= *number && *number <= Bound::from(limit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_numbers_on_the_globe() {
        let shown = |bounds: &[Bound]| bounds.iter().map(Bound::to_string).collect::<Vec<_>>();
        for (text, expected) in [
            ("43.68,-79.77", Ok("4368e-2 -7977e-2")),
            ("+90,  1.8e2", Ok("9e1 18e1")),
            ("-90,-180.0", Ok("-9e1 -18e1")),
            ("90.0000000000000000000000000000001,0", Err("out-of-range")),
            ("91,0", Err("out-of-range")),
            ("0,-180.5", Err("out-of-range")),
            ("43.68", Err("invalid-value")),
            ("43.68;-79.77", Err("invalid-value")),
            ("43.68,-79.77,", Err("invalid-value")),
            ("43,68,-79,77", Err("invalid-value")),
            ("43.68 -79.77", Err("invalid-value")),
            ("43.68N,79.77W", Err("invalid-value")),
            ("NaN,0", Err("invalid-value")),
            ("Toronto", Err("invalid-value")),
        ] {
            let read = centre(text).map(|centre| shown(&centre).join(" "));
            let read = read.map_err(|fault| fault.code());
            assert_eq!(read.as_deref(), expected.as_ref().copied(), "{text}");
        }
        for (text, expected) in [
            ("-80, 43, -79, 44", Ok("-8e1,43e0,-79e0,44e0")),
            ("-80,43,-80,43", Ok("-8e1,43e0,-8e1,43e0")),
            ("-180,-90,180,90", Ok("-18e1,-9e1,18e1,9e1")),
            ("-79,43,-80,44", Err("invalid-value")),
            ("-80,44,-79,43", Err("empty-range")),
            ("-80,43,-79", Err("invalid-value")),
            ("-80,43,-79,44,45", Err("invalid-value")),
            ("43,-80,44,-179", Err("out-of-range")),
            ("-80,43,-79,91", Err("out-of-range")),
            ("-80,43,,44", Err("invalid-value")),
        ] {
            let read = corners(text).map(|BoxFilter { west, south, east, north }| {
                shown(&[west, south, east, north]).join(",")
            });
            assert_eq!(read.as_deref().map_err(|fault| fault.code()), expected, "{text}");
        }
        for (text, expected) in [
            ("500", None),
            ("5e-1", None),
            ("1e-400", None),
            ("0", Some("out-of-range")),
            ("-1", Some("out-of-range")),
            ("500.0000000000000000000000000000000001", Some("out-of-range")),
            ("10 km", Some("invalid-value")),
        ] {
            assert_eq!(radius(text).err().map(|fault| fault.code()), expected, "{text}");
        }
    }
}
