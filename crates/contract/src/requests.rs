//! Strategies for records and requests, made from parts of the records made by hand.

use std::collections::BTreeSet;

use outfall_records::text::tokens;
use outfall_records::{
    ABBREVIATIONS, Emission, FacilityKey, Gases, Medium, NaicsBranch, Province, Record, RecordKind,
    ReportingYear, SubstanceId, Unit,
};
use outfall_request::text::{TextQuery, parse};
use outfall_request::{
    Bound, BoxFilter, CityFilter, CompanyFilter, CrossedFacet, Facet, FacetSort, Facets, Filters,
    GivenFilter, MediumFilter, NearFilter, Page, RecordIdFilter, ReportingYears, SearchRequest,
    Sort, SortKey, SortOrder, Start, SubstanceFilter, ValueRange, ValueUnit, YearRange,
};
use proptest::collection::vec;
use proptest::option::weighted;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};

use crate::records::{FACILITIES, SUBSTANCES, all, decimal, release, site_of, substance_of};

/// Quantities that are equal to one another in several units.
const QUANTITIES: [&str; 10] = [
    "0",
    "0.000000000000001",
    "0.0015",
    "0.5",
    "1.5",
    "1500",
    "1500000",
    "2.25",
    "100000",
    "999999999999.123456789012345",
];

/// Up to `count` records of both kinds, in any order, no id twice.
pub(crate) fn records(count: usize) -> impl Strategy<Value = Vec<Record>> {
    let record = (
        select(&FACILITIES[..]),
        2000_u16..2025,
        select(&SUBSTANCES[..]),
        select(&Medium::ALL[..]),
        select(&QUANTITIES[..]),
        select(&Unit::ALL[..]),
    );
    let record = record.prop_map(|(facility, year, substance, medium, quantity, unit)| {
        let (site, quantity) = (site_of(facility), decimal(quantity));
        if !facility.starts_with('G') {
            let substance = substance_of(substance, year);
            return release(site, year, substance, medium, (quantity, unit));
        }
        Record::Emission(Emission {
            site,
            year: ReportingYear::new(year).unwrap(),
            total_co2e: quantity,
            gases: Gases::default(),
        })
    });
    vec(record, 0..=count).prop_map(|mut records| {
        let mut known = BTreeSet::new();
        records.retain(|record| known.insert(record.record_id()));
        records
    })
}

/// A unit of `q`: a word of a record, a phrase of one, or neither.
pub(crate) fn unit() -> impl Strategy<Value = String> {
    let texts: BTreeSet<String> = all()
        .iter()
        .flat_map(|record| record.texts().into_iter().map(|text| text.text.into_owned()))
        .collect();
    let words = texts.iter().flat_map(|text| text.split_whitespace());
    let abbreviations = ABBREVIATIONS.iter().map(|known| known.spelling);
    let words: BTreeSet<String> = words
        .filter(|word| !tokens(word).is_empty())
        .chain(abbreviations)
        .map(str::to_owned)
        .collect();
    let phrase = (select(Vec::from_iter(texts)), 0_usize..3, 1_usize..4);
    let phrase = phrase.prop_filter_map("tokens", |(text, skip, take)| {
        let words: Vec<&str> = text.split_whitespace().skip(skip).take(take).collect();
        let phrase = words.join(" ");
        (!tokens(&phrase).is_empty()).then(|| format!("\"{phrase}\""))
    });
    prop_oneof![
        6 => select(Vec::from_iter(words)),
        2 => phrase,
        1 => "[a-z]{2,5}s?",
    ]
}

/// A `q` of up to three units, few enough never to be too complex.
fn query() -> impl Strategy<Value = String> {
    let piece = (unit(), select(vec!["", "", "", "-", "NOT "]), select(vec![" ", " OR "]));
    vec(piece, 0..4).prop_map(|pieces| {
        let mut q = String::new();
        for (unit, sign, before) in pieces {
            q.push_str(if q.is_empty() { "" } else { before });
            q.push_str(sign);
            q.push_str(&unit);
        }
        q
    })
}

