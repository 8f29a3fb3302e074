//! Every match as a file, streamed in the order of the request.
//!
//! A separate thread fetches page after page from one backend, so that a file never mixes two
//! indexes, and sends them through a channel of a few pages: memory use stays flat however large
//! the file is, and a client that goes away stops the work. A file that breaks off is recognisable,
//! because the connection closes without the last chunk.

mod gated_backend;
mod pace;
mod places;

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use actix_web::body::{BodySize, MessageBody};
use actix_web::http::header::{CONTENT_DISPOSITION, CONTENT_ENCODING, CONTENT_TYPE};
use actix_web::web::Bytes;
use actix_web::{HttpRequest, HttpResponse, HttpResponseBuilder, rt};
use outfall_api::{CheckedRequest, Format, export};
use outfall_request::{SearchBackend, SearchError, SearchRequest};
use tokio::runtime::Handle;
use tokio::sync::mpsc;

use self::gated_backend::GatedBackend;
pub(crate) use self::places::{NoPlace, Place, Places};
use crate::admission::Party;
use crate::http::{Compressor, Encoding, RequestId};
use crate::search::panic_message;
use crate::state::AppState;

/// How many pages may wait for a slow client; about ten megabytes.
const WAITING: usize = 8;

/// How many bytes of a page a client gets at a time; its pace is measured in these pieces.
const PIECE: usize = 32 * 1024;

type Chunk = Result<Bytes, io::Error>;

/// Answers with a file of every match, or with its headers alone if `place` is `None`, as for a
/// `HEAD` request.
pub(crate) fn answer(
    request: &HttpRequest,
    state: &AppState,
    party: Party,
    backend: &Arc<dyn SearchBackend>,
    checked: CheckedRequest,
    place: Option<Place>,
    mut response: HttpResponseBuilder,
) -> HttpResponse {
    let CheckedRequest { search, format, .. } = checked;
    let extension = format.extension();
    let (record_kind, build_id) = (search.record_kind, &backend.dataset().build_id);
    let disposition =
        format!("attachment; filename=\"outfall-{record_kind}-{build_id}.{extension}\"");
    response.insert_header((CONTENT_TYPE, format.media_type()));
    response.insert_header((CONTENT_DISPOSITION, disposition));
    let accepted = Encoding::accepted(request.headers());
    let encoding = accepted.filter(|_| format.is_compressible());
    if let Some(encoding) = encoding {
        response.insert_header((CONTENT_ENCODING, encoding.name()));
    }
    let (sender, receiver) = mpsc::channel(WAITING);
    let pages = Pages { receiver, page: Bytes::new(), place };
    if pages.place.is_none() {
        // An empty stream, because the length of the file is not known.
        return response.body(pages);
    }
    let backend = GatedBackend {
        backend: Arc::clone(backend),
        party,
        queue: Arc::clone(state.queue_of(backend.as_ref())),
        search_deadline: state.settings.search_deadline,
        runtime: Handle::current(),
    };
    let id = RequestId::of(request).to_string();
    rt::task::spawn_blocking(move || {
        // The thread must report every failure, even a panic: if it just ended, the file would look
        // complete.
        let sent = || send(&backend, search, format, encoding, &sender);
        let failure = match &catch_unwind(AssertUnwindSafe(sent)) {
            Ok(Ok(())) => None,
            Ok(Err(error)) => Some(error.to_string()),
            Err(panic) => Some(panic_message(panic.as_ref()).to_owned()),
        };
        if let Some(failure) = failure {
            tracing::error!(request_id = id, failure, "the export broke off");
            drop(sender.blocking_send(Err(io::Error::other("the export broke off"))));
        }
    });
    response.body(pages)
}

/// Sends every match, compressed if an encoding is given. If it breaks off, the compressed stream
/// has no end.
///
/// # Errors
/// Those of the backend.
fn send(
    backend: &dyn SearchBackend,
    search: SearchRequest,
    format: Format,
    encoding: Option<Encoding>,
    sender: &mpsc::Sender<Chunk>,
) -> Result<(), SearchError> {
    let put = |chunk: Vec<u8>| sender.blocking_send(Ok(chunk.into())).is_ok();
    let Some(encoding) = encoding else { return export(backend, search, format, put) };
    let unpackable = |error: io::Error| SearchError::Engine(error.to_string());
    let mut compressor = Compressor::new(encoding).map_err(unpackable)?;
    let mut failure = None;
    export(backend, search, format, |chunk| match compressor.chunk(&chunk) {
        Ok(chunk) => put(chunk),
        Err(error) => {
            failure = Some(error);
            false
        }
    })?;
    if let Some(error) = failure {
        return Err(unpackable(error));
    }
    put(compressor.finish().map_err(unpackable)?);
    Ok(())
}

/// The pages of a file as they arrive, a piece at a time.
struct Pages {
    receiver: mpsc::Receiver<Chunk>,
    /// The rest of the last page.
    page: Bytes,
    /// Freed once the last piece is taken or the client has gone.
    place: Option<Place>,
}

impl MessageBody for Pages {
    type Error = io::Error;

    fn size(&self) -> BodySize {
        BodySize::Stream
    }

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Chunk>> {
        let this = self.get_mut();
        let pace = this.place.as_ref().map(|place| &place.pace);
        if let Some(pace) = pace {
            pace.asked();
        }
        if this.page.is_empty() {
            match ready!(this.receiver.poll_recv(context)) {
                Some(Ok(page)) => this.page = page,
                end => return Poll::Ready(end),
            }
        }
        let piece = this.page.split_to(this.page.len().min(PIECE));
        if let Some(pace) = pace {
            pace.gave(piece.len());
        }
        Poll::Ready(Some(Ok(piece)))
    }
}
