//! One generation after another, as fast as they can be built.

use std::thread;

use crate::editions::Editions;
use crate::outcome::ensure;
use crate::process::Usage;
use crate::service::{Service, wait_for};
use crate::{Experiment, Lab, LabError, Outcome, Tier};

pub(crate) const EXPERIMENT: Experiment = Experiment {
    name: "many publishes in a row",
    claim: "memory at most 3 × index + 150 MB; threads and descriptors stay as they were",
    needs: &[],
    run,
};

/// The memory of a service with hardly any data, in bytes.
const BASE: u64 = 150_000_000;

/// Connections and files that may be open while the experiment looks.
const OPEN_FOR_A_MOMENT: usize = 4;

fn run(lab: &Lab, tier: Tier) -> Result<Outcome, LabError> {
    let (publishes, rows) = tier.pick((20, 2_000), (200, 50_000));
    let folder = lab.folder()?;
    let editions = Editions::publish(lab, folder.path(), rows)?;
    let mut service = Service::open_to_all(lab, editions.dir())?;
    let version = |service: &Service| Ok::<_, String>(service.get("/meta")?.version().to_owned());
    // Opening an index starts some threads once; they are there after the first new generation.
    let mut outcome = Outcome::default();
    let mut usual = None;
    for turn in 0..publishes {
        let published = editions.publish_next(turn)?;
        if turn == 0 || turn + 1 == publishes {
            let taken = wait_for(|| (version(&service).ok()? == published).then_some(()));
            outcome.note("taking over", taken.ok_or_else(|| "it does not happen".to_owned()));
        }
        let usage = Usage::of(service.id())?;
        let usual = usual.get_or_insert(usage);
        outcome.note(format!("publish {turn}"), {
            // The service may be opening an index on every core.
            let cores = thread::available_parallelism().map_or(1, usize::from);
            let threads = usual.threads + cores;
            let descriptors = usual.descriptors + OPEN_FOR_A_MOMENT;
            let is_flat = usage.threads <= threads && usage.descriptors <= descriptors;
            ensure(is_flat, || format!("{usage:?} after {usual:?}"))
        });
    }
    let (bytes, peak) = (editions.bytes()?, Usage::of(service.id())?.peak_memory);
    let is_bounded = peak <= 3 * bytes + BASE;
    outcome.note("memory", ensure(is_bounded, || format!("{peak} bytes for {bytes} of index")));
    outcome.note("the service", service.check_alive());
    outcome.figure(format!("{publishes} publishes"));
    outcome.figure(format!("{} MB at most, index {:.1} MB", peak / 1_000_000, bytes as f64 / 1e6));
    Ok(outcome)
}
