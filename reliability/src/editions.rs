//! Two editions of the same data that are published in turn, and the answers of each.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::Value;

use crate::cluster_data::ClusterData;
use crate::corpus::Corpus;
use crate::data::Data;
use crate::service::Service;
use crate::{Lab, LabError};

/// The requests to both editions, which answer each of them differently.
pub(crate) const TARGETS: [&str; 4] = [
    "/release?limit=25",
    "/emission?limit=10&sort_by=value",
    "/release?q=air+OR+water&sort_by=value&value_unit=kg",
    "/release?limit=0",
];

/// A place where an edition is published, with a service over it.
pub(crate) trait Publish {
    /// Publishes the edition.
    fn publish(&self) -> Result<(), LabError>;

    /// A service that is ready, without keys and without a limit of requests.
    fn serve(&self, lab: &Lab) -> Result<Service, LabError>;
}

impl Publish for Data {
    fn publish(&self) -> Result<(), LabError> {
        self.rebuild().map(drop).map_err(LabError::Setup)
    }

    fn serve(&self, lab: &Lab) -> Result<Service, LabError> {
        Service::open_to_all(lab, self.dir())
    }
}

impl Publish for ClusterData {
    fn publish(&self) -> Result<(), LabError> {
        self.rebuild().map(drop).map_err(LabError::Setup)
    }

    fn serve(&self, lab: &Lab) -> Result<Service, LabError> {
        self.serve(lab)
    }
}

/// A whole and an earlier edition, which are published in turn in one place.
#[derive(Debug)]
pub(crate) struct Editions<P> {
    sources: [P; 2],
    /// The version of the data in each edition.
    versions: Vec<String>,
    /// The answers to [`TARGETS`], by the version of the data.
    answers: BTreeMap<String, Vec<String>>,
    /// The records that both editions have.
    pub(crate) lasting: BTreeSet<String>,
}

impl Editions<Data> {
    /// Publishes each edition once in a data directory, and keeps the answers of a service over it.
    pub(crate) fn publish(lab: &Lab, folder: &Path, rows: u64) -> Result<Self, LabError> {
        let whole = Corpus::write(folder, rows, 1)?;
        let earlier = whole.earlier(folder)?;
        let data = Data::new(lab, folder, &whole);
        let sources = [data.of(&earlier), data];
        Self::of(lab, sources)
    }

    pub(crate) fn dir(&self) -> &Path {
        self.sources[0].dir()
    }

    /// The size of the largest generation, in bytes.
    pub(crate) fn bytes(&self) -> Result<u64, LabError> {
        self.sources[0].largest_generation().map_err(LabError::io("read an index"))
    }
}

impl<P: Publish> Editions<P> {
    /// Publishes each edition once, and keeps the answers of a service over it.
    pub(crate) fn of(lab: &Lab, sources: [P; 2]) -> Result<Self, LabError> {
        let (mut versions, mut answers) = (Vec::new(), BTreeMap::new());
        let mut lasting: Option<BTreeSet<String>> = None;
        for source in &sources {
            source.publish()?;
            let service = source.serve(lab)?;
            let asked: Result<Vec<_>, _> =
                TARGETS.iter().map(|target| service.get(target)).collect();
            let asked = asked.map_err(LabError::Setup)?;
            let version = asked[0].version().to_owned();
            versions.push(version.clone());
            answers.insert(version, asked.into_iter().map(|answer| answer.body).collect());
            let all = service.get("/release?limit=1000").map_err(LabError::Setup)?;
            let ids: BTreeSet<String> = record_ids(&all.body).0.into_iter().collect();
            lasting = Some(lasting.map_or(ids.clone(), |lasting| &lasting & &ids));
        }
        let lasting = lasting.unwrap_or_default();
        if answers.len() != sources.len() || lasting.is_empty() {
            return Err(LabError::Setup("the editions differ in nothing, or in all".to_owned()));
        }
        Ok(Self { sources, versions, answers, lasting })
    }

    /// A service over what is published.
    pub(crate) fn serve(&self, lab: &Lab) -> Result<Service, LabError> {
        self.sources[0].serve(lab)
    }

    /// Publishes the edition whose turn it is; returns its version of the data.
    pub(crate) fn publish_next(&self, turn: usize) -> Result<&str, LabError> {
        let edition = turn % self.sources.len();
        self.sources[edition].publish()?;
        Ok(&self.versions[edition])
    }

    /// Whether a body is the one that this version of the data gives for a target.
    pub(crate) fn is_answer(&self, version: &str, target: usize, body: &str) -> bool {
        self.answers.get(version).is_some_and(|answers| answers[target] == body)
    }
}

/// The ids of the records of a page, and the cursor of the next one.
pub(crate) fn record_ids(body: &str) -> (Vec<String>, Option<String>) {
    let page: Value = serde_json::from_str(body).unwrap_or_default();
    let records = page["results"].as_array().map_or(&[][..], Vec::as_slice);
    let ids = records.iter().filter_map(|record| record["record_id"].as_str());
    (ids.map(str::to_owned).collect(), page["next_cursor"].as_str().map(str::to_owned))
}
