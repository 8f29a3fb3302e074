//! Where each site is, for the filters by place.

use outfall_records::Site;
use outfall_request::Coordinates;

use crate::index::bytes::{Decoder, Encoder};

/// Encodes the coordinates of each site: a flag, then both if the site has both.
pub(super) fn encode_coordinates(sites: &[impl AsRef<Site>], encoder: &mut Encoder) {
    for site in sites {
        let site = site.as_ref();
        match (site.latitude, site.longitude) {
            (Some(latitude), Some(longitude)) => {
                encoder.u8(1);
                encoder.decimal(latitude);
                encoder.decimal(longitude);
            }
            _ => encoder.u8(0),
        }
    }
}

/// Reads what [`encode_coordinates`] wrote for that many sites.
pub(super) fn decode_coordinates(
    decoder: &mut Decoder<'_>,
    sites: usize,
) -> Option<Vec<Option<Coordinates>>> {
    let mut coordinates = Vec::with_capacity(sites);
    for _ in 0..sites {
        coordinates.push(match decoder.u8()? {
            0 => None,
            1 => {
                let (latitude, longitude) = (decoder.decimal()?.into(), decoder.decimal()?.into());
                Some(Coordinates { latitude, longitude })
            }
            _ => return None,
        });
    }
    Some(coordinates)
}
