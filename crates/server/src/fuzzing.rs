//! What the fuzz targets of `fuzz/` reach of the inside: each takes what a client may send.

use actix_web::http::header::{ACCEPT, HeaderMap, HeaderValue};
use outfall_records::Entity;

use crate::Settings;
use crate::canonical::canonical_query;
use crate::params::{Format, RawParams, emission_request, release_request};
use crate::settings::HostName;

/// The canonical form of a query string; `None` for one that is refused.
#[must_use]
pub fn canonical_query_string(query: &str, entity: Entity) -> Option<String> {
    let raw = RawParams::from_query_string(query, entity, Settings::default().max_parameter_length);
    let checked = match entity {
        Entity::Release => release_request(raw, Format::Json),
        Entity::Emission => emission_request(raw, Format::Json),
    };
    checked.ok().map(|checked| canonical_query(&checked))
}

/// The host that `x-gateway-host` names.
#[must_use]
pub fn gateway_host(value: &str) -> Option<String> {
    HostName::parse(value).map(|host| host.to_string())
}

/// The media type that an `Accept` of these bytes asks for; `None` when they are no header.
#[must_use]
pub fn accepted_media_type(accept: &[u8]) -> Option<&'static str> {
    let mut headers = HeaderMap::new();
    headers.insert(ACCEPT, HeaderValue::from_bytes(accept).ok()?);
    Some(Format::accepted(&headers).media_type())
}
