//! Exports that are read slowly, while others want theirs.

use std::net::Ipv4Addr;
use std::thread;
use std::time::{Duration, Instant};

use crate::data::Data;
use crate::outcome::ensure;
use crate::service::{Service, add_key};
use crate::slow_export::SlowExport;
use crate::{Experiment, Lab, LabError, Outcome, Tier};

pub(crate) const EXPERIMENT: Experiment = Experiment {
    name: "slow exports",
    claim: "a key that has no export running begins one within 10 s, whoever takes the others \
            slowly; slow exports go on while nobody waits; none that breaks off has an end",
    needs: &[],
    run,
};

/// The places for exports of all keys, and of one key.
const PLACES: usize = 16;
const OF_KEY: usize = 2;
const PROMISED: Duration = Duration::from_secs(10);
/// A slow rate, in bytes per second, and one that is just fast enough for the only export of a key.
const SLOW: usize = 18_000;
const STEADY: usize = 100_000;

/// The key that every visitor has.
const DEMO_KEY: &str = "DEMO_KEY";
const VISITORS: [Ipv4Addr; 2] = [Ipv4Addr::new(127, 0, 0, 2), Ipv4Addr::new(127, 0, 0, 3)];

/// The keys that take all places, and their rate.
struct Crowd {
    case: &'static str,
    keys: usize,
    rate: usize,
    /// How long they read before anybody waits.
    lasts: Duration,
}

fn run(lab: &Lab, tier: Tier) -> Result<Outcome, LabError> {
    let folder = lab.folder()?;
    let data = Data::published(lab, folder.path(), tier.pick(6_000, 40_000))?;
    let path = folder.path().join("keys.json");
    let names = (0..=PLACES).map(|number| format!("client-{number}"));
    let keys = names.map(|name| add_key(lab, &path, &name)).collect::<Result<Vec<_>, _>>()?;
    let path = path.display().to_string();
    let flags = ["--rate-limit", "0", "--demo-key", "1000", "--keys", &path];
    let mut service = Service::start(lab, data.dir(), &flags)?;
    let mut outcome = Outcome::default();

    let few = PLACES / OF_KEY;
    let seconds = Duration::from_secs;
    let crowds = [
        Crowd { case: "eight keys", keys: few, rate: SLOW, lasts: seconds(tier.pick(2, 30)) },
        Crowd { case: "eight steady keys", keys: few, rate: STEADY, lasts: seconds(30) },
        Crowd { case: "sixteen keys", keys: PLACES, rate: SLOW, lasts: seconds(20) },
    ];
    for crowd in &crowds[..tier.pick(1, 3)] {
        withstand(&service, &keys, crowd, tier, &mut outcome)?;
    }
    one_visitor(&service, &keys[0], tier, &mut outcome)?;
    outcome.note("the service", service.check_alive());
    Ok(outcome)
}

/// Takes all places, and then begins an export with a key that has none.
fn withstand(
    service: &Service,
    keys: &[String],
    crowd: &Crowd,
    tier: Tier,
    outcome: &mut Outcome,
) -> Result<(), LabError> {
    let Crowd { case, rate, .. } = *crowd;
    let owners = keys[..crowd.keys].iter().cycle().take(PLACES);
    let begun = owners.map(|key| SlowExport::begin(service.address, key, Ipv4Addr::LOCALHOST));
    let mut slow = begun.collect::<Result<Vec<_>, _>>()?;
    let refused = slow.iter().filter(|export| export.status != 200).count();
    outcome.note(case, ensure(refused == 0, || format!("{refused} slow exports were refused")));
    take(&mut slow, rate, crowd.lasts);
    let broken = slow.iter().filter(|export| export.is_broken()).count();
    let seen = ensure(broken == 0, || format!("{broken} were cut while nobody waited"));
    outcome.note(format!("{case}, nobody waits"), seen);

    let key = &keys[PLACES];
    let (newcomer, took) = thread::scope(|scope| {
        let asks = scope.spawn(|| {
            let asked = Instant::now();
            (SlowExport::begin(service.address, key, Ipv4Addr::LOCALHOST), asked.elapsed())
        });
        while !asks.is_finished() {
            take(&mut slow, rate, Duration::from_millis(200));
        }
        asks.join().map_err(|_| LabError::Setup("a client panicked".into()))
    })?;
    let mut newcomer = newcomer?;
    let is_soon = newcomer.status == 200 && (tier == Tier::Quick || took < PROMISED);
    let seen = ensure(is_soon, || format!("{} after {took:?}", newcomer.status));
    outcome.note(format!("{case}, a newcomer"), seen);
    outcome.figure(format!("{:.1} s beside {case}", took.as_secs_f64()));

    let is_whole = newcomer.take_all();
    outcome.note(format!("{case}, the newcomer's file"), ensure(is_whole, || "not whole".into()));
    // One export gave way and has no end; the others are whole. All of them are read at once,
    // because an export that nobody reads makes no progress.
    thread::scope(|scope| {
        for export in &mut slow {
            scope.spawn(move || export.take_all());
        }
    });
    let broken = slow.iter().filter(|export| export.is_broken()).count();
    let seen = ensure(broken == 1, || format!("{broken} of {PLACES} broke off"));
    outcome.note(format!("{case}, one gives way"), seen);
    Ok(())
}

/// One visitor takes all that it may; others are not affected.
fn one_visitor(
    service: &Service,
    key: &str,
    tier: Tier,
    outcome: &mut Outcome,
) -> Result<(), LabError> {
    let [visitor, other] = VISITORS;
    let own = (0..=OF_KEY).map(|_| SlowExport::begin(service.address, DEMO_KEY, visitor));
    let own = own.collect::<Result<Vec<_>, _>>()?;
    let statuses: Vec<u16> = own.iter().map(|export| export.status).collect();
    let seen = ensure(statuses == [200, 200, 429], || format!("{statuses:?}"));
    outcome.note("exports of one visitor", seen);
    for (case, key, from) in [
        ("beside a visitor, another", DEMO_KEY, other),
        ("beside a visitor, a key", key, Ipv4Addr::LOCALHOST),
    ] {
        let asked = Instant::now();
        let mut export = SlowExport::begin(service.address, key, from)?;
        let took = asked.elapsed();
        let is_soon = export.status == 200 && (tier == Tier::Quick || took < PROMISED);
        let is_whole = is_soon && export.take_all();
        outcome.note(case, ensure(is_whole, || format!("{} after {took:?}", export.status)));
    }
    Ok(())
}

/// Reads from each export at this rate, for a while.
fn take(exports: &mut [SlowExport], rate: usize, lasts: Duration) {
    const PAUSE: Duration = Duration::from_millis(100);
    let started = Instant::now();
    let mut taken = 0;
    while started.elapsed() < lasts {
        thread::sleep(PAUSE);
        let due = (started.elapsed().as_secs_f64() * rate as f64) as usize;
        exports.iter_mut().for_each(|export| export.take(due - taken));
        taken = due;
    }
}
