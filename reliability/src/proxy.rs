//! A proxy in front of a node of a cluster, which loses and refuses requests as it is told to.

use std::collections::BTreeSet;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

use crate::LabError;

/// What happens to a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    /// The proxy passes it on, and the cluster answers it.
    Passes,
    /// The connection ends; the cluster may have obeyed before.
    Lost { is_obeyed: bool },
    /// The connection stays open and silent; the cluster may have obeyed before.
    Held { is_obeyed: bool },
    /// The proxy answers it with a status; it never reaches the cluster.
    Refused(u16),
    /// The cluster obeys, but the answer is no JSON.
    Garbled,
}

/// A request, by its number from 0 on and its first line.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    pub(crate) number: usize,
    /// `POST /_aliases`.
    pub(crate) line: String,
}

type Judge = dyn Fn(&Request) -> Fate + Send + Sync;

/// A proxy, which lasts until the program ends.
#[derive(Debug)]
pub(crate) struct Proxy {
    pub(crate) address: SocketAddr,
    seen: Arc<Seen>,
}

#[derive(Debug, Default)]
struct Seen {
    next: AtomicUsize,
    held: AtomicUsize,
    lines: Mutex<Vec<String>>,
}

impl Proxy {
    /// Starts a proxy that treats each request as `judge` decides. `judge` may wait before it
    /// decides.
    pub(crate) fn start(
        node: SocketAddr,
        judge: impl Fn(&Request) -> Fate + Send + Sync + 'static,
    ) -> Result<Self, LabError> {
        let listener = TcpListener::bind("127.0.0.1:0").map_err(LabError::io("start a proxy"))?;
        let address = listener.local_addr().map_err(LabError::io("start a proxy"))?;
        let (seen, judge): (_, Arc<Judge>) = (Arc::new(Seen::default()), Arc::new(judge));
        let of_thread = Arc::clone(&seen);
        thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                let (seen, judge) = (Arc::clone(&of_thread), Arc::clone(&judge));
                // A connection that fails is one that the other side has closed.
                thread::spawn(move || drop(serve(client, node, &seen, judge.as_ref())));
            }
        });
        Ok(Self { address, seen })
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// How many requests are or were held; one that the cluster obeys counts only once it has
    /// obeyed.
    pub(crate) fn held(&self) -> usize {
        self.seen.held.load(Ordering::Relaxed)
    }

    /// The first lines of all requests so far.
    pub(crate) fn lines(&self) -> Vec<String> {
        self.seen.lines.lock().map(|lines| lines.clone()).unwrap_or_default()
    }
}

/// The places of the first requests of each kind: those of one method and path, whatever the number
/// of the generation.
pub(crate) fn first_of_each_kind(lines: &[String]) -> Vec<usize> {
    let mut known = BTreeSet::new();
    let kind = |line: &String| {
        let path = line.split('?').next().unwrap_or_default();
        path.replace(|character: char| character.is_ascii_digit(), "")
    };
    let lines = lines.iter().enumerate();
    lines.filter(|(_, line)| known.insert(kind(line))).map(|(place, _)| place).collect()
}

impl Seen {
    fn note(&self, line: &str) -> Request {
        if let Ok(mut lines) = self.lines.lock() {
            lines.push(line.to_owned());
        }
        Request { number: self.next.fetch_add(1, Ordering::Relaxed), line: line.to_owned() }
    }
}

/// Serves a connection until one of its requests is not answered.
fn serve(client: TcpStream, node: SocketAddr, seen: &Seen, judge: &Judge) -> io::Result<()> {
    let mut client = BufReader::new(client);
    let mut node = BufReader::new(TcpStream::connect(node)?);
    while let Some(message) = Message::read(&mut client)? {
        let line = message.first.rsplit_once(' ').map_or("", |(line, _)| line);
        let mut obey = || -> io::Result<Message> {
            node.get_mut().write_all(&message.bytes)?;
            Message::read(&mut node)?.ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
        };
        let answer = match judge(&seen.note(line)) {
            Fate::Passes => obey()?.bytes,
            Fate::Refused(status) => answer(status, "{}"),
            Fate::Garbled => {
                obey()?;
                answer(200, "<p>all is well</p>")
            }
            Fate::Lost { is_obeyed } => return if is_obeyed { obey().map(drop) } else { Ok(()) },
            Fate::Held { is_obeyed } => {
                if is_obeyed {
                    obey()?;
                }
                seen.held.fetch_add(1, Ordering::Relaxed);
                // This waits until the client gives up.
                return client.read(&mut [0]).map(drop);
            }
        };
        client.get_mut().write_all(&answer)?;
    }
    Ok(())
}

fn answer(status: u16, body: &str) -> Vec<u8> {
    let length = body.len();
    let head = format!("HTTP/1.1 {status} Status\r\ncontent-type: application/json\r\n");
    format!("{head}content-length: {length}\r\n\r\n{body}").into_bytes()
}

/// A request or an answer, as it is sent.
struct Message {
    first: String,
    bytes: Vec<u8>,
}

impl Message {
    /// Reads a message to its end; `None` if the connection has ended before it.
    fn read(from: &mut impl BufRead) -> io::Result<Option<Self>> {
        let (mut bytes, mut first, mut length) = (Vec::new(), String::new(), 0);
        loop {
            let mut line = String::new();
            if from.read_line(&mut line)? == 0 {
                return Ok(None);
            }
            bytes.extend_from_slice(line.as_bytes());
            if first.is_empty() {
                first = line.trim_end().to_owned();
            }
            match line.trim_end().to_ascii_lowercase().split_once(": ") {
                Some(("content-length", value)) => {
                    length = value.parse().map_err(|_| io::ErrorKind::InvalidData)?;
                }
                // Neither side sends this header.
                Some(("transfer-encoding", _)) => return Err(io::ErrorKind::InvalidData.into()),
                _ => {}
            }
            if line.trim_end().is_empty() {
                break;
            }
        }
        let begin = bytes.len();
        bytes.resize(begin + length, 0);
        from.read_exact(&mut bytes[begin..])?;
        Ok(Some(Self { first, bytes }))
    }
}
