//! Loads the records of a build into a new generation, and publishes it.
//!
//! A generation is never changed once it is published. Until then it has no alias that is served,
//! so wherever a build stops, what was served stays served.

mod bulk;
mod check;
mod generations;
mod switch;

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

use blake3::Hash;
use outfall_records::{DatasetInfo, KindInfo, PerKind, RecordKind, SourceInfo, Tables};
use outfall_request::{
    Edition, Facet, Published, RecordSink, ServedRecords, build_id, records_hash,
};
use serde_json::{Value, json};

use self::bulk::Bulk;
use self::check::Sample;
pub use self::switch::{remove_all, roll_back};
use crate::client::Body;
use crate::document::Documents;
use crate::lists::ListBuilder;
use crate::mapping::{FORMAT, Layout, measures, of_records};
use crate::names::Number;
use crate::open::{self, part_name};
use crate::opened::{KindFacts, Meta};
use crate::{Client, ClusterError, Names, OpenSearchBackend};

/// How long a node holds documents for a part of the index that is away. It then reports the
/// failure, before the call is given up here.
const PART_AWAITED: &str = "20s";

/// How a build is loaded.
#[derive(Clone, Debug)]
pub struct LoadOptions {
    /// The names of indexes and aliases.
    pub names: Names,
    /// The parts and copies of the indexes.
    pub layout: Layout,
    /// The folder for the list of rejected rows, a file for each generation.
    pub rejects_in: PathBuf,
}

/// A generation being loaded; dropped before it is published, it is removed from the cluster.
#[derive(Debug)]
pub struct Loader {
    client: Client,
    options: LoadOptions,
    number: Number,
    /// The generation that was published when this one began, the only one that it may replace.
    replaces: Option<Number>,
    kinds: BTreeMap<RecordKind, LoadedKind>,
    /// Whether the generation outlives the loader.
    is_kept: bool,
}

/// The facts about a kind that are needed after its records are gone.
#[derive(Debug)]
struct LoadedKind {
    info: KindInfo,
    identity: Hash,
    sample: Sample,
    list_parts: u64,
    facts: KindFacts,
}

impl Loader {
    /// Begins a generation by creating its first index, which no other build can create as well.
    ///
    /// # Errors
    /// Those of the connection; [`ClusterError::NotServable`] if the published index is not one of
    /// this program.
    pub fn begin(client: &Client, options: LoadOptions) -> Result<Self, ClusterError> {
        let replaces = open::published(client, &options.names)?;
        let number = generations::next(client, &options.names)?;
        let client = client.clone();
        Ok(Self { client, options, number, replaces, kinds: BTreeMap::new(), is_kept: false })
    }

    /// Loads the records of one kind.
    fn write_kind(&mut self, tables: &Tables) -> Result<(), ClusterError> {
        let record_kind = tables.record_kind();
        let index = self.options.names.records(self.number, record_kind);
        // Documents go to an alias that must exist, so that a stray request cannot recreate an
        // index that somebody removed.
        let alias = self.options.names.loading(self.number, record_kind);
        let definition = of_records(self.options.layout, &alias);
        self.client.call::<Value>("PUT", &format!("/{index}"), Body::Json(&definition), None)?;

        let lists = ListBuilder::of(tables);
        let mut documents = Documents::new(&lists);
        let path = format!("/{alias}/_bulk?require_alias=true&timeout={PART_AWAITED}");
        let mut bulk = Bulk::new(&self.client, path);
        let mut sample = Sample::new(tables);
        for (place, record) in tables.records().enumerate() {
            let (document, amount) = documents.of(&record)?;
            sample.see(place, &record, amount);
            let routing = record.site().facility_id.to_string();
            bulk.add(&record.record_id(), Some(&routing), &document)?;
        }
        bulk.finish()?;

        let lists_index = self.options.names.lists(self.number);
        let path = format!("/{lists_index}/_bulk?timeout={PART_AWAITED}");
        let mut bulk = Bulk::new(&self.client, path);
        let parts = lists.parts();
        for (number, part) in parts.iter().enumerate() {
            let name = part_name(record_kind, number);
            let json = serde_json::to_string(part);
            let json = json.map_err(|error| ClusterError::unexpected(error.to_string()))?;
            bulk.add(&name, None, &json!({"part": name, "json": json}))?;
        }
        bulk.finish()?;

        let counted = [Facet::NaicsCode, Facet::Substance, Facet::Facility, Facet::Company];
        let values = counted.map(|facet| (facet.name().to_owned(), documents.values(facet)));
        let limbs = measures(record_kind).iter().map(|measure| {
            (measure.name().to_owned(), documents.limbs_of(*measure).iter().copied().collect())
        });
        let facts = KindFacts { values: values.into(), limbs: limbs.collect() };
        let loaded = LoadedKind {
            info: tables.info(),
            identity: records_hash(tables),
            sample,
            list_parts: parts.len() as u64,
            facts,
        };
        self.kinds.insert(record_kind, loaded);
        Ok(())
    }

