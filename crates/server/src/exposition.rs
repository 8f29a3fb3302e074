//! The two text formats of metrics, and the choice between them.

use actix_web::http::header::{ACCEPT, HeaderMap};
use outfall_api::quality_values;

use crate::http::lines;

/// A text format of metrics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exposition {
    /// Prometheus text 0.0.4, which every Prometheus reads.
    Prometheus,
    /// OpenMetrics 1.0.
    OpenMetrics,
}

impl Exposition {
    /// Prometheus text, unless `Accept` prefers OpenMetrics to plain text by name.
    pub(crate) fn accepted(headers: &HeaderMap) -> Self {
        let accepted = quality_values(lines(headers, ACCEPT));
        let weight = |name: &str| {
            let weights = accepted.iter().filter(|(range, _)| range == name);
            weights.map(|(_, weight)| *weight).max().unwrap_or(0)
        };
        match weight("application/openmetrics-text") > weight("text/plain") {
            true => Self::OpenMetrics,
            false => Self::Prometheus,
        }
    }

    /// The value of `Content-Type`.
    pub(crate) const fn content_type(self) -> &'static str {
        match self {
            Self::Prometheus => "text/plain; version=0.0.4; charset=utf-8",
            Self::OpenMetrics => "application/openmetrics-text; version=1.0.0; charset=utf-8",
        }
    }

    /// Converts metrics from OpenMetrics to this format.
    pub(crate) fn of_open_metrics(self, text: String) -> String {
        match self {
            Self::Prometheus => prometheus(&text),
            Self::OpenMetrics => text,
        }
    }
}

/// Converts OpenMetrics to Prometheus text. The samples are the same. Comments differ: Prometheus
/// declares a counter under the full name of its samples, treats an info as a gauge, and has
/// neither units nor an end mark.
fn prometheus(open_metrics: &str) -> String {
    let mut text = String::with_capacity(open_metrics.len());
    let mut help = "";
    for line in open_metrics.lines() {
        let Some(comment) = line.strip_prefix("# ") else {
            text.extend([line, "\n"]);
            continue;
        };
        let mut words = comment.splitn(3, ' ');
        match (words.next(), words.next(), words.next()) {
            // The name depends on the type, which follows.
            (Some("HELP"), Some(_), Some(words)) => help = words,
            (Some("TYPE"), Some(name), Some(kind)) => {
                let (suffix, kind) = match kind {
                    "counter" => ("_total", kind),
                    "info" => ("_info", "gauge"),
                    _ => ("", kind),
                };
                text += &format!("# HELP {name}{suffix} {help}\n# TYPE {name}{suffix} {kind}\n");
            }
            _ => {}
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use actix_web::http::header::HeaderValue;

    #[test]
    fn open_metrics_is_for_those_who_prefer_it() {
        for (accept, expected) in [
            ("", Exposition::Prometheus),
            ("*/*", Exposition::Prometheus),
            ("text/html, */*;q=0.8", Exposition::Prometheus),
            ("text/plain;version=0.0.4", Exposition::Prometheus),
            ("application/openmetrics-text", Exposition::OpenMetrics),
            ("application/openmetrics-text; version=1.0.0, */*", Exposition::OpenMetrics),
            ("application/openmetrics-text;q=0", Exposition::Prometheus),
            ("text/plain, application/openmetrics-text;q=0.5", Exposition::Prometheus),
            // Sent by Prometheus 2.30 and 3.0.
            (
                "application/openmetrics-text; version=0.0.1,text/plain;version=0.0.4;q=0.5,*/*;q=0.1",
                Exposition::OpenMetrics,
            ),
            (
                "application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.5,\
                 application/openmetrics-text;version=0.0.1;q=0.4,\
                 text/plain;version=1.0.0;escaping=allow-utf-8;q=0.3,\
                 text/plain;version=0.0.4;q=0.2,*/*;q=0.1",
                Exposition::OpenMetrics,
            ),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(ACCEPT, HeaderValue::from_static(accept));
            assert_eq!(Exposition::accepted(&headers), expected, "{accept}");
        }
        assert_eq!(Exposition::accepted(&HeaderMap::new()), Exposition::Prometheus);
    }
}
