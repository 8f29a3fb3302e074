//! Which certificates of a cluster are trusted: a stub behind real TLS takes its place.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

use outfall_opensearch::{Client, ClusterError, Connection, Credentials};
use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair, date_time_ymd};
use rustls::pki_types::PrivatePkcs8KeyDer;
use rustls::{ServerConfig, ServerConnection, StreamOwned};

/// The host that the stub is asked by.
const HOST: &str = "127.0.0.1";

/// Whoever signs certificates.
struct Authority {
    pem: String,
    issuer: Issuer<'static, KeyPair>,
}

impl Authority {
    fn new() -> Self {
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = KeyPair::generate().unwrap();
        let pem = params.self_signed(&key).unwrap().pem();
        Self { pem, issuer: Issuer::new(params, key) }
    }

    /// Starts a stub whose certificate is for a host and between two years. Gives its URL and the
    /// first lines of the requests that it gets.
    fn serve(&self, host: &str, (from, to): (i32, i32)) -> (String, Receiver<String>) {
        let mut params = CertificateParams::new(vec![host.to_owned()]).unwrap();
        params.not_before = date_time_ymd(from, 1, 1);
        params.not_after = date_time_ymd(to, 1, 1);
        let key = KeyPair::generate().unwrap();
        let certificate = params.signed_by(&key, &self.issuer).unwrap();
        let key = PrivatePkcs8KeyDer::from(key.serialize_der());
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ServerConfig::builder_with_provider(provider);
        let config = config.with_safe_default_protocol_versions().unwrap().with_no_client_auth();
        let config = config.with_single_cert(vec![certificate.der().clone()], key.into()).unwrap();
        listen(Arc::new(config))
    }
}

fn listen(config: Arc<ServerConfig>) -> (String, Receiver<String>) {
    let listener = TcpListener::bind((HOST, 0)).unwrap();
    let url = format!("https://{}", listener.local_addr().unwrap());
    let (lines, got) = mpsc::channel();
    thread::spawn(move || {
        for connection in listener.incoming() {
            let tls = ServerConnection::new(Arc::clone(&config)).unwrap();
            let mut stream = BufReader::new(StreamOwned::new(tls, connection.unwrap()));
            let mut line = String::new();
            // Whoever does not trust the certificate goes away.
            if stream.read_line(&mut line).is_err() || line.is_empty() {
                continue;
            }
            let _ = lines.send(line);
            let body = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}";
            stream.get_mut().write_all(body.as_bytes()).unwrap();
            stream.get_mut().conn.send_close_notify();
            stream.get_mut().flush().unwrap();
        }
    });
    (url, got)
}

/// Asks a node, with a password that nobody else may get.
fn reach(url: String, authorities: Option<&str>) -> Result<(), ClusterError> {
    let connection = Connection {
        urls: vec![url],
        credentials: Some(Credentials::Basic { user: "a".to_owned(), password: "b".to_owned() }),
        authorities: authorities.map(|pem| pem.as_bytes().to_vec()),
    };
    Client::new(&connection).unwrap().reach(None)
}

#[test]
fn a_certificate_must_be_good_for_this_host_and_today() {
    let (own, other) = (Authority::new(), Authority::new());
    let (always, own_pem, other_pem) = ((2000, 2100), Some(&own.pem), Some(&other.pem));
    for (case, host, years, trusted, is_good) in [
        ("of a private authority", HOST, always, own_pem, true),
        ("of an unknown authority", HOST, always, other_pem, false),
        ("of a private authority, with the public ones", HOST, always, None, false),
        ("expired", HOST, (2000, 2020), own_pem, false),
        ("not valid yet", HOST, (2099, 2100), own_pem, false),
        ("of another host", "localhost", always, own_pem, false),
    ] {
        let (url, got) = own.serve(host, years);
        match reach(url, trusted.map(String::as_str)) {
            Ok(()) => {
                assert!(is_good, "{case}");
                assert_eq!(got.recv().unwrap(), "GET / HTTP/1.1\r\n");
            }
            Err(ClusterError::Unavailable { reason }) => {
                assert!(!is_good && reason.contains("certificate"), "{case}: {reason}");
                let sent = got.recv_timeout(Duration::from_millis(100));
                assert!(sent.is_err(), "{case}: {sent:?}");
            }
            Err(error) => panic!("{case}: {error}"),
        }
    }
}

#[test]
fn one_of_several_authorities_is_enough() {
    let (own, other) = (Authority::new(), Authority::new());
    let (url, _got) = own.serve(HOST, (2000, 2100));
    reach(url, Some(&format!("{}{}", other.pem, own.pem))).unwrap();
}

#[test]
fn a_node_without_tls_is_not_asked() {
    let listener = TcpListener::bind((HOST, 0)).unwrap();
    let url = format!("https://{}", listener.local_addr().unwrap());
    let stub = thread::spawn(move || {
        let (mut connection, _) = listener.accept().unwrap();
        // It closes before the answer is read if it does not understand it.
        let _ = connection.write_all(b"HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n");
        let mut got = Vec::new();
        let _ = BufReader::new(connection).read_until(b'\n', &mut got);
        got
    });
    let error = reach(url, None).unwrap_err();
    assert!(matches!(error, ClusterError::Unavailable { .. }), "{error}");
    assert!(!stub.join().unwrap().starts_with(b"GET"));
}
