//! `outfall health` tells a container or a script whether the service is ready.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod process;

use std::io::Write;
use std::net::TcpListener;
use std::process::Output;
use std::thread;

use process::{Service, add_key, outfall, publish, run};

/// The exit code, and what is printed and said.
fn told(output: &Output) -> (i32, String, String) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (output.status.code().unwrap(), text(&output.stdout), text(&output.stderr))
}

#[test]
fn a_ready_service_is_told_by_its_answer_wherever_it_listens() {
    let folder = tempfile::tempdir().unwrap();
    publish(folder.path(), 1);
    add_key(folder.path(), "someone");
    let serve = ["serve", "--data", "data", "--keys", "keys.json", "--listen", "0.0.0.0:0"];
    let service = Service::start(folder.path(), &serve);
    let address = service.base.strip_prefix("http://").unwrap().to_owned();
    let port = address.rsplit_once(':').unwrap().1.to_owned();
    for listen in [address.clone(), port.clone(), format!("localhost:{port}")] {
        let (code, printed, said) = told(&run(folder.path(), &["health", "--listen", &listen]));
        assert_eq!((code, said.as_str()), (0, ""), "{listen}: {printed}");
        assert!(printed.starts_with("{\"status\":\"ready\",\"build_id\":"), "{printed}");
    }
    // As in a container: by the variable of the service, past the proxy of other programs.
    let mut command = outfall(folder.path(), &["health"]);
    command.env("OUTFALL_LISTEN", &address).env("http_proxy", "http://127.0.0.1:9");
    assert_eq!(told(&command.output().unwrap()).0, 0);
}

#[test]
fn a_service_without_an_index_is_not_ready() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("data")).unwrap();
    add_key(folder.path(), "someone");
    let serve = ["serve", "--data", "data", "--keys", "keys.json", "--listen", "127.0.0.1:0"];
    let service = Service::start(folder.path(), &serve);
    let listen = service.base.strip_prefix("http://").unwrap();
    let (code, printed, said) = told(&run(folder.path(), &["health", "--listen", listen]));
    assert_eq!((code, printed.as_str()), (69, ""));
    assert_eq!(said, format!("outfall: the service at {listen} is not ready: 503 no-index\n"));
}

#[test]
fn what_is_no_service_is_not_ready() {
    let folder = tempfile::tempdir().unwrap();
    let closed = TcpListener::bind("127.0.0.1:0").unwrap();
    let nobody = closed.local_addr().unwrap().to_string();
    drop(closed);
    let other = TcpListener::bind("127.0.0.1:0").unwrap();
    let something = other.local_addr().unwrap().to_string();
    let answering = thread::spawn(move || {
        let (mut stream, _) = other.accept().unwrap();
        stream.write_all(b"HTTP/1.1 404 Not Found\r\ncontent-length: 2\r\n\r\n{}").unwrap();
    });
    for (listen, reason) in [(&nobody, "refused"), (&something, "404 without a reason")] {
        let (code, printed, said) = told(&run(folder.path(), &["health", "--listen", listen]));
        assert_eq!((code, printed.as_str()), (69, ""), "{said}");
        assert!(said.contains(reason), "{said}");
    }
    answering.join().unwrap();
    assert_eq!(told(&run(folder.path(), &["health", "--listen", "nowhere"])).0, 64);
}