fn substance() -> impl Strategy<Value = SubstanceFilter> {
    let id = select(&SUBSTANCES[..]).prop_map(|id| SubstanceId::parse(id).unwrap());
    let names = SUBSTANCES.map(|id| substance_of(id, 2023).every_name.concat());
    let words = names.iter().flat_map(|name| name.split_whitespace().map(str::to_owned));
    let words = words.filter(|word| !tokens(word).is_empty());
    let abbreviations = ABBREVIATIONS.iter().map(|known| known.spelling.to_owned());
    let words: Vec<String> = words.chain(abbreviations).collect();
    let word = (select(words), select(vec!["", "s", "x"])).prop_map(|(word, end)| word + end);
    prop_oneof![
        id.prop_map(SubstanceFilter::Id),
        vec(word, 1..3).prop_map(|words| SubstanceFilter::words(&words.join(" ")).unwrap()),
    ]
}

fn bound() -> impl Strategy<Value = Bound> {
    let known = select(&QUANTITIES[..]).prop_map(|text| Bound::parse(text).unwrap());
    prop_oneof![
        (known, -6_i32..=6).prop_map(|(bound, power)| bound.shifted(power)),
        "-?[0-9]\\.[0-9]{1,35}(e-?[0-9]{1,2})?".prop_map(|text| Bound::parse(&text).unwrap()),
    ]
}

fn filters() -> impl Strategy<Value = Filters> {
    fn some<T: std::fmt::Debug>(
        probability: f64,
        value: impl Strategy<Value = T>,
    ) -> impl Strategy<Value = Vec<T>> {
        weighted(probability, vec(value, 1..3)).prop_map(Option::unwrap_or_default)
    }
    let facility = select(&FACILITIES[..]).prop_map(FacilityKey::new);
    let city = select(vec!["sarnia", "Québec", "Ste Anne", "Rouyn", "Nowhere"]);
    let city = city.prop_map(|city| CityFilter::new(city).unwrap());
    let company = select(vec!["imperial oil", "Smith & Sons", "limited", "Foy", "gold corp"]);
    let company = company.prop_map(|name| CompanyFilter::new(name).unwrap());
    let naics = select(vec!["324110", "33", "331", "31-33", "21", "3315", "99"]);
    let naics = naics.prop_map(|code| NaicsBranch::parse(code).unwrap());
    let id = select(all()).prop_map(|record| RecordIdFilter(record.record_id()));
    let degrees =
        || select(vec!["42.9575", "-82.3869", "46.77", "-71.3", "45", "-79.0106", "48.4"]);
    let degrees = move || degrees().prop_map(|degrees| Bound::parse(degrees).unwrap());
    let within_km = select(vec!["1e-9", "183.9", "371.9", "500"]);
    let near = (degrees(), degrees(), within_km).prop_map(|(latitude, longitude, within_km)| {
        NearFilter { latitude, longitude, within_km: Bound::parse(within_km).unwrap() }
    });
    let bbox = [degrees(), degrees(), degrees(), degrees()].prop_map(|[a, b, c, d]| {
        let (west, east) = (a.clone().min(b.clone()), a.max(b));
        BoxFilter { west, south: c.clone().min(d.clone()), east, north: c.max(d) }
    });
    let places = (weighted(0.1, near), weighted(0.1, bbox));
    let reporting_years = (1999_u16..2026, 0_u16..4);
    let reporting_years =
        reporting_years.prop_map(|(from, more)| ReportingYears(from..=from + more));
    let years = (weighted(0.2, 1999_u16..2026), weighted(0.2, 1999_u16..2026));
    let values = (weighted(0.15, bound()), weighted(0.15, bound()));
    let lists = (
        some(0.2, select(&Province::ALL[..])),
        some(0.1, city),
        some(0.1, company),
        some(0.15, facility),
        some(0.2, naics),
        some(0.2, substance()),
        some(0.15, select(&Medium::ALL[..]).prop_map(MediumFilter)),
        some(0.03, id),
        some(0.1, reporting_years),
    );
    (lists, places, years, values).prop_map(|(lists, (near, bbox), (from, to), (min, max))| {
        let (
            provinces,
            cities,
            companies,
            facilities,
            naics,
            substances,
            media,
            record_ids,
            reporting_years,
        ) = lists;
        Filters {
            provinces,
            cities,
            companies,
            facilities,
            naics,
            substances,
            media,
            record_ids,
            reporting_years,
            near,
            bbox,
            years: YearRange { from, to },
            values: ValueRange { min, max },
        }
    })
}

