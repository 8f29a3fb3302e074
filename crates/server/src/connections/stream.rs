//! The stream between a client and the HTTP library, which replaces the library's answers to what
//! it refuses.
//!
//! The library itself answers what it cannot read as a request, with a status and no body, and has
//! no hook to change that. So this stream recognises such an answer as it is written: no answer of
//! the service has one of these statuses and an empty body. It is always the last answer of its
//! connection.

use std::io;
use std::mem::MaybeUninit;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use actix_web::rt::net::TcpStream;
use actix_web::web;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

use super::heads::Heads;
use super::refusal;
use crate::state::AppState;

/// The starts of the library's answers that are replaced, after `HTTP/1.1`.
const REFUSALS: [&[u8]; 2] = [
    b" 400 Bad Request\r\ncontent-length: 0\r\n",
    b" 431 Request Header Fields Too Large\r\ncontent-length: 0\r\n",
];
/// The length of `HTTP/1.1`.
const VERSION: usize = 8;
/// More bytes than such an answer has.
const LONGEST: usize = 256;
/// How many bytes are still read from a refused client: closing a connection with unread bytes
/// resets it, and the client may lose the answer.
const UNREAD: usize = 1024 * 1024;

/// A connection, as the HTTP library sees it.
pub(crate) struct Stream {
    tcp: TcpStream,
    heads: Heads,
    state: web::Data<AppState>,
    refusal: Option<Refusal>,
}

/// An answer in place of the library's.
struct Refusal {
    answer: Vec<u8>,
    written: usize,
    /// When the client must have closed its half; set once this half is closed.
    deadline: Option<Pin<Box<Sleep>>>,
    /// How many bytes were read after the answer.
    discarded: usize,
}

impl Stream {
    pub(crate) fn new(tcp: TcpStream, state: web::Data<AppState>) -> Self {
        Self { tcp, heads: Heads::default(), state, refusal: None }
    }

    pub(crate) const fn tcp(&self) -> &TcpStream {
        &self.tcp
    }

    /// The heads of the requests on this stream; each request must note that it reached the
    /// service.
    pub(crate) fn heads(&self) -> Heads {
        self.heads.clone()
    }
}

/// Where the library's refusal of a request begins in `bytes`, if they end with one.
fn refused_at(bytes: &[u8]) -> Option<usize> {
    if !bytes.ends_with(b"\r\n\r\n") {
        return None;
    }
    let from = bytes.len().saturating_sub(LONGEST);
    let tail = &bytes[from..];
    let head = tail.windows(VERSION).rposition(|window| window.starts_with(b"HTTP/1."))?;
    let is_refusal = REFUSALS.iter().any(|start| tail[head + VERSION..].starts_with(start));
    is_refusal.then_some(from + head)
}

impl AsyncRead for Stream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.tcp).poll_read(context, buffer))?;
        self.heads.note(&buffer.filled()[before..]);
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Stream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let this = &mut *self;
        if this.refusal.is_none() {
            match refused_at(bytes) {
                Some(0) => {
                    let answer = refusal::answer(bytes, &this.heads.refused(), &this.state);
                    this.refusal = Some(Refusal::of(answer));
                }
                // Answers to earlier requests go first.
                Some(before) => {
                    return Pin::new(&mut this.tcp).poll_write(context, &bytes[..before]);
                }
                None => return Pin::new(&mut this.tcp).poll_write(context, bytes),
            }
        }
        if let Some(refusal) = &mut this.refusal {
            let patience = this.state.settings.client_disconnect_timeout;
            ready!(refusal.poll_sent(&mut this.tcp, patience, context))?;
        }
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.tcp).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.tcp).poll_shutdown(context)
    }
}

impl Refusal {
    const fn of(answer: Vec<u8>) -> Self {
        Self { answer, written: 0, deadline: None, discarded: 0 }
    }

    /// Sends the answer, closes the sending half, and reads until the client has closed its own or
    /// its time for that is over.
    fn poll_sent(
        &mut self,
        tcp: &mut TcpStream,
        patience: Duration,
        context: &mut Context<'_>,
    ) -> Poll<io::Result<()>> {
        while self.written < self.answer.len() {
            let rest = &self.answer[self.written..];
            self.written += ready!(Pin::new(&mut *tcp).poll_write(context, rest))?;
        }
        if self.deadline.is_none() {
            ready!(Pin::new(&mut *tcp).poll_shutdown(context))?;
        }
        let deadline = self.deadline.get_or_insert_with(|| Box::pin(sleep(patience)));
        if deadline.as_mut().poll(context).is_ready() {
            return Poll::Ready(Ok(()));
        }
        while self.discarded < UNREAD {
            let mut space = [MaybeUninit::uninit(); 4096];
            let mut buffer = ReadBuf::uninit(&mut space);
            ready!(Pin::new(&mut *tcp).poll_read(context, &mut buffer))?;
            match buffer.filled().len() {
                0 => break,
                read => self.discarded += read,
            }
        }
        Poll::Ready(Ok(()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_answer_of_the_library_is_one() {
        let bare = "HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\ndate: now\r\n\r\n";
        let large = "HTTP/1.1 431 Request Header Fields Too Large\r\ncontent-length: 0\r\n\r\n";
        let ours = "HTTP/1.1 400 Bad Request\r\ncontent-length: 9\r\n\r\n";
        let known = "HTTP/1.1 304 Not Modified\r\netag: \"x\"\r\n\r\n";
        for (bytes, expected) in [
            (bare.to_owned(), Some(0)),
            (large.to_owned(), Some(0)),
            (format!("HTTP/1.1 200 OK\r\n\r\n{{}}{bare}"), Some(21)),
            (format!("{known}{bare}"), Some(known.len())),
            (format!("{}{large}", "x".repeat(9_999)), Some(9_999)),
            (bare.replace("1.1", "1.0"), Some(0)),
            (format!("{bare}{known}"), None),
            (format!("{bare}{{}}"), None),
            (ours.to_owned(), None),
            (known.to_owned(), None),
            ("0\r\n\r\n".to_owned(), None),
            ("\r\n\r\n".to_owned(), None),
            (String::new(), None),
        ] {
            assert_eq!(refused_at(bytes.as_bytes()), expected, "{bytes:?}");
        }
    }
}
