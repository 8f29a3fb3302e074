//! An operator's work with the real binary: first start, keys, new indexes, stopping.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod process;

use std::fs::{self, File};
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use socket2::{Domain, Socket, Type};

use process::{Service, add_key, outfall, publish, run, wait_until};

const SERVE: [&str; 7] =
    ["serve", "--data", "data", "--listen", "127.0.0.1:0", "--keys", "keys.json"];

#[test]
fn a_new_index_is_taken_over_without_a_failed_request() {
    let dir = tempfile::tempdir().unwrap();
    let first = publish(dir.path(), 1).build_id;
    let key = add_key(dir.path(), "client");
    let unlimited = [&SERVE[..], &["--rate-limit", "0"]].concat();
    let service = Service::start(dir.path(), &unlimited);
    assert_eq!(service.build_id(), first);
    let (is_over, answered) = (AtomicBool::new(false), AtomicU64::new(0));
    thread::scope(|scope| {
        let ask = || {
            while !is_over.load(Ordering::Relaxed) {
                let (status, body) = service.get("/release?q=air+OR+water&limit=5", &key);
                assert_eq!(status, 200, "{body}");
                answered.fetch_add(1, Ordering::Relaxed);
            }
        };
        scope.spawn(ask);
        scope.spawn(ask);
        for seed in 2..4 {
            let published = publish(dir.path(), seed).build_id;
            wait_until(|| service.build_id() == published);
        }
        is_over.store(true, Ordering::Relaxed);
    });
    assert!(answered.into_inner() > 10);
    assert_ne!(service.build_id(), first);
}

#[test]
fn a_damaged_index_leaves_the_old_one_served() {
    let dir = tempfile::tempdir().unwrap();
    let published = publish(dir.path(), 1);
    let key = add_key(dir.path(), "client");
    let service = Service::start(dir.path(), &SERVE);
    fs::write(dir.path().join("data/CURRENT"), "gen-000009 nonsense\n").unwrap();
    wait_until(|| service.get("/health/ready", "").1.contains("degraded"));
    assert_eq!(service.get("/release", &key).0, 200);
    assert_eq!(service.build_id(), published.build_id);
    let next = publish(dir.path(), 2).build_id;
    wait_until(|| service.build_id() == next);
    assert!(!service.get("/health/ready", "").1.contains("degraded"));
}

#[test]
fn a_start_without_a_good_current_serves_the_newest_whole_index() {
    let dir = tempfile::tempdir().unwrap();
    publish(dir.path(), 1);
    let second = publish(dir.path(), 2).build_id;
    publish(dir.path(), 3);
    fs::write(dir.path().join("data/gen-000003/release/tables.bin"), "").unwrap();
    let key = add_key(dir.path(), "client");
    let service = Service::start(dir.path(), &SERVE);
    assert_eq!(service.build_id(), second);
    assert_eq!(service.get("/release", &key).0, 200);
    assert!(service.get("/health/ready", "").1.contains("degraded"));
}

#[test]
fn without_an_index_it_lives_and_waits_for_one() {
    let dir = tempfile::tempdir().unwrap();
    let key = add_key(dir.path(), "client");
    let service = Service::start(dir.path(), &SERVE);
    for (target, status) in [("/health/live", 200), ("/health/ready", 503), ("/release", 503)] {
        assert_eq!(service.get(target, &key).0, status, "{target}");
    }
    publish(dir.path(), 1);
    service.wait_for("/release", &key, 200);
    assert_eq!(service.get("/health/ready", &key).0, 200);
}

#[test]
fn a_signal_stops_it_cleanly() {
    for signal in ["TERM", "INT"] {
        let dir = tempfile::tempdir().unwrap();
        publish(dir.path(), 1);
        let mut service = Service::start(dir.path(), &[&SERVE[..5], &["--auth", "off"]].concat());
        assert_eq!(service.get("/emission", "").0, 200);
        service.signal(signal);
        assert!(service.ended().success(), "{signal}");
    }
}

#[test]
fn a_hangup_makes_it_look_and_other_signals_do_nothing() {
    let dir = tempfile::tempdir().unwrap();
    publish(dir.path(), 1);
    let log = dir.path().join("log");
    let mut command = outfall(dir.path(), &[&SERVE[..5], &["--auth", "off"]].concat());
    command.stderr(File::create(&log).unwrap());
    let mut service = Service::spawn(command);
    for (signal, said) in [
        ("HUP", "looking at the published index"),
        ("USR1", "ignored"),
        ("USR2", "ignored"),
        ("ALRM", "ignored"),
        ("IO", "ignored"),
    ] {
        let said_before = fs::read_to_string(&log).unwrap().matches(said).count();
        service.signal(signal);
        wait_until(|| fs::read_to_string(&log).unwrap().matches(said).count() > said_before);
        assert!(!service.has_ended(), "{signal}");
        assert_eq!(service.get("/emission", "").0, 200, "{signal}");
    }
    service.signal("TERM");
    assert!(service.ended().success());
}

