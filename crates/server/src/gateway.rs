//! Checks the gateway's headers: the caller's key, the host, and the gateway's own secret.

use std::net::{IpAddr, Ipv4Addr};

use actix_web::HttpRequest;
use actix_web::http::header::{HeaderMap, X_FORWARDED_FOR};
use outfall_api::Problem;
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use crate::http::lines;
use crate::keys::{DEMO_KEY, KeyCheck, KeyId};
use crate::middleware::RequestLog;
use crate::settings::{Auth, GatewaySecret, HostName};
use crate::state::AppState;

/// The header with the caller's key.
const KEY: &str = "x-gateway-key";
/// The header with the host name of the base URL.
const HOST: &str = "x-gateway-host";
/// The header with the gateway's own secret.
const SECRET: &str = "x-gateway-secret";

/// How long a key may be, in visible ASCII characters.
const KEY_LENGTHS: std::ops::RangeInclusive<usize> = 16..=128;

/// Checks the key, then the host, then the gateway's secret; `None` when no key is required.
///
/// # Errors
/// The first of the three that is wrong.
pub(crate) fn check(request: &HttpRequest, state: &AppState) -> Result<Option<KeyId>, Problem> {
    let headers = request.headers();
    let settings = &state.settings;
    let key = match settings.auth {
        Auth::Required => {
            let key = check_key(request, state)?;
            // A page cannot add the header; its pass is only good with a known `Host`.
            if !key.is_page() {
                check_host(headers, &settings.host_names)?;
            }
            Some(key)
        }
        Auth::Off => None,
    };
    if let Some(secret) = &settings.gateway_secret {
        check_secret(headers, secret)?;
    }
    Ok(key)
}

/// Checks the key, and limits how often an address may try without a valid one.
fn check_key(request: &HttpRequest, state: &AppState) -> Result<KeyId, Problem> {
    let checked = known_key(request, state);
    if let Err(Problem::KeyMissing | Problem::KeyUnknown) = checked {
        let allowance = state.failed_attempts.take(peer(request));
        if let Some(retry_after) = allowance.and_then(|allowance| allowance.wait()) {
            return Err(Problem::TooManyAttempts { retry_after });
        }
    }
    checked
}

/// The address that a request comes from; requests without one count together.
pub(crate) fn peer(request: &HttpRequest) -> IpAddr {
    request.peer_addr().map_or(Ipv4Addr::UNSPECIFIED.into(), |peer| peer.ip())
}

/// The address that limits by address count a request for. Behind a gateway, all clients share one
/// address. For requests of the explorer, a gateway that proved itself with its secret may name the
/// browser's address, as the last one in `X-Forwarded-For`.
pub(crate) fn address(request: &HttpRequest, state: &AppState, key: Option<&KeyId>) -> IpAddr {
    let is_vouched_for = state.settings.gateway_secret.is_some() && key.is_some_and(KeyId::is_page);
    let named = lines(request.headers(), X_FORWARDED_FOR).last().filter(|_| is_vouched_for);
    let last = named.and_then(|line| line.rsplit(',').next()?.trim().parse().ok());
    last.unwrap_or_else(|| peer(request))
}

fn known_key(request: &HttpRequest, state: &AppState) -> Result<KeyId, Problem> {
    let headers = request.headers();
    if !headers.contains_key(KEY) {
        let page = page(request, state).ok_or(Problem::KeyMissing)?;
        RequestLog::note(request, |log| log.key = Some(page.to_string()));
        return Ok(page);
    }
    let key = single(headers, KEY).ok_or(Problem::KeyUnknown)?;
    if state.settings.demo_key > 0 && key == DEMO_KEY.as_bytes() {
        RequestLog::note(request, |log| log.key = Some(DEMO_KEY.to_owned()));
        return Ok(KeyId::demo());
    }
    let is_key = KEY_LENGTHS.contains(&key.len()) && key.iter().all(u8::is_ascii_graphic);
    if !is_key {
        return Err(Problem::KeyUnknown);
    }
    let (id, checked) = match state.keys.check(key) {
        KeyCheck::Active(id) => (id.clone(), Ok(id)),
        KeyCheck::Disabled(id) => (id, Err(Problem::KeyDisabled)),
        KeyCheck::Expired(id) => (id, Err(Problem::KeyExpired)),
        KeyCheck::Unknown => return Err(Problem::KeyUnknown),
    };
    RequestLog::note(request, |log| log.key = Some(id.to_string()));
    checked
}

/// The explorer, or one of its charts on another site, if the request carries its pass.
fn page(request: &HttpRequest, state: &AppState) -> Option<KeyId> {
    let settings = &state.settings;
    if settings.explorer == 0 {
        return None;
    }
    let hosts = &settings.host_names;
    if state.page_passes.admits(request.headers(), hosts) {
        return Some(KeyId::page());
    }
    let is_embed = !settings.embed_origins.is_empty() && state.embed_passes.admits(request, hosts);
    is_embed.then(KeyId::embed)
}

fn check_host(headers: &HeaderMap, known: &[HostName]) -> Result<(), Problem> {
    let given = single(headers, HOST).and_then(|host| std::str::from_utf8(host).ok());
    match given.and_then(HostName::parse) {
        Some(host) if known.contains(&host) => Ok(()),
        _ => Err(Problem::GatewayHostMismatch),
    }
}

/// Compares hashes, so that neither the time nor the length reveals anything about the secret.
fn check_secret(headers: &HeaderMap, secret: &GatewaySecret) -> Result<(), Problem> {
    let given = single(headers, SECRET).ok_or(Problem::GatewaySecretMismatch)?;
    let (given, secret) = (Sha256::digest(given), Sha256::digest(secret.as_bytes()));
    if bool::from(given.as_slice().ct_eq(secret.as_slice())) {
        return Ok(());
    }
    Err(Problem::GatewaySecretMismatch)
}

/// Whether a text contains the key or the gateway's secret that the request carries.
pub(crate) fn shows_secret(headers: &HeaderMap, text: &str) -> bool {
    let shown = [KEY, SECRET].into_iter().flat_map(|name| headers.get_all(name));
    let mut shown = shown.filter_map(|value| value.to_str().ok());
    shown.any(|value| !value.is_empty() && text.contains(value))
}

/// The value of a header that is given exactly once.
fn single<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a [u8]> {
    let mut values = headers.get_all(name);
    let value = values.next()?;
    values.next().is_none().then(|| value.as_bytes())
}
