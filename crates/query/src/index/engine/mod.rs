//! Writes a tantivy index as files of a generation, and opens it from their bytes.

mod schema;
mod tokenizer;

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;
use tantivy::directory::{Directory, OwnedBytes, RamDirectory};
use tantivy::index::SegmentId;
use tantivy::schema::Schema;
use tantivy::{
    Index, IndexReader, ReloadPolicy, Searcher, SingleSegmentIndexWriter, TantivyDocument,
    TantivyError,
};

use self::schema::analyzers;

pub(crate) use self::schema::text_schema;
pub use self::schema::{TextFields, UnitFields};
pub use self::tokenizer::RecordTokenizer;

/// The engine's description of an index.
const META: &str = "meta.json";
/// The engine's list of the files it wrote.
const MANAGED: &str = ".managed.json";
/// The memory after which tantivy would start another segment. It never does here, so this only
/// decides the initial size of its table of terms: a megabyte, enough for most indexes.
const MEMORY_BUDGET: usize = 4 << 20;
/// Replaces the random name of the one segment, so that the same records give the same files.
const SEGMENT: &str = "00000000000000000000000000000001";

/// Writes an index of one segment, which numbers documents in the order of [`EngineWriter::add`].
pub(crate) struct EngineWriter {
    writer: SingleSegmentIndexWriter,
    files: RamDirectory,
}

impl EngineWriter {
    pub(crate) fn new(schema: Schema) -> Result<Self, TantivyError> {
        let files = RamDirectory::create();
        let builder = Index::builder().schema(schema).tokenizers(analyzers());
        let writer = builder.single_segment_index_writer(files.clone(), MEMORY_BUDGET)?;
        Ok(Self { writer, files })
    }

    pub(crate) fn add(&mut self, document: TantivyDocument) -> Result<(), TantivyError> {
        self.writer.add_document(document)
    }

    /// The files of the finished index, by name.
    pub(crate) fn finish(self) -> Result<BTreeMap<String, Vec<u8>>, TantivyError> {
        let written = self.files;
        let read = |name: &str| match written.open_read(Path::new(name)) {
            Ok(file) => Ok(file.read_bytes()?.as_slice().to_vec()),
            Err(error) => Err(TantivyError::from(error)),
        };
        let index = self.writer.finalize()?;
        let segment = index.searchable_segment_ids()?.first().map(SegmentId::uuid_string);
        let segment = segment.ok_or_else(|| {
            TantivyError::SystemError("the index that was written has no segment".to_owned())
        })?;
        let managed: Vec<String> = serde_json::from_slice(&read(MANAGED)?)?;
        let mut files = BTreeMap::new();
        for name in managed.into_iter().filter(|name| name != META) {
            files.insert(name.replace(&segment, SEGMENT), read(&name)?);
        }
        let meta: Value = serde_json::from_slice(&read(META)?)?;
        let meta = meta.to_string().replace(&hyphened(&segment), &hyphened(SEGMENT));
        files.insert(META.to_owned(), meta.into_bytes());
        Ok(files)
    }
}

/// A segment's name, 32 digits, as the engine's own description of an index has it.
fn hyphened(name: &str) -> String {
    [0..8, 8..12, 12..16, 16..20, 20..32].map(|part| &name[part]).join("-")
}

/// Opens an index from the bytes of its files.
pub(crate) fn open(
    files: BTreeMap<String, OwnedBytes>,
    schema: &Schema,
) -> Result<Searcher, TantivyError> {
    // In memory, tantivy meets neither the faults of memory maps (a file truncated under the server
    // kills it) nor a read-only mount, where its reader would want to write a lock.
    let directory = RamDirectory::create();
    for (name, bytes) in files {
        directory.atomic_write(Path::new(&name), &bytes)?;
    }
    let index = Index::open(directory)?;
    if index.schema() != *schema {
        return Err(TantivyError::SchemaError("the index has another schema".to_owned()));
    }
    // The files never change, so nothing has to watch them.
    let reader: IndexReader =
        index.reader_builder().reload_policy(ReloadPolicy::Manual).try_into()?;
    Ok(reader.searcher())
}