/// Some facets of a kind in any order, mostly none.
fn facets(record_kind: RecordKind) -> impl Strategy<Value = Facets> {
    let all: Vec<Facet> = Facet::of(record_kind).collect();
    let wanted = subsequence(all, 0..4).prop_shuffle();
    let crossed = select(CrossedFacet::of(record_kind).collect::<Vec<_>>());
    let sort = select(FacetSort::WORDS.map(|(_, sort)| sort).to_vec());
    let limit = select(vec![0, 1, 2, 20, Facets::MAX_LIMIT, Facets::NO_LIMIT]);
    let facets = (wanted, weighted(0.4, crossed), limit, weighted(0.6, sort));
    let facets =
        facets.prop_map(|(wanted, crossed, limit, sort)| Facets { wanted, crossed, limit, sort });
    weighted(0.4, facets).prop_map(Option::unwrap_or_default)
}

/// A request in the order by value with bounds on it, often with nothing else.
pub(crate) fn bounded_by_value() -> impl Strategy<Value = SearchRequest> {
    let bounds = (weighted(0.7, bound()), weighted(0.7, bound()));
    (thinned(request(), 0.4), bounds).prop_map(|(mut request, (min, max))| {
        request.filters.values = ValueRange { min, max };
        request.sort.by = SortKey::Value;
        request
    })
}

/// Requests that keep their `q`, their filters and their facets, each with probability `kept`.
pub fn thinned(
    requests: impl Strategy<Value = SearchRequest>,
    kept: f64,
) -> impl Strategy<Value = SearchRequest> {
    let is_kept = || proptest::bool::weighted(kept);
    let parts = (requests, is_kept(), is_kept(), is_kept());
    parts.prop_map(|(mut request, keeps_text, keeps_filters, keeps_facets)| {
        if !keeps_text {
            request.text = TextQuery::default();
        }
        if !keeps_filters {
            request.filters = Filters::default();
        }
        if !keeps_facets {
            request.facets = Facets::default();
        }
        request
    })
}

/// Any request that the service takes, except with a cursor.
pub(crate) fn request() -> impl Strategy<Value = SearchRequest> {
    let record_kind = prop_oneof![3 => Just(RecordKind::Release), 1 => Just(RecordKind::Emission)];
    let value_unit = prop_oneof![
        3 => Just(ValueUnit::Reported),
        1 => select(vec![Unit::Tonnes, Unit::Kilograms, Unit::Grams]).prop_map(ValueUnit::Mass),
        1 => Just(ValueUnit::GramsTeq),
    ];
    let by = select(vec![SortKey::Year, SortKey::Value, SortKey::Relevance]);
    let order = select(vec![SortOrder::Asc, SortOrder::Desc]);
    let offset = prop_oneof![3 => Just(0), 2 => 0_u32..20, 1 => 0_u32..=Page::MAX_OFFSET];
    let limit = select(vec![0, 1, 7, 25, 100, 1000]);
    let record_kind =
        record_kind.prop_flat_map(|record_kind| (Just(record_kind), facets(record_kind)));
    let explain = weighted(0.5, vec(filters(), 0..3));
    let page = (offset, limit, explain);
    let parts = (record_kind, query(), filters(), value_unit, (by, order), page);
    parts.prop_map(|((record_kind, facets), q, filters, value_unit, (by, order), page)| {
        let (offset, limit, explain) = page;
        let given =
            |filters| GivenFilter { parameter: "any".to_owned(), value: String::new(), filters };
        let is_release = record_kind == RecordKind::Release;
        let filters = Filters {
            // Refused on emissions, as is `value_unit`.
            substances: if is_release { filters.substances } else { Vec::new() },
            media: if is_release { filters.media } else { Vec::new() },
            ..filters
        };
        SearchRequest {
            text: parse(&q).unwrap(),
            filters,
            value_unit: if is_release { value_unit } else { ValueUnit::Reported },
            sort: Sort { by, order },
            page: Page { start: Start::Offset(offset), limit },
            facets,
            explain: explain.map(|filters| filters.into_iter().map(given).collect()),
            ..SearchRequest::all(record_kind)
        }
    })
}
