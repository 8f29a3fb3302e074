//! The pass of a frame: a chart on another site sends it instead of a key, with its one question.
//!
//! Browsers send no cookie from a frame of another site, so this pass is in the page of the frame,
//! which sends it back as a header. No other site can read it there, because the page is shared
//! with no other origin. It is valid only for the question of that page, and only for the numbers
//! of charts, not for records or files. As with the cookie of the explorer, anybody gets one, so
//! requests that carry it are limited by address; a request of another origin, or of an unknown
//! `Host`, is refused.

use std::iter;

use actix_web::HttpRequest;
use actix_web::http::header::HeaderMap;
use outfall_api::{Format, names_of_answers};
use percent_encoding::percent_decode_str;

use crate::day_pass::DayPasses;
use crate::http::accepted_format;
use crate::page_pass::{is_known_host, is_same_origin};
use crate::settings::HostName;

/// The header with the pass.
const HEADER: &str = "x-outfall-embed";
/// The parameters of the frame itself.
const OF_FRAME: [&str; 3] = ["on", "view", "lang"];
/// The parameters that lead to records and files.
const LEADING_ON: [&str; 3] = ["format", "cursor", "offset"];

/// A name and a value of a query.
type Pair = (String, String);

/// Makes and checks the passes of frames.
pub(crate) struct EmbedPasses(DayPasses);

impl EmbedPasses {
    /// Passes with a new secret.
    ///
    /// # Errors
    /// When the operating system provides no randomness.
    pub(crate) fn new() -> Result<Self, getrandom::Error> {
        DayPasses::new().map(Self)
    }

    /// Today's pass for the frame whose page has this query.
    pub(crate) fn of_page(&self, query: &str) -> String {
        let pairs = pairs(query);
        let kind = pairs.iter().find(|(name, _)| name == "on").map(|(_, kind)| kind.as_str());
        let path = if kind == Some("emission") { "/emission" } else { "/release" };
        self.0.today(&subject(path, &question(pairs)))
    }

    /// Whether a request carries a pass of today or yesterday for its question, and asks for no
    /// more than the numbers of a chart.
    pub(crate) fn admits(&self, request: &HttpRequest, hosts: &[HostName]) -> bool {
        let headers = request.headers();
        is_known_host(headers, hosts)
            && is_same_origin(headers)
            && accepted_format(headers) == Format::Json
            && given(headers).is_some_and(|pass| {
                self.is_good(pass, request.path(), pairs(request.query_string()))
            })
    }

    fn is_good(&self, pass: &str, path: &str, pairs: Vec<Pair>) -> bool {
        let leads_on = pairs.iter().any(|(name, _)| LEADING_ON.contains(&name.as_str()));
        let mut limits = pairs.iter().filter(|(name, _)| name == "limit");
        let of_places = path.strip_suffix("/places");
        let has_records =
            of_places.is_none() && limits.next().is_none_or(|(_, limit)| limit != "0");
        if leads_on || has_records {
            return false;
        }
        let question = question(pairs);
        self.0.is_good(pass, &subject(of_places.unwrap_or(path), &question))
    }
}

/// What a pass is valid for: a question to one of the searches.
fn subject<'a>(path: &'a str, question: &'a [Pair]) -> Vec<&'a str> {
    let pairs = question.iter().flat_map(|(name, value)| [name.as_str(), value.as_str()]);
    iter::once(path).chain(pairs).collect()
}

/// The question, however its answer is shown: the pairs that choose records, sorted.
fn question(mut pairs: Vec<Pair>) -> Vec<Pair> {
    pairs.retain(|(name, _)| {
        !OF_FRAME.contains(&name.as_str()) && names_of_answers().all(|other| other != name)
    });
    pairs.sort();
    pairs
}

/// The pairs of a query that have a value, decoded as the page of the frame decodes them.
fn pairs(query: &str) -> Vec<Pair> {
    let decoded =
        |text: &str| percent_decode_str(&text.replace('+', " ")).decode_utf8_lossy().into_owned();
    let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
    let pairs = pairs.map(|(name, value)| (decoded(name), decoded(value)));
    pairs.filter(|(_, value)| !value.is_empty()).collect()
}

/// The pass in the headers, if it is given exactly once.
fn given(headers: &HeaderMap) -> Option<&str> {
    let mut passes = headers.get_all(HEADER);
    let pass = passes.next()?.to_str().ok()?;
    passes.next().is_none().then_some(pass)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pass_is_good_for_the_numbers_of_its_question() {
        let passes = EmbedPasses::new().unwrap();
        let page = "on=release&q=lead+OR+zinc&province=ON&province=QC&facet_sort=count&view=map\
                    &lang=fr&cursor=abc";
        let pass = passes.of_page(page);
        for (path, query, expected) in [
            ("/release", "q=lead+OR+zinc&province=ON&province=QC&facets=year&limit=0", true),
            ("/release", "limit=0&province=QC&q=lead%20OR%20zinc&province=ON&city=", true),
            ("/release", "q=lead+OR+zinc&province=ON&province=QC&limit=0&view=nothing", true),
            ("/release/places", "q=lead+OR+zinc&province=ON&province=QC", true),
            ("/release/places", "q=lead+OR+zinc&province=ON", false),
            ("/emission/places", "q=lead+OR+zinc&province=ON&province=QC", false),
            ("/release", "q=lead+OR+zinc&province=ON&province=QC&sort_by=value&limit=0", true),
            ("/emission", "q=lead+OR+zinc&province=ON&province=QC&limit=0", false),
            ("/release", "q=lead+OR+zinc&province=ON&limit=0", false),
            ("/release", "q=lead&province=ON&province=QC&limit=0", false),
            ("/release", "limit=0", false),
            ("/release", "q=lead+OR+zinc&province=ON&province=QC&city=Sarnia&limit=0", false),
            ("/release", "q=lead+OR+zinc&province=ON&province=QC", false),
            ("/release", "q=lead+OR+zinc&province=ON&province=QC&limit=25", false),
            ("/release", "q=lead+OR+zinc&province=ON&province=QC&limit=0&format=csv", false),
            ("/release", "q=lead+OR+zinc&province=ON&province=QC&limit=0&cursor=abc", false),
            ("/release", "q=lead+OR+zinc&province=ON&province=QC&limit=0&offset=25", false),
        ] {
            assert_eq!(passes.is_good(&pass, path, pairs(query)), expected, "{path}?{query}");
        }
    }
}
