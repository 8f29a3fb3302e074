//! The body of an answer, which records progress when a piece of it is taken.

use std::error::Error;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use actix_web::body::{BodySize, BoxBody, MessageBody};
use actix_web::web::Bytes;

use super::Exchange;
use crate::metrics::InFlight;

/// The largest piece that is passed on at once, in bytes: as much as the HTTP library buffers
/// before it writes.
const PIECE: usize = 32 * 1024;

/// A body in pieces; the HTTP library takes the next one when most of the last one is sent.
pub(crate) struct ProgressBody {
    body: BoxBody,
    /// The rest of the last chunk.
    chunk: Bytes,
    exchange: Option<Exchange>,
    _in_flight: Option<InFlight>,
}

impl ProgressBody {
    /// The body of the answer that ends an exchange.
    pub(crate) fn new(
        body: BoxBody,
        exchange: Option<Exchange>,
        in_flight: Option<InFlight>,
    ) -> Self {
        let body = Self { body, chunk: Bytes::new(), exchange, _in_flight: in_flight };
        body.note_progress();
        body
    }

    fn note_progress(&self) {
        if let Some(exchange) = &self.exchange {
            exchange.note_progress();
        }
    }
}

impl MessageBody for ProgressBody {
    type Error = Box<dyn Error>;

    fn size(&self) -> BodySize {
        self.body.size()
    }

    fn poll_next(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Bytes, Self::Error>>> {
        let this = self.get_mut();
        if this.chunk.is_empty() {
            match ready!(Pin::new(&mut this.body).poll_next(context)) {
                Some(Ok(chunk)) => this.chunk = chunk,
                end => return Poll::Ready(end),
            }
        }
        this.note_progress();
        let piece = this.chunk.split_to(this.chunk.len().min(PIECE));
        Poll::Ready(Some(Ok(piece)))
    }
}
