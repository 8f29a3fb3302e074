//! Times answers of several sizes on a kept connection, and the same answers on fresh ones.

use std::time::Instant;

use super::service::Service;
use crate::statistics::median;

/// Answers of one to many segments, and small files.
const TARGETS: [&str; 6] = [
    "/release?limit=25",
    "/release?limit=50",
    "/release?limit=100",
    "/release?limit=1000",
    "/release?format=csv&limit=10",
    "/release?format=ndjson&limit=10",
];
/// How often each target is requested on each kind of connection.
const ROUNDS: usize = 200;

/// The seconds that an answer takes when a client sends one request after another.
#[derive(Clone, Copy, Debug)]
pub struct KeptFigures {
    /// The requested target.
    pub target: &'static str,
    /// The median on a connection that is kept.
    pub kept: f64,
    /// The median on connections that are opened for one answer.
    pub fresh: f64,
}

/// Sends requests alternately on a kept connection and on fresh ones.
///
/// # Errors
/// When an answer is anything but 200.
pub(super) fn alternate(service: &Service) -> anyhow::Result<Vec<KeptFigures>> {
    let time = |agent: &ureq::Agent, target| -> anyhow::Result<f64> {
        let started = Instant::now();
        service.get_by(agent, target)?;
        Ok(started.elapsed().as_secs_f64())
    };
    let figures = TARGETS.map(|target| {
        let agent = ureq::agent();
        let (mut kept, mut fresh) = (Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            kept.push(time(&agent, target)?);
            fresh.push(time(&ureq::agent(), target)?);
        }
        Ok(KeptFigures { target, kept: median(&kept), fresh: median(&fresh) })
    });
    figures.into_iter().collect()
}
