//! A client that sends one request after another on one connection, and hides no failure.

use std::io::{self, BufRead, BufReader, Write};
use std::net::{IpAddr, SocketAddr, TcpStream};
use std::time::Duration;

use socket2::{Domain, Socket, Type};

/// Longer than the service may take for any request of these experiments.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);

/// A client whose connection is opened when needed and kept as long as the service keeps it.
#[derive(Debug)]
pub(crate) struct Client {
    address: SocketAddr,
    /// The address that the client connects from, if that matters.
    from: Option<IpAddr>,
    /// More header lines, each with its line end.
    headers: String,
    connection: Option<BufReader<TcpStream>>,
}

/// An answer as it arrived.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    headers: Vec<(String, String)>,
    pub(crate) body: String,
}

impl Client {
    pub(crate) const fn new(address: SocketAddr) -> Self {
        Self { address, from: None, headers: String::new(), connection: None }
    }

    /// The same client, connecting from another address of this machine.
    pub(crate) fn from(self, address: IpAddr) -> Self {
        Self { from: Some(address), ..self }
    }

    /// A client that sends a key and the right host.
    pub(crate) fn with_key(address: SocketAddr, key: &str) -> Self {
        Self::new(address).with("x-gateway-host", "localhost").with("x-gateway-key", key)
    }

    /// The same client with one more header.
    pub(crate) fn with(mut self, name: &str, value: &str) -> Self {
        self.headers += &format!("{name}: {value}\r\n");
        self
    }

    /// Sends a request. If the service has closed the kept connection meanwhile, opens a new one,
    /// once.
    pub(crate) fn get(&mut self, target: &str) -> io::Result<Answer> {
        self.send("GET", target)
    }

    /// The same with any method, and no body.
    pub(crate) fn send(&mut self, method: &str, target: &str) -> io::Result<Answer> {
        let was_kept = self.connection.is_some();
        match self.ask(method, target) {
            Err(error) if was_kept && is_closed(&error) => self.ask(method, target),
            asked => asked,
        }
    }

    fn ask(&mut self, method: &str, target: &str) -> io::Result<Answer> {
        let mut connection = match self.connection.take() {
            Some(connection) => connection,
            None => BufReader::new(connect_from(self.from, self.address)?),
        };
        let head = head_of(method, target, &self.headers);
        connection.get_mut().write_all(head.as_bytes())?;
        let answer = Answer::read(&mut connection)?;
        if answer.header("connection") != Some("close") {
            self.connection = Some(connection);
        }
        Ok(answer)
    }
}

/// Opens a connection that times out after [`PATIENCE`].
pub(crate) fn connect(address: SocketAddr) -> io::Result<TcpStream> {
    connect_from(None, address)
}

/// The same, from a given address.
fn connect_from(from: Option<IpAddr>, address: SocketAddr) -> io::Result<TcpStream> {
    let socket = Socket::new(Domain::for_address(address), Type::STREAM, None)?;
    if let Some(from) = from {
        socket.bind(&SocketAddr::new(from, 0).into())?;
    }
    socket.connect_timeout(&address.into(), PATIENCE)?;
    let stream = TcpStream::from(socket);
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    stream.set_nodelay(true)?;
    Ok(stream)
}

/// The head of a request for `target`, with more header lines, each with its line end.
pub(crate) fn head(target: &str, headers: &str) -> String {
    head_of("GET", target, headers)
}

fn head_of(method: &str, target: &str, headers: &str) -> String {
    format!("{method} {target} HTTP/1.1\r\nhost: localhost\r\n{headers}\r\n")
}

/// Whether the other side had closed the connection before it saw the request.
fn is_closed(error: &io::Error) -> bool {
    use io::ErrorKind::{BrokenPipe, ConnectionAborted, ConnectionReset, UnexpectedEof};
    matches!(error.kind(), BrokenPipe | ConnectionAborted | ConnectionReset | UnexpectedEof)
}

impl Answer {
    /// Reads one answer to its end.
    pub(crate) fn read(connection: &mut impl BufRead) -> io::Result<Self> {
        let mut line = String::new();
        let mut next = |connection: &mut _| {
            line.clear();
            match BufRead::read_line(connection, &mut line)? {
                0 => Err(io::Error::from(io::ErrorKind::UnexpectedEof)),
                _ => Ok(line.trim_end().to_owned()),
            }
        };
        let status = next(connection)?;
        let status = status.split(' ').nth(1).and_then(|status| status.parse().ok());
        let status = status.ok_or(io::ErrorKind::InvalidData)?;
        let mut headers = Vec::new();
        loop {
            let line = next(connection)?;
            let Some((name, value)) = line.split_once(':') else { break };
            headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
        }
        let mut answer = Self { status, headers, body: String::new() };
        let length = answer.header("content-length").and_then(|length| length.parse().ok());
        let body = match (length, answer.header("transfer-encoding")) {
            (Some(length), None) => read_exactly(connection, length)?,
            (None, Some("chunked")) => read_chunks(connection)?,
            _ => return Err(io::ErrorKind::InvalidData.into()),
        };
        answer.body = match answer.header("content-encoding") {
            // A compressed body is not text; it only has to arrive whole.
            Some(_) => String::from_utf8_lossy(&body).into_owned(),
            None => String::from_utf8(body).map_err(|_| io::ErrorKind::InvalidData)?,
        };
        Ok(answer)
    }

    /// The answer without its body.
    pub(crate) fn without_body(self) -> Self {
        Self { body: String::new(), ..self }
    }

    /// The value of a header, by its name in lower case.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The version of the data that the answer was made from.
    pub(crate) fn version(&self) -> &str {
        self.header("x-data-version").unwrap_or_default()
    }

    /// The headers and the body as text, to look for what must not be in them.
    pub(crate) fn text(&self) -> String {
        let headers = self.headers.iter().map(|(name, value)| format!("{name}: {value}\n"));
        headers.collect::<String>() + &self.body
    }
}

fn read_exactly(connection: &mut impl BufRead, length: usize) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; length];
    connection.read_exact(&mut bytes)?;
    Ok(bytes)
}

/// Reads a chunked body up to its last chunk; without that, the body is not whole.
fn read_chunks(connection: &mut impl BufRead) -> io::Result<Vec<u8>> {
    let mut body = Vec::new();
    loop {
        let mut line = String::new();
        connection.read_line(&mut line)?;
        let length = usize::from_str_radix(line.trim_end(), 16);
        let length = length.map_err(|_| io::ErrorKind::UnexpectedEof)?;
        body.extend(read_exactly(connection, length)?);
        // Each chunk, including the last one, ends with an empty line.
        read_exactly(connection, 2)?;
        if length == 0 {
            return Ok(body);
        }
    }
}
