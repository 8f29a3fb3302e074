//! The corpora that benches run on, and the requests that they time.
//!
//! `OUTFALL_BENCH_ROWS` sets the number of rows of releases; 120 000 by default.

use std::path::PathBuf;

use outfall_fixtures::{GHGRP, LOCATIONS, RELEASES, Shape, write_corpus};
use outfall_indexer::{BuildOptions, Silent};
use outfall_query::embedded::EmbeddedBackend;
use outfall_query::text::parse;
use outfall_query::{
    Bound, Facet, Facets, Page, ReferenceBackend, SearchBackend, SearchRequest, Sort, SortKey,
    SortOrder, Start, ValueUnit,
};
use outfall_records::{DatasetInfo, Entity, NaicsBranch, Province, Unit};
use tempfile::TempDir;

/// A corpus on disk, removed when it is dropped.
#[derive(Debug)]
pub struct Corpus {
    dir: TempDir,
}

impl Corpus {
    /// A corpus of as many rows as the environment asks for.
    ///
    /// # Panics
    /// When the file system refuses.
    #[must_use]
    pub fn generate() -> Self {
        let rows = std::env::var("OUTFALL_BENCH_ROWS").ok().and_then(|rows| rows.parse().ok());
        #[expect(clippy::expect_used, reason = "a bench without its corpus has nothing to time")]
        let dir = tempfile::tempdir().expect("a temporary folder");
        #[expect(clippy::expect_used, reason = "as above")]
        write_corpus(dir.path(), &Shape::sized(rows.unwrap_or(120_000), 1)).expect("the corpus");
        Self { dir }
    }

    /// The files to build from.
    #[must_use]
    pub fn options(&self) -> BuildOptions {
        let files = [RELEASES, LOCATIONS, GHGRP].map(|path| self.dir.path().join(path));
        BuildOptions::of_files(files)
    }

    /// The bytes of the files.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        let files = self.options().files;
        files.iter().filter_map(|file| file.path.metadata().ok()).map(|it| it.len()).sum()
    }

    /// A data directory beside the files.
    #[must_use]
    pub fn data(&self) -> PathBuf {
        self.dir.path().join("data")
    }

    /// The embedded backend over the corpus, after it was found to agree with the reference on
    /// every request that is timed.
    ///
    /// # Panics
    /// When the corpus cannot be built, or the backends differ.
    #[must_use]
    pub fn backend(&self) -> EmbeddedBackend {
        #[expect(clippy::expect_used, reason = "as above")]
        let dataset = outfall_indexer::read(&self.options(), &Silent).expect("the records");
        #[expect(clippy::expect_used, reason = "as above")]
        outfall_indexer::build(&self.options(), &self.data(), &Silent).expect("the index");
        #[expect(clippy::expect_used, reason = "as above")]
        let backend = EmbeddedBackend::open(&self.data()).expect("the index");
        let records = dataset.releases.records().chain(dataset.emissions.records());
        let reference = ReferenceBackend::new(records, DatasetInfo::default());
        for (name, request) in requests().into_iter().chain(requests_with_facets()) {
            let (found, expected) =
                (backend.search(&request).ok(), reference.search(&request).ok());
            assert_eq!(found, expected, "{name}");
        }
        backend
    }
}

/// Every class of request, by name.
#[must_use]
pub fn requests() -> Vec<(&'static str, SearchRequest)> {
    let text = |q: &str| SearchRequest {
        text: parse(q).unwrap_or_default(),
        ..SearchRequest::all(Entity::Release)
    };
    let with = |change: &dyn Fn(&mut SearchRequest)| {
        let mut request = SearchRequest::all(Entity::Release);
        change(&mut request);
        request
    };
    let by_value = |order| Sort { by: SortKey::Value, order };
    vec![
        ("all", text("")),
        ("word-common", text("alberta")),
        ("word-rare", text("vermeil")),
        ("and", text("river stack mercury")),
        ("or", text("benzene OR toluene OR xylene")),
        ("phrase", text("\"sulphur dioxide\"")),
        ("phrase-broad", text("\"gas extraction\"")),
        ("negation", text("-air")),
        ("province", with(&|it| it.filters.provinces = vec![Province::On, Province::Qc])),
        ("naics", with(&|it| it.filters.naics = NaicsBranch::parse("31-33").into_iter().collect())),
        ("years", with(&|it| it.filters.years.from = Some(2015))),
        ("oldest-first", with(&|it| it.sort.order = SortOrder::Asc)),
        ("by-value", with(&|it| it.sort = by_value(SortOrder::Desc))),
        (
            "by-mass",
            with(&|it| {
                it.sort = by_value(SortOrder::Desc);
                it.value_unit = ValueUnit::Mass(Unit::Tonnes);
            }),
        ),
        (
            "value-range",
            with(&|it| {
                it.filters.values.min = Bound::parse("10").ok();
                it.filters.values.max = Bound::parse("1000").ok();
                it.value_unit = ValueUnit::Mass(Unit::Tonnes);
            }),
        ),
        ("deep-offset", with(&|it| it.page = Page { start: Start::Offset(50_000), limit: 25 })),
        ("emission", SearchRequest::all(Entity::Emission)),
    ]
}

/// The same requests, each with the four facets of a dashboard: a chart of places, of
/// years, of substances and a list of facilities.
#[must_use]
pub fn requests_with_facets() -> Vec<(&'static str, SearchRequest)> {
    let facets = |entity| {
        let wanted = [Facet::Province, Facet::Year, Facet::Substance, Facet::Facility];
        let wanted = Facet::of(entity).filter(|facet| wanted.contains(facet)).collect();
        Facets { wanted, ..Facets::default() }
    };
    let with = |(name, mut request): (&'static str, SearchRequest)| {
        request.facets = facets(request.entity);
        (name, request)
    };
    requests().into_iter().map(with).collect()
}
