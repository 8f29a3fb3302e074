//! Records as a GeoJSON feature collection (RFC 7946): a feature for each, a line each.
//!
//! The JSON of a record and of its coordinates is copied as it is, so no number is rounded.

use serde::Deserialize;
use serde_json::value::RawValue;

/// What comes before the first feature.
pub(super) const HEAD: &[u8] = b"{\"type\":\"FeatureCollection\",\"features\":[";
/// What comes after the last one. Without it the file is no JSON, so one that breaks off is never
/// mistaken for a whole one.
pub(super) const TAIL: &[u8] = b"\n]}\n";

/// What a feature takes from its record, as it is written there.
#[derive(Deserialize)]
struct Located<'r> {
    #[serde(borrow)]
    record_id: &'r RawValue,
    #[serde(borrow)]
    latitude: &'r RawValue,
    #[serde(borrow)]
    longitude: &'r RawValue,
}

/// The features of a file.
#[derive(Default)]
pub(super) struct Features {
    has_some: bool,
}

impl Features {
    /// Appends the features of some records, each after what separates it from the one before it.
    ///
    /// # Errors
    /// When a record is not a JSON object with an id and coordinates.
    pub(super) fn append<'r>(
        &mut self,
        chunk: &mut Vec<u8>,
        records: impl Iterator<Item = &'r [u8]>,
    ) -> serde_json::Result<()> {
        for record in records {
            let Located { record_id, latitude, longitude } = serde_json::from_slice(record)?;
            let separator = if self.has_some { ",\n" } else { "\n" };
            self.has_some = true;
            let geometry = match (longitude.get(), latitude.get()) {
                ("null", _) | (_, "null") => "null".to_owned(),
                // East before north, unlike in the record.
                (east, north) => format!("{{\"type\":\"Point\",\"coordinates\":[{east},{north}]}}"),
            };
            let head = format!(
                "{separator}{{\"type\":\"Feature\",\"id\":{record_id},\"geometry\":{geometry},\
                 \"properties\":"
            );
            chunk.extend_from_slice(head.as_bytes());
            chunk.extend_from_slice(record);
            chunk.push(b'}');
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_are_copied_and_both_or_none() {
        for (latitude, longitude, expected) in [
            ("43.650", "-79.38", "{\"type\":\"Point\",\"coordinates\":[-79.38,43.650]}"),
            (
                "49.123456789012345",
                "-179.999999999999999",
                "{\"type\":\"Point\",\"coordinates\":[-179.999999999999999,49.123456789012345]}",
            ),
            ("null", "-79.38", "null"),
            ("43.65", "null", "null"),
            ("null", "null", "null"),
        ] {
            let record = format!(
                "{{\"record_id\":\"1:2019\",\"latitude\":{latitude},\"longitude\":{longitude}}}"
            );
            let feature = format!(
                "{{\"type\":\"Feature\",\"id\":\"1:2019\",\"geometry\":{expected},\
                 \"properties\":{record}}}"
            );
            let (mut features, mut chunk) = (Features::default(), Vec::new());
            features.append(&mut chunk, [record.as_bytes(); 2].into_iter()).unwrap();
            features.append(&mut chunk, [record.as_bytes()].into_iter()).unwrap();
            let written = String::from_utf8(chunk).unwrap();
            assert_eq!(written, format!("\n{feature},\n{feature},\n{feature}"));
        }
    }

    #[test]
    fn a_record_without_coordinates_is_a_fault() {
        for record in ["{\"record_id\":\"1:2019\",\"latitude\":1}", "[]", "{"] {
            let mut features = Features::default();
            assert!(features.append(&mut Vec::new(), [record.as_bytes()].into_iter()).is_err());
        }
    }
}
