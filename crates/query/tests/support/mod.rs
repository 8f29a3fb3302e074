//! Both backends over the same files, and requests made from the contents of the files.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on fails")]

mod regions;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use outfall_contract::thinned;
use outfall_indexer::{BuildOptions, Silent};
use outfall_query::{EmbeddedBackend, Staging};
use outfall_records::{
    Decimal, FacilityKey, Medium, NaicsBranch, Province, Record, RecordKind, Unit,
};
use outfall_request::text::parse;
use outfall_request::{
    Bound, BoxFilter, CityFilter, CompanyFilter, CrossedFacet, Facet, FacetSort, Facets, Filters,
    MediumFilter, NearFilter, Page, RecordIdFilter, ReferenceBackend, ReportingYears,
    SearchBackend, SearchPage, SearchRequest, Sort, SortKey, SortOrder, Start, SubstanceFilter,
    ValueRange, ValueUnit, YearRange,
};
use proptest::prelude::*;
use proptest::sample::{select, subsequence};

/// Both backends, and the vocabulary of the records that they hold.
pub(crate) struct Corpus {
    pub(crate) reference: ReferenceBackend,
    pub(crate) embedded: EmbeddedBackend,
    pub(crate) releases: Vocabulary,
    pub(crate) emissions: Vocabulary,
    _data: tempfile::TempDir,
}

/// The words and values that make up requests about one kind of record.
#[derive(Clone, Debug)]
pub(crate) struct Vocabulary {
    record_kind: RecordKind,
    texts: Vec<String>,
    words: Vec<String>,
    cities: Vec<CityFilter>,
    companies: Vec<CompanyFilter>,
    places: Vec<(Decimal, Decimal)>,
    facilities: Vec<FacilityKey>,
    naics: Vec<NaicsBranch>,
    substances: Vec<SubstanceFilter>,
    record_ids: Vec<RecordIdFilter>,
    values: Vec<Decimal>,
}

impl Corpus {
    /// Builds an index from the committed sample, or from the folder that `OUTFALL_CORPUS` names.
    pub(crate) fn open() -> Self {
        let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures");
        let folder = std::env::var_os("OUTFALL_CORPUS").map_or(fixtures, PathBuf::from);
        let files = csv_files(&folder);
        assert!(!files.is_empty(), "no files in `{}`", folder.display());
        let options = BuildOptions::of_files(files);
        let data = tempfile::tempdir().unwrap();
        outfall_indexer::build(&options, Staging::begin(data.path()).unwrap(), &Silent).unwrap();
        let dataset = outfall_indexer::read(&options, &Silent).unwrap();
        let all = || dataset.tables.releases.records().chain(dataset.tables.emissions.records());
        let embedded = EmbeddedBackend::open(data.path()).unwrap();
        Self {
            reference: ReferenceBackend::new(all(), embedded.dataset().clone()),
            embedded,
            releases: Vocabulary::of(RecordKind::Release, all()),
            emissions: Vocabulary::of(RecordKind::Emission, all()),
            _data: data,
        }
    }

    /// The answer of both backends, which must be the same.
    pub(crate) fn agreed(&self, request: &SearchRequest) -> SearchPage {
        let expected = self.reference.search(request).unwrap();
        let found = self.embedded.search(request).unwrap();
        let ids = |page: &SearchPage| page.records.iter().map(record_id).collect::<Vec<_>>();
        assert_eq!(found.total, expected.total, "{request:?}");
        assert_eq!(ids(&found), ids(&expected), "{request:?}");
        assert_eq!(found, expected, "{request:?}");
        found
    }
}

/// The files below a folder that the indexer would read.
fn csv_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        match name.as_str() {
            "src" | "tests" | "examples" | "cases" => {}
            _ if path.is_dir() => files.extend(csv_files(&path)),
            _ if name.ends_with(".csv") => files.push(path),
            _ => {}
        }
    }
    files.sort();
    files
}

fn record_id(json: &[u8]) -> String {
    let record: serde_json::Value = serde_json::from_slice(json).unwrap();
    record["record_id"].as_str().unwrap().to_owned()
}

