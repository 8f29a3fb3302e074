//! The transfer of one file: requests the missing part, and checks what arrives.

use std::cell::Cell;
use std::fs::File;
use std::io::{ErrorKind, Read, Write};

use outfall_indexer::{FileKind, Progress};
use ureq::Body;
use ureq::http::header::{
    CONTENT_LENGTH, CONTENT_RANGE, CONTENT_TYPE, ETAG, HeaderName, LAST_MODIFIED, TRANSFER_ENCODING,
};
use ureq::http::{Response, StatusCode};

use crate::client::CallError;
use crate::folder::{Part, Place, Version, Whole, is_plain_name};
use crate::{Portal, PortalError, Resource};

/// How much is read at a time, in bytes.
const PIECE: usize = 1 << 16;
/// The reason for a new attempt when the server sends another version than that of the partial
/// file.
const CHANGED: &str = "the file changed while it was downloaded";

/// The transfer of a file.
pub(crate) struct Transfer<'a> {
    portal: &'a Portal,
    kind: FileKind,
    resource: &'a Resource,
    place: &'a Place,
    /// The file as it was downloaded before.
    before: Option<Whole>,
    progress: &'a dyn Progress,
    /// How far any attempt got, in bytes.
    furthest: Cell<u64>,
}

/// How an attempt ended.
pub(crate) enum Outcome {
    /// The file that was downloaded before is still the right one.
    Unchanged(Whole),
    /// The whole file is there, to be checked and to be put in its place.
    Complete(Version),
}

impl<'a> Transfer<'a> {
    pub(crate) fn new(
        portal: &'a Portal,
        kind: FileKind,
        resource: &'a Resource,
        place: &'a Place,
        progress: &'a dyn Progress,
    ) -> Result<Self, PortalError> {
        let before = place.whole()?.filter(|whole| whole.version.url == resource.url);
        let furthest = Cell::new(0);
        Ok(Self { portal, kind, resource, place, before, progress, furthest })
    }

    pub(crate) fn furthest(&self) -> u64 {
        self.furthest.get()
    }

    /// Asks for the rest of a file that broke off, or for the file if it has changed.
    pub(crate) fn attempt(&self) -> Result<Outcome, CallError> {
        let url = &self.resource.url;
        let part = self.place.part()?.filter(|part| part.version.url == *url);
        // Without a tag or a date, the rest may be that of another version.
        let part = part.filter(|part| part.version.validator().is_some());
        let range = part.as_ref().map(|part| format!("bytes={}-", part.length));
        let mut headers = Vec::new();
        if let (Some(part), Some(range)) = (&part, &range) {
            headers.push(("range", range.as_str()));
            headers.extend(part.version.validator().map(|validator| ("if-range", validator)));
        } else if let Some(before) = &self.before {
            let Version { etag, last_modified, .. } = &before.version;
            headers.extend(etag.as_deref().map(|etag| ("if-none-match", etag)));
            headers.extend(last_modified.as_deref().map(|since| ("if-modified-since", since)));
        }
        let answer = self.portal.get(url, &headers)?;
        match (answer.status(), part, &self.before) {
            (StatusCode::NOT_MODIFIED, None, Some(before)) => {
                Ok(Outcome::Unchanged(before.clone()))
            }
            (StatusCode::PARTIAL_CONTENT, Some(part), _) => self.go_on(answer, part),
            (StatusCode::OK, ..) => self.begin(answer),
            (StatusCode::RANGE_NOT_SATISFIABLE, Some(_), _) => self.begin_again(),
            (status, ..) => {
                let status = status.as_u16();
                Err(PortalError::Refused { url: url.clone(), status }.into())
            }
        }
    }

    /// Takes a file from its beginning.
    fn begin(&self, answer: Response<Body>) -> Result<Outcome, CallError> {
        let url = &self.resource.url;
        let unexpected = |reason: &str| Err(PortalError::unexpected(url, reason).into());
        let kind = header(&answer, CONTENT_TYPE).unwrap_or_default();
        if kind.trim_start().to_ascii_lowercase().starts_with("text/html") {
            return unexpected("it is a web page");
        }
        let bytes = header(&answer, CONTENT_LENGTH).and_then(|bytes| bytes.parse().ok());
        let is_chunked = header(&answer, TRANSFER_ENCODING).is_some();
        if bytes.is_none() && !is_chunked {
            return unexpected(
                "its server does not say where it ends, so a part could pass for it",
            );
        }
        if bytes.is_some_and(|bytes| bytes > self.portal.limits.longest_file) {
            return unexpected("it is longer than any official file");
        }
        let version = Version {
            url: url.clone(),
            name: self.name(),
            etag: header(&answer, ETAG),
            last_modified: header(&answer, LAST_MODIFIED),
            bytes,
            sha256: None,
        };
        let file = self.place.begin(&version)?;
        self.receive(answer, file, 0, version)
    }

