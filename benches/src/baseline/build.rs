//! Builds the index of one kind of record, and searches it with the engine's stock collectors.

use outfall_query::{RecordTokenizer, ValueMeasure};
use outfall_records::Tables;
use outfall_request::{FacetTables, SearchRequest, SortKey, SortOrder};
use tantivy::collector::sort_key::SortByStaticFastValue;
use tantivy::collector::{Count, DocSetCollector, TopDocs};
use tantivy::directory::RamDirectory;
use tantivy::query::Query;
use tantivy::tokenizer::TokenizerManager;
use tantivy::{
    DocAddress, Index, IndexSettings, IndexWriter, Order, ReloadPolicy, Searcher, TantivyError,
};

use super::documents::{StoredRecord, document};
use super::facets::FacetColumns;
use super::fields::{CLASSES, Fields, TOKENS, VALUES, schema, value_name};
use super::places::DistinctPlaces;
use super::values::DistinctValues;

/// The bytes that a writer holds, over all its threads, before it starts another segment.
const MEMORY_BUDGET: usize = 100 << 20;

/// How documents are divided into segments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Segments {
    /// Several, in no order, as the engine's own writer leaves them.
    Several,
    /// One, in canonical order: the best that the plain way can do.
    One,
}

/// The index of one kind of record.
pub struct PlainIndex {
    searcher: Searcher,
    directory: RamDirectory,
    pub(crate) fields: Fields,
    values: [DistinctValues; VALUES.len()],
    places: DistinctPlaces,
    segments: Segments,
    facets: Option<FacetColumns>,
}

impl std::fmt::Debug for PlainIndex {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("PlainIndex").field("segments", &self.segments).finish()
    }
}

impl PlainIndex {
    pub(crate) fn build(tables: &Tables, segments: Segments) -> anyhow::Result<Self> {
        let (schema, fields) = schema();
        let values = VALUES.map(|compared| DistinctValues::of(tables, compared));
        let places = DistinctPlaces::of(tables);
        let ranks = id_ranks(tables);
        let documents = tables.records().zip((0..).zip(ranks));
        let mut documents =
            documents.map(|(record, places)| document(&fields, &values, &record, places));
        let directory = RamDirectory::create();
        let analyzers = TokenizerManager::default();
        analyzers.register(TOKENS, RecordTokenizer::Tokens);
        analyzers.register(CLASSES, RecordTokenizer::Classes);
        let builder = Index::builder()
            .schema(schema)
            .tokenizers(analyzers)
            .settings(IndexSettings::default());
        let index = match segments {
            Segments::Several => {
                let index = builder.open_or_create(directory.clone())?;
                let mut writer: IndexWriter = index.writer(MEMORY_BUDGET)?;
                documents.try_for_each(|document| {
                    writer.add_document(document?).map(drop).map_err(anyhow::Error::from)
                })?;
                writer.commit()?;
                writer.wait_merging_threads()?;
                index
            }
            Segments::One => {
                let mut writer =
                    builder.single_segment_index_writer(directory.clone(), MEMORY_BUDGET)?;
                documents.try_for_each(|document| {
                    writer.add_document(document?).map_err(anyhow::Error::from)
                })?;
                writer.finalize()?
            }
        };
        let reader = index.reader_builder().reload_policy(ReloadPolicy::Manual).try_into()?;
        let searcher = reader.searcher();
        Ok(Self { searcher, directory, fields, values, places, segments, facets: None })
    }

    pub(crate) fn count_facets(&mut self, tables: &Tables) {
        self.facets = Some(FacetColumns::of(tables));
    }

    /// The facet tables that a request asks for.
    pub(crate) fn facets(
        &self,
        query: &dyn Query,
        request: &SearchRequest,
    ) -> Result<FacetTables, TantivyError> {
        if request.facets.is_empty() {
            return Ok(FacetTables::default());
        }
        let Some(columns) = &self.facets else {
            return Err(TantivyError::InvalidArgument("no facets were counted".to_owned()));
        };
        let segments = self.searcher.segment_readers().iter();
        let places = segments.map(|segment| segment.fast_fields().u64("place"));
        let places = places.collect::<Result<Vec<_>, _>>()?;
        let matches = self.searcher.search(query, &DocSetCollector)?.into_iter();
        let matches = matches
            .filter_map(|address| places[address.segment_ord as usize].first(address.doc_id));
        let matches: Vec<u64> = matches.collect();
        Ok(columns.tables(request, &matches))
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.directory.total_mem_usage() as u64
    }

    pub(crate) const fn searcher(&self) -> &Searcher {
        &self.searcher
    }

    pub(crate) const fn places(&self) -> &DistinctPlaces {
        &self.places
    }

    pub(crate) const fn values(&self, compared: ValueMeasure) -> &DistinctValues {
        &self.values[compared as usize]
    }

    /// The count of all matches, and the addresses of those on the page.
    pub(crate) fn top(
        &self,
        query: &dyn Query,
        request: &SearchRequest,
        offset: u64,
    ) -> Result<(u64, Vec<DocAddress>), TantivyError> {
        if request.page.limit == 0 {
            return Ok((self.searcher.search(query, &Count)? as u64, Vec::new()));
        }
        let top = TopDocs::with_limit(request.page.limit as usize).and_offset(offset as usize);
        let fast = |name: &str| SortByStaticFastValue::<u64>::for_field(name);
        let order = match request.sort.order {
            SortOrder::Asc => Order::Asc,
            SortOrder::Desc => Order::Desc,
        };
        let compared = super::compared(request.value_unit);
        let (addresses, count) = match (request.sort.by, self.segments) {
            // Ties are broken by the number of the document, which is the canonical order.
            (SortKey::Year, Segments::One) => {
                let collectors = (top.order_by_fast_field::<u64>("year", order), Count);
                let (top, count) = self.searcher.search(query, &collectors)?;
                (top.into_iter().map(|(_, address)| address).collect(), count)
            }
            (by, _) => {
                let key = if by == SortKey::Year { "year" } else { value_name(compared) };
                let by = ((fast(key), order), (fast("id_rank"), Order::Asc));
                let (top, count) = self.searcher.search(query, &(top.order_by(by), Count))?;
                (top.into_iter().map(|(_, address)| address).collect(), count)
            }
        };
        Ok((count as u64, addresses))
    }

    pub(crate) fn stored(&self, address: DocAddress) -> Result<StoredRecord, TantivyError> {
        Ok(StoredRecord::read(&self.searcher.doc(address)?, &self.fields))
    }

    pub(crate) fn fast(
        &self,
        address: DocAddress,
        name: &str,
    ) -> Result<Option<u64>, TantivyError> {
        let segment = self.searcher.segment_reader(address.segment_ord);
        Ok(segment.fast_fields().u64(name)?.first(address.doc_id))
    }
}

/// The place of each record's id in byte order.
fn id_ranks(tables: &Tables) -> Vec<u64> {
    let ids: Vec<String> = tables.records().map(|record| record.record_id()).collect();
    let mut order: Vec<usize> = (0..ids.len()).collect();
    order.sort_unstable_by(|a, b| ids[*a].cmp(&ids[*b]));
    let mut ranks = vec![0; ids.len()];
    for (rank, index) in order.into_iter().enumerate() {
        ranks[index] = rank as u64;
    }
    ranks
}
