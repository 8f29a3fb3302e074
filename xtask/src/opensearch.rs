//! A real cluster for the tests of `outfall-opensearch`, and for trying things out.
//!
//! Maven fetches the class path of a whole OpenSearch node, once per version; nothing is installed.
//! A JVM then runs several nodes, which end when it ends.

use std::env;
use std::fs;
use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use anyhow::{Context, bail, ensure};
use outfall_fixtures::committed_files;

use crate::test::cargo;
use crate::tool::{Skipped, root};

/// The variable by which tests find the nodes.
const URLS: &str = "OUTFALL_OPENSEARCH_URLS";
/// The variable by which experiments stop and start nodes.
const CONTROL: &str = "OUTFALL_OPENSEARCH_CONTROL";

/// A version of the cluster, and the oldest Java that runs it.
const VERSIONS: [(&str, u32); 2] = [("2.19.1.0", 17), ("3.8.0.0", 21)];
/// The newest version, which tests run on if there is a JDK for it.
pub(crate) const NEWEST: &str = VERSIONS[VERSIONS.len() - 1].0;
const NODES: usize = 3;
/// Where the sample is served.
const LISTEN: &str = "127.0.0.1:8080";
/// Ports that the nodes need from the first one on, for HTTP and for each other.
const PORTS: [u16; 2] = [0, 100];

/// What a cluster is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// Tests make hundreds of small indexes and would mostly wait for the disk, so the data is in
    /// memory where possible. The JVM's first compiler is enough, and leaves the cores to the
    /// tests.
    Tests,
    /// Measurements make a few large indexes, on disk.
    Measurements,
}

impl Purpose {
    const fn java_options(self) -> &'static [&'static str] {
        match self {
            Self::Tests => &["-Xmx1g", "-XX:TieredStopAtLevel=1"],
            Self::Measurements => &["-Xms4g", "-Xmx4g"],
        }
    }

    fn folder(self) -> PathBuf {
        let memory = Path::new("/dev/shm");
        match self {
            Self::Tests if memory.is_dir() => memory.to_owned(),
            Self::Tests | Self::Measurements => env::temp_dir(),
        }
    }
}

/// A running cluster, which ends when this is dropped or the process is killed.
pub(crate) struct Cluster {
    child: Child,
    folder: PathBuf,
    /// The nodes, separated by commas.
    pub(crate) urls: String,
    /// The address that accepts commands to stop and start a node.
    control: String,
}

/// `cargo xtask opensearch`: serves the sample from a cluster, or runs a command beside one.
pub(crate) fn run(version: &str, command: &[String]) -> anyhow::Result<()> {
    let cluster = match start(version, Purpose::Tests)? {
        Ok(cluster) => cluster,
        Err(reason) => bail!("{reason}"),
    };
    eprintln!("== {URLS}={}", cluster.urls);
    let Some((program, arguments)) = command.split_first() else {
        return serve_sample(&cluster);
    };
    let mut command = Command::new(program);
    succeed(command.args(arguments).envs(cluster.environment()))
}

/// Publishes the sample to a cluster, and serves it from there until somebody stops it.
fn serve_sample(cluster: &Cluster) -> anyhow::Result<()> {
    let program = |package: &str| {
        let mut command = Command::new(cargo());
        command.args(["run", "--release", "--locked", "--package", package, "--bin"]);
        command
    };
    let to_cluster = ["--to", "opensearch", "--url", &cluster.urls, "--shards", "3"];
    let mut build = program("index-build");
    build.args(["index-build", "--"]).args(to_cluster).args(committed_files());
    succeed(build.arg("--rejects-in").arg(&cluster.folder))?;
    eprintln!("\n== once the service listens, paste one of these; stop with Ctrl-C\n");
    for target in ["/release?q=mercury&sort_by=value&value_unit=kg&limit=3", "/emission?limit=3"] {
        eprintln!("curl -s 'http://{LISTEN}{target}'\n");
    }
    let from_cluster = ["serve", "--backend", "opensearch", "--url", &cluster.urls];
    let mut service = program("outfall-server");
    service.args(["outfall", "--"]).args(from_cluster).args(["--auth", "off", "--listen", LISTEN]);
    succeed(&mut service)
}

fn succeed(command: &mut Command) -> anyhow::Result<()> {
    let program = command.get_program().to_string_lossy().into_owned();
    let status = command.status().with_context(|| format!("`{program}` does not start"))?;
    ensure!(status.success(), "`{program}` failed");
    Ok(())
}

/// The version that tests run on unless another is named.
pub(crate) const fn default_version() -> &'static str {
    VERSIONS[0].0
}

/// Starts a cluster; returns the reason if the machine lacks what that needs.
pub(crate) fn start(version: &str, purpose: Purpose) -> anyhow::Result<Result<Cluster, Skipped>> {
    let Some((version, oldest)) =
        VERSIONS.into_iter().find(|(known, _)| known.starts_with(version))
    else {
        bail!("the versions are {}", VERSIONS.map(|(version, _)| version).join(", "));
    };
    let Some(java) = java(oldest) else {
        return Ok(Err(format!("OpenSearch {version}: there is no JDK {oldest} or later")));
    };
    let Some(class_path) = class_path(version)? else {
        return Ok(Err(format!("OpenSearch {version} cannot be fetched (mvn, Maven Central)")));
    };
    Cluster::start(&java, &class_path, purpose).map(Ok)
}