impl Vocabulary {
    fn of(record_kind: RecordKind, records: impl Iterator<Item = Record>) -> Self {
        let mut texts = BTreeSet::new();
        let mut facilities = BTreeSet::new();
        let mut cities = BTreeSet::new();
        let mut companies = BTreeSet::new();
        let mut places = BTreeSet::new();
        let mut naics = BTreeSet::new();
        let mut substances: Vec<SubstanceFilter> = Vec::new();
        let mut record_ids = Vec::new();
        let mut values = BTreeSet::new();
        for record in records.filter(|record| record.record_kind() == record_kind) {
            texts.extend(record.texts().into_iter().map(|text| text.text.into_owned()));
            places.extend(record.site().latitude.zip(record.site().longitude));
            cities.extend(record.site().city.clone());
            for name in record.site().company_names() {
                let words: Vec<&str> = name.split_whitespace().collect();
                let parts = (0..words.len()).map(|first| words[first..].join(" "));
                companies.extend(parts);
            }
            facilities.extend(record.site().facility_keys());
            if let Some(code) = &record.site().naics_code {
                let prefixes = (2..=code.as_str().len()).map(|end| &code.as_str()[..end]);
                naics.extend(prefixes.map(|prefix| NaicsBranch::parse(prefix).unwrap()));
            }
            if let Some(substance) = record.substance() {
                substances.push(SubstanceFilter::Id(substance.id.clone()));
                let name = substance.name_en.as_deref().unwrap_or_default();
                let words: Vec<&str> = name.split_whitespace().take(2).collect();
                substances.extend(SubstanceFilter::words(&words.join(" ")));
            }
            record_ids.push(RecordIdFilter(record.record_id()));
            values.insert(record.value());
        }
        substances.dedup();
        let words = texts.iter().flat_map(|text| text.split_whitespace());
        let words: BTreeSet<String> = words.map(str::to_owned).collect();
        Self {
            record_kind,
            words: words.into_iter().collect(),
            texts: texts.into_iter().collect(),
            cities: cities.iter().filter_map(|city| CityFilter::new(city)).collect(),
            companies: companies.iter().filter_map(|name| CompanyFilter::new(name)).collect(),
            places: places.into_iter().collect(),
            facilities: facilities.into_iter().collect(),
            naics: naics.into_iter().collect(),
            substances,
            record_ids,
            values: values.into_iter().collect(),
        }
    }

    /// Bounds that leave out one distinct value in `share` at each end.
    pub(crate) fn values_without_ends(&self, share: usize) -> ValueRange {
        let cut = self.values.len() / share;
        let bound = |place: usize| Some(Bound::from(self.values[place]));
        ValueRange { min: bound(cut), max: bound(self.values.len() - 1 - cut) }
    }

    /// A unit of `q`: a word, or some neighbouring words of one text as a phrase.
    fn unit(&self) -> impl Strategy<Value = String> + use<> {
        let phrase = (select(self.texts.clone()), 0_usize..4, 1_usize..4);
        prop_oneof![
            8 => select(self.words.clone()).prop_map(|word| word.replace('"', "")),
            1 => "[a-zéà0-9]{1,6}".boxed(),
            3 => phrase.prop_map(|(text, skip, take)| {
                let words = text.split_whitespace().skip(skip).take(take);
                format!("\"{}\"", words.collect::<Vec<_>>().join(" ").replace('"', ""))
            }),
        ]
    }

    /// A `q` of a few units, some excluded, some alternatives.
    fn query(&self) -> impl Strategy<Value = String> + use<> {
        let unit = (self.unit(), prop::bool::weighted(0.15), prop::bool::weighted(0.4));
        proptest::collection::vec(unit, 1..5).prop_map(|units| {
            let mut query = String::new();
            for (place, (unit, is_excluded, is_alternative)) in units.into_iter().enumerate() {
                query.push_str(match (place, is_alternative) {
                    (0, _) => "",
                    (_, true) => " OR ",
                    (_, false) => " ",
                });
                query.push_str(if is_excluded { "-" } else { "" });
                query.push_str(&unit);
            }
            query
        })
    }

