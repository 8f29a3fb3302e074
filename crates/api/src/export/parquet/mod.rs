//! Records as a Parquet file: the columns of CSV, exact decimals, years as whole numbers.
//!
//! Rows are gathered in groups. Each page is encoded as it comes, so that a group takes little more
//! memory than its compressed bytes. The file ends with an index of its groups, without which no
//! reader accepts it: a file that breaks off is never mistaken for a whole one.

mod column;

use std::sync::Arc;

use bytes::Bytes;
use outfall_records::Field;
use outfall_request::{RecordsJson, SearchError};
use parquet::basic::{Compression, ZstdLevel};
use parquet::column::writer::{ColumnCloseResult, ColumnWriter, get_column_writer};
use parquet::errors::{ParquetError, Result};
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterPropertiesPtr};
use parquet::file::writer::{SerializedFileWriter, SerializedPageWriter, TrackedWrite};
use parquet::schema::types::{SchemaDescriptor, Type, TypePtr};

use self::column::Column;
use super::cells::cells;
use super::pages::Pages;

/// After how many rows a group ends. Readers like large groups; the memory of an export grows with
/// them.
const GROUP_ROWS: usize = 32_000;
/// After how many rows a page of a column is compressed.
const PAGE_ROWS: usize = 8000;
/// How many bytes are passed on at a time, about as many as a page of the other formats has.
const PIECE: usize = 1 << 20;

/// Passes the file to `take`, piece by piece, until it ends or `take` returns `false`.
///
/// # Errors
/// Those of the backend, and when a record has no exact place in the columns.
pub(super) fn write(
    columns: &[&'static Field],
    mut pages: Pages<'_>,
    mut take: impl FnMut(Vec<u8>) -> bool,
) -> Result<(), SearchError> {
    let encoding = Encoding::of(columns).map_err(broken)?;
    let (schema, properties) = (Arc::clone(&encoding.schema), Arc::clone(&encoding.properties));
    let mut file = SerializedFileWriter::new(Vec::new(), schema, properties).map_err(broken)?;
    while let Some(group) = encoding.group(&mut pages)? {
        append(&mut file, group).map_err(broken)?;
        if !pass_on(file.inner_mut(), &mut take) {
            return Ok(());
        }
    }
    pass_on(&mut file.into_inner().map_err(broken)?, take);
    Ok(())
}

/// Passes on everything that is written so far; `false` if it is no longer wanted.
fn pass_on(written: &mut Vec<u8>, mut take: impl FnMut(Vec<u8>) -> bool) -> bool {
    std::mem::take(written).chunks(PIECE).all(|piece| take(piece.to_vec()))
}

/// Appends the columns of a group to the file.
fn append(file: &mut SerializedFileWriter<Vec<u8>>, group: Vec<EncodedColumn>) -> Result<()> {
    let mut written = file.next_row_group()?;
    for (bytes, metadata) in group {
        written.append_column(&bytes, metadata)?;
    }
    written.close()?;
    Ok(file.flush()?)
}

type EncodedColumn = (Bytes, ColumnCloseResult);

/// How records are encoded.
struct Encoding<'c> {
    columns: &'c [&'static Field],
    schema: TypePtr,
    properties: WriterPropertiesPtr,
}

impl<'c> Encoding<'c> {
    fn of(columns: &'c [&'static Field]) -> Result<Self> {
        // Statistics of each page would only lengthen the index at the end, which is held in
        // memory.
        let mut properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .set_statistics_enabled(EnabledStatistics::Chunk)
            .set_data_page_row_count_limit(PAGE_ROWS)
            .set_offset_index_disabled(true);
        let mut types = Vec::with_capacity(columns.len());
        for field in columns {
            let column = Column::of(field)?;
            types.push(column.schema_type()?);
            let has_dictionary = column.repeats();
            let name = column.name().into();
            properties = properties.set_column_dictionary_enabled(name, has_dictionary);
        }
        let schema = Type::group_type_builder("record").with_fields(types).build()?;
        Ok(Self { columns, schema: Arc::new(schema), properties: Arc::new(properties.build()) })
    }

    /// The next group, made of as many pages as it takes; `None` when there are no more.
    fn group(&self, pages: &mut Pages<'_>) -> Result<Option<Vec<EncodedColumn>>, SearchError> {
        let descriptor = SchemaDescriptor::new(Arc::clone(&self.schema));
        let mut columns: Vec<Column> = self
            .columns
            .iter()
            .map(|field| Column::of(field))
            .collect::<Result<_>>()
            .map_err(broken)?;
        let mut sinks: Vec<_> = columns.iter().map(|_| TrackedWrite::new(Vec::new())).collect();
        let mut writers: Vec<ColumnWriter<'_>> = descriptor
            .columns()
            .iter()
            .zip(&mut sinks)
            .map(|(column, sink)| {
                let pages = Box::new(SerializedPageWriter::new(sink));
                get_column_writer(Arc::clone(column), Arc::clone(&self.properties), pages)
            })
            .collect();
        let mut rows = 0;
        while rows < GROUP_ROWS
            && let Some(records) = pages.next()?
        {
            self.encode(&records, &mut columns, &mut writers).map_err(broken)?;
            rows += records.len();
        }
        if rows == 0 {
            return Ok(None);
        }
        let closed: Vec<ColumnCloseResult> =
            writers.into_iter().map(ColumnWriter::close).collect::<Result<_>>().map_err(broken)?;
        let encoded = sinks.into_iter().zip(closed);
        let encoded = encoded.map(|(sink, metadata)| Ok((sink.into_inner()?.into(), metadata)));
        encoded.collect::<Result<_>>().map(Some).map_err(broken)
    }

    /// Encodes a page, each column by itself.
    fn encode(
        &self,
        records: &RecordsJson,
        columns: &mut [Column],
        writers: &mut [ColumnWriter<'_>],
    ) -> Result<()> {
        for record in records.iter() {
            let cells = cells(record, self.columns)
                .map_err(|error| ParquetError::General(error.to_string()))?;
            for (column, cell) in columns.iter_mut().zip(cells) {
                column.push(cell.get())?;
            }
        }
        columns.iter_mut().zip(writers).try_for_each(|(column, writer)| column.drain_into(writer))
    }
}

fn broken(error: ParquetError) -> SearchError {
    SearchError::Engine(error.to_string())
}
