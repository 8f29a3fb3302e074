//! Connections that hold on to the service, while others send honest requests.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::data::Data;
use crate::hostile::{Hostile, Hostility};
use crate::outcome::ensure;
use crate::service::Service;
use crate::{Experiment, Lab, LabError, Outcome, Tier};

pub(crate) const EXPERIMENT: Experiment = Experiment {
    name: "hostile connections",
    claim: "every honest request is answered meanwhile; hostile connections are closed within \
            20 s, those that do not read within 30 s",
    needs: &[],
    run,
};

/// After this, a connection counts as held for ever.
const EVER: Duration = Duration::from_secs(60);
/// The pause between hostile connections, so that the first requests of all can be answered: this
/// experiment is not about overload.
const PAUSE: Duration = Duration::from_millis(5);
/// How late the experiment may be in opening connections and looking at them.
const LATE: Duration = Duration::from_secs(3);

fn run(lab: &Lab, tier: Tier) -> Result<Outcome, LabError> {
    let folder = lab.folder()?;
    let data = Data::published(lab, folder.path(), 2_000)?;
    let mut service = Service::open_to_all(lab, data.dir())?;
    let mut outcome = Outcome::default();
    // All kinds at once, or many of each.
    let rounds: &[&[Hostility]] = match tier {
        Tier::Quick => &[&Hostility::ALL],
        Tier::Full => &Hostility::ALL.each_ref().map(std::slice::from_ref),
    };
    for kinds in rounds {
        outcome.join(withstand(&service, kinds, tier)?);
    }
    outcome.note("the service", service.check_alive());
    Ok(outcome)
}

fn withstand(service: &Service, kinds: &[Hostility], tier: Tier) -> Result<Outcome, LabError> {
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        let honest = scope.spawn(|| ask_honestly(service, &is_over));
        let mut outcome = Outcome::default();
        let mut hostile = Vec::new();
        for kind in kinds.iter().cycle().take(kinds.len() * tier.pick(100, 1_000)) {
            match Hostile::open(service.address, *kind) {
                Ok(opened) => hostile.push(opened),
                Err(error) => outcome.note(format!("{kind:?} begins"), Err(error.to_string())),
            }
            thread::sleep(PAUSE);
        }
        let begun = Instant::now();
        while begun.elapsed() < EVER && hostile.iter().any(|connection| connection.lasted.is_none())
        {
            hostile.iter_mut().for_each(Hostile::go_on);
            thread::sleep(Duration::from_secs(1));
        }
        is_over.store(true, Ordering::Relaxed);
        for kind in kinds {
            let lasted: Vec<_> = hostile
                .iter()
                .filter(|connection| connection.kind == *kind)
                .map(|connection| connection.lasted)
                .collect();
            let longest = lasted.iter().flatten().max().copied().unwrap_or_default();
            let held = lasted.iter().filter(|lasted| lasted.is_none()).count();
            for lasted in lasted {
                // Bytes that even the smallest buffer takes in count as read, whether the client
                // reads them or not.
                let promised = if *kind == Hostility::SlowReader { 30 } else { 20 };
                let limit = tier.pick(EVER, Duration::from_secs(promised) + LATE);
                let is_closed = lasted.is_some_and(|lasted| lasted <= limit);
                outcome
                    .note(format!("{kind:?}"), ensure(is_closed, || format!("lasts {lasted:?}")));
            }
            let held = if held == 0 { String::new() } else { format!(", {held} held for ever") };
            outcome.figure(format!("{kind:?} closed within {:.0} s{held}", longest.as_secs_f64()));
        }
        outcome.join(honest.join().map_err(|_| LabError::Setup("a client panicked".into()))?);
        Ok(outcome)
    })
}

/// Sends requests, each on a fresh connection, until it is over.
fn ask_honestly(service: &Service, is_over: &AtomicBool) -> Outcome {
    let mut outcome = Outcome::default();
    while !is_over.load(Ordering::Relaxed) {
        let asked = service.get("/release?q=air&limit=5");
        let seen = asked.and_then(|answer| ensure(answer.status == 200, || answer.body));
        outcome.count("honest requests");
        outcome.note("an honest request", seen);
        thread::sleep(Duration::from_millis(20));
    }
    outcome
}