/// The `java` of a JDK of release `oldest` or newer: looks in `JAVA_HOME` first, then on the path,
/// then among those of the system.
fn java(oldest: u32) -> Option<PathBuf> {
    let home = env::var_os("JAVA_HOME").map(|home| Path::new(&home).join("bin/java"));
    let installed = fs::read_dir("/usr/lib/jvm").into_iter().flatten().flatten();
    let mut installed: Vec<PathBuf> =
        installed.map(|entry| entry.path().join("bin/java")).filter(|java| java.exists()).collect();
    installed.sort_unstable();
    let all = home.into_iter().chain([PathBuf::from("java")]).chain(installed);
    all.into_iter().find(|java| release(java).is_some_and(|release| release >= oldest))
}

/// The release of a JDK, 17 for `openjdk version "17.0.15"`; `None` if it has no compiler, like a
/// mere runtime.
fn release(java: &Path) -> Option<u32> {
    let compiles = Command::new(java).args(["--list-modules"]).output().ok()?;
    if !String::from_utf8_lossy(&compiles.stdout).contains("jdk.compiler") {
        return None;
    }
    let version = Command::new(java).arg("-version").output().ok()?;
    let version = String::from_utf8_lossy(&version.stderr).into_owned();
    let quoted = version.split('"').nth(1)?;
    quoted.split(['.', '-', '+']).next()?.parse().ok()
}

/// The class path of a version, which is fetched once; `None` if it cannot be fetched.
fn class_path(version: &str) -> anyhow::Result<Option<String>> {
    let folder = root().join("target/opensearch");
    fs::create_dir_all(&folder)?;
    let kept = folder.join(format!("{version}.classpath"));
    let is_there = |paths: &str| env::split_paths(paths).all(|path| path.exists());
    if let Some(paths) = fs::read_to_string(&kept).ok().filter(|paths| is_there(paths)) {
        return Ok(Some(paths));
    }
    eprintln!("== fetching OpenSearch {version}");
    let fetched = Command::new("mvn")
        .args(["--quiet", "--batch-mode", "--file"])
        .arg(root().join("xtask/opensearch/pom.xml"))
        .arg("org.apache.maven.plugins:maven-dependency-plugin:3.6.1:build-classpath")
        .arg(format!("-Drunner.version={version}"))
        .arg(format!("-Dmdep.outputFile={}", kept.display()))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .status();
    match fetched {
        Ok(status) if status.success() => Ok(Some(fs::read_to_string(&kept)?)),
        _ => Ok(None),
    }
}

impl Cluster {
    fn start(java: &Path, class_path: &str, purpose: Purpose) -> anyhow::Result<Self> {
        let folder = purpose.folder();
        let folder = folder.join(format!("outfall-opensearch-{}", std::process::id()));
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        fs::create_dir_all(&folder)?;
        let port = free_port()?;
        let log = root().join("target/opensearch/cluster.log");
        let child = Command::new(java)
            .args(purpose.java_options())
            .args(["-XX:+UseSerialGC", "-cp", class_path])
            .arg(root().join("xtask/opensearch/Cluster.java"))
            .arg(NODES.to_string())
            .arg(&folder)
            .arg(port.to_string())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(fs::File::create(&log)?)
            // Ctrl-C must not reach the cluster, which has data to remove; it notices when its
            // input ends.
            .process_group(0)
            .spawn()
            .with_context(|| format!("`{}` does not start", java.display()))?;
        let mut cluster = Self { child, folder, urls: String::new(), control: String::new() };
        let out = cluster.child.stdout.take().context("no output")?;
        for line in BufReader::new(out).lines() {
            let line = line?;
            if let Some(control) = line.strip_prefix("control ") {
                cluster.control = control.to_owned();
            }
            if let Some(urls) = line.strip_prefix("ready ") {
                cluster.urls = urls.replace(' ', ",");
                break;
            }
        }
        ensure!(!cluster.urls.is_empty(), "the cluster did not start: see {}", log.display());
        Ok(cluster)
    }

    /// The variables by which tests and experiments find it.
    pub(crate) fn environment(&self) -> [(&str, &str); 2] {
        [(URLS, &self.urls), (CONTROL, &self.control)]
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        // At the end of its input it removes its data and ends.
        drop(self.child.stdin.take());
        let _ = self.child.wait();
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// A first port, from which all ports that the nodes need are free.
fn free_port() -> anyhow::Result<u16> {
    let is_free = |port: u16| TcpListener::bind(("127.0.0.1", port)).is_ok();
    let all_free = |first: &u16| {
        let nodes = 0..=NODES as u16;
        nodes.into_iter().all(|node| PORTS.iter().all(|ports| is_free(first + ports + node)))
    };
    // These are below the ports that systems give to clients.
    let first = (20_000..32_000).step_by(200).find(all_free);
    first.context("no ports are free")
}