    fn filters(&self) -> impl Strategy<Value = Filters> + use<> {
        fn some<T: Clone + std::fmt::Debug + 'static>(
            weight: f64,
            values: &[T],
        ) -> BoxedStrategy<Vec<T>> {
            if values.is_empty() {
                return Just(Vec::new()).boxed();
            }
            let values = proptest::collection::vec(select(values.to_vec()), 1..4);
            proptest::option::weighted(weight, values).prop_map(Option::unwrap_or_default).boxed()
        }
        let year = || proptest::option::weighted(0.25, 1992_u16..2027);
        let bound = || {
            let value = select(self.values.clone()).prop_map(|value| value.to_string());
            let any = prop_oneof![4 => value, 1 => "[0-9]{1,4}(\\.[0-9])?(e-?[0-3])?"];
            proptest::option::weighted(
                0.15,
                any.prop_filter_map("grammar", |text| Bound::parse(&text).ok()),
            )
        };
        let media = match self.record_kind.has_substances() {
            true => some(0.1, &Medium::ALL.map(MediumFilter)),
            false => Just(Vec::new()).boxed(),
        };
        let reporting_years = (1992_u16..2027, 0_u16..6);
        let reporting_years =
            reporting_years.prop_map(|(first, more)| ReportingYears(first..=first + more));
        let reporting_years = proptest::collection::vec(reporting_years, 1..4);
        let reporting_years =
            proptest::option::weighted(0.1, reporting_years).prop_map(Option::unwrap_or_default);
        let place = || select(self.places.clone());
        let within_km = select(vec!["0.5", "10", "47.5", "250", "500"]);
        let near = (place(), within_km).prop_map(|((latitude, longitude), within_km)| NearFilter {
            latitude: latitude.into(),
            longitude: longitude.into(),
            within_km: Bound::parse(within_km).unwrap(),
        });
        // Edges are coordinates of facilities, so that some are on them.
        let bbox = (place(), place()).prop_map(|(a, b)| BoxFilter {
            west: a.1.min(b.1).into(),
            south: a.0.min(b.0).into(),
            east: a.1.max(b.1).into(),
            north: a.0.max(b.0).into(),
        });
        let near = proptest::option::weighted(0.1, near);
        let bbox = proptest::option::weighted(0.1, bbox);
        let own = (
            media,
            some(0.1, &self.cities),
            some(0.1, &self.companies),
            reporting_years,
            (near, bbox),
        );
        let own = own.prop_map(|(media, cities, companies, reporting_years, (near, bbox))| {
            Filters { media, cities, companies, reporting_years, near, bbox, ..Filters::default() }
        });
        let lists = (
            some(0.1, &self.facilities),
            some(0.2, &self.naics),
            some(0.2, &self.substances),
            some(0.05, &self.record_ids),
        );
        (
            own,
            subsequence(Province::ALL.to_vec(), 0..3),
            prop::bool::weighted(0.3),
            lists,
            (year(), year()),
            (bound(), bound()),
        )
            .prop_map(|(own, provinces, by_province, lists, years, values)| {
                let (facilities, naics, substances, record_ids) = lists;
                Filters {
                    provinces: if by_province { provinces } else { Vec::new() },
                    facilities,
                    naics,
                    substances,
                    record_ids,
                    years: YearRange { from: years.0, to: years.1 },
                    values: ValueRange { min: values.0, max: values.1 },
                    ..own
                }
            })
    }

    /// A request sorted by value within bounds, often with nothing else.
    pub(crate) fn bounded_by_value(&self) -> impl Strategy<Value = SearchRequest> + use<> {
        let value = || select(self.values.clone()).prop_map(Bound::from);
        let bounds =
            (proptest::option::weighted(0.7, value()), proptest::option::weighted(0.7, value()));
        (thinned(self.request(), 0.3), bounds).prop_map(|(mut request, (min, max))| {
            // Mostly the right way round, so that some values lie between them.
            let (min, max) = match (min, max) {
                (Some(min), Some(max)) if request.page.limit > 1 => {
                    (Some(min.clone().min(max.clone())), Some(min.max(max)))
                }
                bounds => bounds,
            };
            request.filters.values = ValueRange { min, max };
            request.sort.by = SortKey::Value;
            request
        })
    }

    /// Any request that the service could receive.
    pub(crate) fn request(&self) -> impl Strategy<Value = SearchRequest> + use<> {
        let record_kind = self.record_kind;
        let query = proptest::option::weighted(0.7, self.query());
        let unit = prop_oneof![
            4 => Just(ValueUnit::Reported),
            1 => Just(ValueUnit::Mass(Unit::Tonnes)),
            1 => Just(ValueUnit::Mass(Unit::Kilograms)),
            1 => Just(ValueUnit::Mass(Unit::Grams)),
            1 => Just(ValueUnit::GramsTeq),
        ];
        let by = select(vec![SortKey::Year, SortKey::Value, SortKey::Relevance]);
        let order = select(vec![SortOrder::Asc, SortOrder::Desc]);
        let offset = prop_oneof![3 => Just(0), 2 => 0_u32..40, 1 => 0_u32..6000];
        let limit = select(vec![0, 1, 7, 25, 100, 1000]);
        let page = (offset, limit);
        (query, self.filters(), unit, by, order, page, facets(record_kind)).prop_filter_map(
            "q is too complex",
            move |(query, filters, unit, by, order, (offset, limit), facets)| {
                Some(SearchRequest {
                    text: parse(&query.unwrap_or_default()).ok()?,
                    filters,
                    value_unit: if record_kind == RecordKind::Release {
                        unit
                    } else {
                        ValueUnit::Reported
                    },
                    sort: Sort { by, order },
                    page: Page { start: Start::Offset(offset), limit },
                    facets,
                    ..SearchRequest::all(record_kind)
                })
            },
        )
    }
}

/// Some facets of a kind of record, in any order; mostly none.
fn facets(record_kind: RecordKind) -> impl Strategy<Value = Facets> {
    let all: Vec<Facet> = Facet::of(record_kind).collect();
    let wanted = subsequence(all, 0..4).prop_shuffle();
    let crossed = select(CrossedFacet::of(record_kind).collect::<Vec<_>>());
    let sort = select(FacetSort::WORDS.map(|(_, sort)| sort).to_vec());
    let limit = select(vec![0, 1, 2, 20, Facets::MAX_LIMIT, Facets::NO_LIMIT]);
    let facets = (
        wanted,
        proptest::option::weighted(0.4, crossed),
        limit,
        proptest::option::weighted(0.6, sort),
    );
    let facets =
        facets.prop_map(|(wanted, crossed, limit, sort)| Facets { wanted, crossed, limit, sort });
    proptest::option::weighted(0.4, facets).prop_map(Option::unwrap_or_default)
}