#[test]
fn the_second_signal_does_not_wait_for_requests_in_flight() {
    let dir = tempfile::tempdir().unwrap();
    publish(dir.path(), 1);
    let mut service = Service::start(dir.path(), &[&SERVE[..5], &["--auth", "off"]].concat());
    // The answer is larger than the buffers in between, and its reader does not read.
    let socket = Socket::new(Domain::IPV4, Type::STREAM, None).unwrap();
    socket.set_recv_buffer_size(4096).unwrap();
    let address: SocketAddr = service.base.strip_prefix("http://").unwrap().parse().unwrap();
    socket.connect(&address.into()).unwrap();
    let mut reader = TcpStream::from(socket);
    reader.write_all(b"GET /release?limit=1000 HTTP/1.1\r\nhost: x\r\n\r\n").unwrap();
    reader.read_exact(&mut [0; 15]).unwrap();
    service.signal("TERM");
    wait_until(|| TcpStream::connect(address).is_err());
    assert!(!service.has_ended(), "the first signal did not wait");
    service.signal("TERM");
    assert!(service.ended().success());
    // Cut, not drained: the reader never gets the rest.
    let mut rest = Vec::new();
    let whole = reader.read_to_end(&mut rest).is_ok() && rest.ends_with(b"]}");
    assert!(!whole, "the second signal waited for the reader");
}

#[test]
fn a_name_or_a_port_alone_is_listened_on() {
    let dir = tempfile::tempdir().unwrap();
    publish(dir.path(), 1);
    for address in ["localhost:0", "0", ":0"] {
        let serve = ["serve", "--data", "data", "--auth", "off", "--listen", address];
        let service = Service::start(dir.path(), &serve);
        assert!(service.base.starts_with("http://127.0.0.1:"), "{address}: {}", service.base);
        assert_eq!(service.get("/health/live", "").0, 200, "{address}");
    }
}

#[test]
fn it_starts_without_its_cluster() {
    let dir = tempfile::tempdir().unwrap();
    let cluster = ["serve", "--backend", "opensearch", "--url", "http://127.0.0.1:1"];
    let listen = ["--listen", "127.0.0.1:0", "--auth", "off"];
    let service = Service::start(dir.path(), &[&cluster[..], &listen[..]].concat());
    for (target, status) in
        [("/health/live", 200), ("/health/ready", 503), ("/meta", 503), ("/release", 503)]
    {
        assert_eq!(service.get(target, "").0, status, "{target}");
    }
    assert_eq!(
        run(dir.path(), &[&cluster[..], &["--auth", "off", "--ca", "no"]].concat()).status.code(),
        Some(66)
    );
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0, "no sample is built");
}

#[test]
fn flags_that_make_no_sense_are_named() {
    let dir = tempfile::tempdir().unwrap();
    for (arguments, message) in [
        (&["serve", "--base-url", "ftp://x", "--data", "data"][..], "--base-url"),
        (&["serve", "--auth", "maybe"], "--auth"),
        (&["serve", "--listen", "here"], "such as `127.0.0.1:8080`, `localhost:8080` or `8080`"),
        (&["serve", "--backend", "opensearch", "--keys", "k"], "--url"),
        (&["serve", "--backend", "opensearch", "--url", "http://localhost"], "--keys"),
        (&["serve", "--backend", "opensearch", "--url", "http://a", "--data", "data"], "--data"),
        (&["serve", "--url", "http://localhost"], "--backend opensearch"),
        (&["serve", "--prefix", "A*"], "--prefix"),
        (&["serve", "--explorer", "9", "--embed-origins", "https://a *"], "--embed-origins `*`"),
        (&["serve", "--explorer", "0", "--embed-origins", "https://a"], "--explorer"),
        (&["keys", "drop", "x"], "drop"),
        (&["keys", "add", ""], "the name is empty"),
        (&["keys", "add", " "], "the name is empty"),
        (&["keys", "add", "a\nb"], "control character"),
        (&["keys", "add", "prk_1234"], "begins with `prk_`"),
        (&["keys", "add", "x", "--expires", "2020-01-01"], "this day is over"),
        (&["keys", "add", "x", "--expires", "tomorrow"], "not a date"),
    ] {
        let output = run(dir.path(), arguments);
        let shown = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(64), "{shown}");
        assert!(shown.contains(message), "{shown}");
    }
    let unknown =
        run(dir.path(), &["serve", "--listen", "no-such-name.invalid:0", "--data", "data"]);
    let shown = String::from_utf8_lossy(&unknown.stderr).into_owned();
    assert_eq!(unknown.status.code(), Some(69), "{shown}");
    assert!(shown.contains("cannot find the address of `no-such-name.invalid:0`"), "{shown}");
    let help = run(dir.path(), &["serve", "--help"]).stdout;
    let help = String::from_utf8(help).unwrap();
    for flag in ["--data", "--listen", "--base-url", "--keys", "--auth", "--rate-limit"] {
        assert!(help.contains(flag), "{flag}");
    }
}

#[test]
fn too_few_open_files_are_told_at_start() {
    let dir = tempfile::tempdir().unwrap();
    publish(dir.path(), 1);
    let serve = format!("ulimit -n 20; exec {} --auth off \"$@\"", env!("CARGO_BIN_EXE_outfall"));
    let mut shell = Command::new("sh");
    shell.args(["-c", &serve, "sh", "--data", "data", "--listen", "127.0.0.1:0"]);
    let output = shell.args(["--workers", "2"]).current_dir(dir.path()).output().unwrap();
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(71), "{told}");
    assert!(told.contains("may open 20 files, and the service needs 40"), "{told}");
    assert!(told.contains("LimitNOFILE"), "{told}");
}
