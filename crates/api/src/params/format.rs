//! The format of an answer: a page of JSON, or every match in a file.

use crate::quality_values;

/// The format of an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// A page in its envelope.
    #[default]
    Json,
    /// Every match, one object per line.
    Ndjson,
    /// Every match, one row each (RFC 4180).
    Csv,
    /// Every match, one feature each (RFC 7946).
    GeoJson,
    /// Every match, one row each, in columns with types.
    Parquet,
}

impl Format {
    /// The media type of an answer.
    pub const fn media_type(self) -> &'static str {
        match self {
            Self::Json => "application/json",
            Self::Ndjson => "application/x-ndjson",
            Self::Csv => "text/csv; charset=utf-8",
            Self::GeoJson => "application/geo+json",
            Self::Parquet => "application/vnd.apache.parquet",
        }
    }

    /// The ending of a file's name.
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Ndjson => "ndjson",
            Self::Csv => "csv",
            Self::GeoJson => "geojson",
            Self::Parquet => "parquet",
        }
    }

    /// Whether a general compression makes the answer smaller; Parquet is compressed by itself.
    pub const fn is_compressible(self) -> bool {
        !matches!(self, Self::Parquet)
    }

    /// Whether the answer holds every match rather than a page.
    pub const fn is_export(self) -> bool {
        !matches!(self, Self::Json)
    }

    /// The format that the lines of `Accept` prefer; JSON if they name none.
    ///
    /// Among equal weights, the first one named wins (RFC 9110, section 12.5.1).
    pub fn accepted<'a>(accept: impl IntoIterator<Item = &'a str>) -> Self {
        let mut best = (0, Self::Json);
        for (range, weight) in quality_values(accept) {
            let format = match range.as_str() {
                "application/json" | "application/*" | "*/*" => Self::Json,
                "application/x-ndjson" => Self::Ndjson,
                "text/csv" => Self::Csv,
                "application/geo+json" => Self::GeoJson,
                "application/vnd.apache.parquet" => Self::Parquet,
                _ => continue,
            };
            if weight > best.0 {
                best = (weight, format);
            }
        }
        best.1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accept_names_a_format_or_json_is_meant() {
        for (accept, expected) in [
            ("text/csv", Format::Csv),
            ("TEXT/CSV; header=present", Format::Csv),
            ("application/x-ndjson", Format::Ndjson),
            ("text/csv;q=0.5, application/x-ndjson;q=0.9", Format::Ndjson),
            ("text/csv, application/json", Format::Csv),
            ("application/geo+json", Format::GeoJson),
            ("application/geo+json;q=0.8, application/vnd.apache.parquet", Format::Parquet),
            ("application/vnd.apache.parquet;q=0", Format::Json),
            ("text/csv;q=0, text/html", Format::Json),
            ("*/*", Format::Json),
            ("text/csv;q=0.5, */*", Format::Json),
            ("text/csv, */*", Format::Csv),
            ("text/*, image/png", Format::Json),
            ("", Format::Json),
        ] {
            assert_eq!(Format::accepted([accept]), expected, "{accept}");
        }
        assert_eq!(Format::accepted([]), Format::Json);
    }
}