    /// Makes the indexes ready to be read: every copy of every part is there, and nothing more can
    /// be written.
    fn complete(&self, dataset: &DatasetInfo) -> Result<(), ClusterError> {
        let indexes = self.options.names.all(self.number).join(",");
        let call = |method: &str, path: &str, body: Value| {
            self.client.call::<Value>(method, path, Body::Json(&body), None)
        };
        let await_green =
            || generations::await_green(&self.client, &indexes, || self.ensure_not_overtaken());
        // A part whose node is away comes back with it, and can be refreshed only then.
        await_green()?;
        generations::refresh(&self.client, &indexes)?;
        let replicas = json!({"index": {"number_of_replicas": self.options.layout.replicas}});
        call("PUT", &format!("/{indexes}/_settings"), replicas)?;
        await_green()?;
        let published = SystemTime::now().duration_since(UNIX_EPOCH);
        let published = published.map_err(|error| ClusterError::unexpected(error.to_string()))?;
        for (record_kind, loaded) in &self.kinds {
            let meta = Meta {
                format: FORMAT,
                state: Meta::WHOLE.to_owned(),
                dataset: dataset.clone(),
                published: published.as_secs(),
                list_parts: loaded.list_parts,
                facts: loaded.facts.clone(),
            };
            let index = self.options.names.records(self.number, *record_kind);
            call("PUT", &format!("/{index}/_mapping"), json!({"_meta": meta}))?;
        }
        call("PUT", &format!("/{indexes}/_block/write"), json!({}))?;
        Ok(())
    }

    /// Why loading failed.
    fn cause(&self, error: ClusterError) -> ClusterError {
        match self.ensure_not_overtaken() {
            Err(ClusterError::Overtaken) => ClusterError::Overtaken,
            _ => error,
        }
    }

    /// Fails if another build was published since this one began: that build has removed the
    /// indexes of this one, because they can no longer be published.
    fn ensure_not_overtaken(&self) -> Result<(), ClusterError> {
        match open::published(&self.client, &self.options.names)? == self.replaces {
            true => Ok(()),
            false => Err(ClusterError::Overtaken),
        }
    }

    /// Opens what was loaded as a server will open it, and looks records up in it.
    fn check(&self) -> Result<(), ClusterError> {
        let opened =
            OpenSearchBackend::open_number(&self.client, &self.options.names, self.number)?;
        let mut kinds = self.kinds.iter();
        kinds.try_for_each(|(kind, loaded)| loaded.sample.check(&opened, *kind, &loaded.info))
    }
}

impl RecordSink for Loader {
    type Error = ClusterError;

    /// Not checked: a cluster reports when it is full, and an index may be spread over any of its
    /// disks.
    fn require_space(&self, _bytes: u64) -> Result<(), ClusterError> {
        Ok(())
    }

    fn rejects(&self) -> PathBuf {
        let LoadOptions { names, rejects_in, .. } = &self.options;
        rejects_in.join(format!("{}.rejects.csv", names.generation(self.number)))
    }

    fn served(&self) -> Result<Option<ServedRecords>, ClusterError> {
        let names = &self.options.names;
        let Some(number) = self.replaces else { return Ok(None) };
        let meta = open::meta(&self.client, &names.records(number, RecordKind::Release))?;
        let DatasetInfo { kinds, sources, .. } = meta.dataset;
        Ok(Some(ServedRecords { name: names.generation(number), kinds, sources }))
    }

    fn changes(&self) -> PathBuf {
        let LoadOptions { names, rejects_in, .. } = &self.options;
        rejects_in.join(format!("{}.changes.csv", names.generation(self.number)))
    }

    /// The records of a cluster are not read back to be compared.
    fn served_edition(&self) -> Result<Option<Edition<'static, ClusterError>>, ClusterError> {
        Ok(None)
    }

    fn write(&mut self, tables: PerKind<Tables>) -> Result<(), ClusterError> {
        let mut write = |tables| self.write_kind(tables).map_err(|error| self.cause(error));
        write(&tables.releases)?;
        write(&tables.emissions)
    }

    /// Checks what was loaded before both kinds are switched in one call.
    fn publish(mut self, sources: Vec<SourceInfo>) -> Result<Published, ClusterError> {
        let kinds = self.kinds.iter();
        let infos =
            kinds.clone().map(|(kind, loaded)| (kind.name().to_owned(), loaded.info.clone()));
        let identities = kinds.clone().map(|(kind, loaded)| (kind.name(), loaded.identity));
        let build_id = build_id(identities, &sources);
        let kinds = infos.collect();
        let dataset = DatasetInfo { build_id: build_id.clone(), published: None, sources, kinds };
        let done = self.complete(&dataset).and_then(|()| self.check());
        done.map_err(|error| self.cause(error))?;
        let names = self.options.names.clone();
        let bytes = generations::bytes(&self.client, &names.all(self.number).join(","));
        let bytes = bytes.map_err(|error| self.cause(error))?;
        let switched = switch::publish(&self.client, &names, self.number, self.replaces);
        // A call without an answer may still have taken effect, and then the generation is served.
        self.is_kept = switched.as_ref().map_or_else(ClusterError::may_pass, |()| true);
        switched?;
        let removed = generations::remove_outdated(&self.client, &names, self.number);
        let not_removed = removed.err().map(|error| error.to_string());
        Ok(Published { name: names.generation(self.number), build_id, bytes, not_removed })
    }
}

impl Drop for Loader {
    fn drop(&mut self) {
        if self.is_kept {
            return;
        }
        // The served generation is never removed, even if this loader is wrong about its state.
        let served = open::published(&self.client, &self.options.names);
        if served.is_ok_and(|served| served != Some(self.number)) {
            // Whatever cannot be removed now is removed by the next build.
            let _ = generations::remove(&self.client, &self.options.names, self.number);
        }
        // There is no such file if no row was read.
        let _ = fs::remove_file(self.rejects());
    }
}