    /// Takes the rest of a file, if it is of the same version.
    fn go_on(&self, answer: Response<Body>, part: Part) -> Result<Outcome, CallError> {
        let Part { length, version } = part;
        let Some((start, total)) = header(&answer, CONTENT_RANGE).as_deref().and_then(range) else {
            return self.begin_again();
        };
        let is_same = |now: Option<String>, then: &Option<String>| {
            now.is_none() || then.is_none() || now == *then
        };
        let is_version = is_same(header(&answer, ETAG), &version.etag)
            && is_same(header(&answer, LAST_MODIFIED), &version.last_modified)
            && (version.bytes.is_none() || total.is_none() || total == version.bytes);
        if start != length || !is_version {
            return self.begin_again();
        }
        let file = self.place.go_on()?;
        self.receive(answer, file, length, Version { bytes: version.bytes.or(total), ..version })
    }

    /// Discards the partial file, because it belongs to a version that the server no longer has.
    fn begin_again(&self) -> Result<Outcome, CallError> {
        self.place.discard()?;
        Err(CallError::Passing(CHANGED.to_owned()))
    }

    /// Appends the answer to the `length` bytes that are already there.
    fn receive(
        &self,
        answer: Response<Body>,
        file: File,
        length: u64,
        version: Version,
    ) -> Result<Outcome, CallError> {
        self.progress.begin(&format!("downloading {}", version.name), version.bytes);
        let received = self.write(answer, file, length, &version);
        self.progress.end();
        let length = received?;
        match version.bytes {
            Some(bytes) if length < bytes => {
                Err(CallError::Passing(format!("it broke off after {length} of {bytes} bytes")))
            }
            _ => Ok(Outcome::Complete(version)),
        }
    }

    /// Writes what is sent; returns how long the file is then, in bytes.
    fn write(
        &self,
        answer: Response<Body>,
        mut file: File,
        mut length: u64,
        version: &Version,
    ) -> Result<u64, CallError> {
        let path = self.place.part_path();
        let most = version.bytes.unwrap_or(self.portal.limits.longest_file);
        let mut body = answer.into_body().into_reader();
        let mut piece = vec![0; PIECE];
        loop {
            let read = match body.read(&mut piece) {
                Ok(0) => break,
                Ok(read) => read,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => {
                    // The next attempt resumes after the bytes received so far.
                    file.sync_all().map_err(PortalError::io("sync", path))?;
                    return Err(CallError::Passing(error.to_string()));
                }
            };
            let is_page = length == 0 && is_markup(&piece[..read]);
            if is_page || length + read as u64 > most {
                self.place.discard()?;
                let reason = match is_page {
                    true => "it is a web page",
                    false => "more is sent than it should have",
                };
                return Err(PortalError::unexpected(&version.url, reason).into());
            }
            if let Err(error) = file.write_all(&piece[..read]) {
                // A partial file left on a full disk would keep an index from being built there.
                self.place.discard()?;
                return Err(PortalError::io("write", path)(error).into());
            }
            length += read as u64;
            self.furthest.set(self.furthest.get().max(length));
            self.progress.advance(length, 0);
        }
        file.sync_all().map_err(PortalError::io("sync", path))?;
        Ok(length)
    }

    /// The name that the file gets in the folder: its own, if that is a name and nothing else.
    fn name(&self) -> String {
        let name = self.resource.file_name();
        if is_plain_name(&name) { name } else { format!("{}.csv", self.kind.name()) }
    }
}

fn header(answer: &Response<Body>, name: HeaderName) -> Option<String> {
    answer.headers().get(name)?.to_str().ok().map(str::to_owned)
}

/// The first byte of a `Content-Range`, and the length of the whole file if it is known.
fn range(header: &str) -> Option<(u64, Option<u64>)> {
    let (span, total) = header.strip_prefix("bytes ")?.split_once('/')?;
    let (start, _) = span.split_once('-')?;
    Some((start.parse().ok()?, total.parse().ok()))
}

/// Whether bytes begin like a web page, which some servers send with status 200 and any type.
fn is_markup(bytes: &[u8]) -> bool {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    bytes.trim_ascii_start().starts_with(b"<")
}
