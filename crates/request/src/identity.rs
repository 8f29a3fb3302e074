//! The identity of the data of an index. It depends on records and sources alone: not on when,
//! where or in how many threads they were read, nor on the files of an engine.

use std::sync::Arc;

use blake3::{Hash, Hasher};
use outfall_records::{
    Category, FacilityId, NaicsCode, Province, RecordTable, ReportingYear, Site, SourceInfo,
    Substance, Tables, push_decimal, push_text, push_varint,
};

/// Bytes to collect before hashing them, so that small records do not cost a call each.
const PIECE: usize = 64 << 10;
/// Distinguishes identities that were made in another way.
const SCHEME: &[u8] = b"outfall records 1";

/// The identity of a dataset, safe inside a quoted `ETag`. The same records of the same sources
/// have the same one, whatever the order and packing of the files.
pub fn build_id<'a>(
    records: impl Iterator<Item = (&'a str, Hash)>,
    sources: &[SourceInfo],
) -> String {
    let mut bytes = Vec::new();
    for (kind, hash) in records {
        push_text(&mut bytes, kind);
        bytes.extend_from_slice(hash.as_bytes());
    }
    let mut contents: Vec<&str> =
        sources.iter().map(|source| source.unpacked_sha256.as_str()).collect();
    contents.sort_unstable();
    contents.iter().for_each(|hash| push_text(&mut bytes, hash));
    blake3::hash(&bytes).to_hex()[..16].to_owned()
}

/// The hash of everything that records are shown with, found by or counted by, in canonical order.
/// It does not depend on how the tables number what records share.
pub fn records_hash(tables: &Tables) -> Hash {
    let mut hasher = Hasher::new();
    hasher.update(SCHEME).update(tables.record_kind().name().as_bytes());
    let sites = hashes(&tables.sites, encode_site);
    let mut bytes = Vec::new();
    match &tables.rows {
        RecordTable::Release { substances, categories, methods, records, .. } => {
            let substances = hashes(substances, encode_substance);
            let categories = hashes(categories, encode_category);
            let methods = hashes(methods, |method, bytes| push_text(bytes, method));
            for (index, row) in records.iter().enumerate() {
                let shared = [&sites[row.site as usize], &substances[usize::from(row.substance)]];
                shared.iter().for_each(|hash| bytes.extend_from_slice(hash.as_bytes()));
                push_year(&mut bytes, row.year);
                bytes.extend([row.medium as u8, row.unit as u8]);
                push_decimal(&mut bytes, row.quantity);
                let parts = tables.parts(index);
                push_varint(&mut bytes, parts.len() as u128);
                for part in parts {
                    let category = &categories[usize::from(part.category)];
                    bytes.extend_from_slice(category.as_bytes());
                    let method = methods.get(usize::from(part.method));
                    optional(&mut bytes, method, |bytes, hash| {
                        bytes.extend_from_slice(hash.as_bytes());
                    });
                    push_decimal(&mut bytes, part.quantity);
                }
                update(&mut hasher, &mut bytes, PIECE);
            }
        }
        RecordTable::Emission { records } => {
            for row in records {
                bytes.extend_from_slice(sites[row.site as usize].as_bytes());
                push_year(&mut bytes, row.year);
                push_decimal(&mut bytes, row.total_co2e);
                for gas in row.gases.values() {
                    optional(&mut bytes, gas, push_decimal);
                }
                update(&mut hasher, &mut bytes, PIECE);
            }
        }
    }
    update(&mut hasher, &mut bytes, 0);
    hasher.finalize()
}

/// Hashes what was encoded so far if it is longer than `longer_than` bytes.
fn update(hasher: &mut Hasher, bytes: &mut Vec<u8>, longer_than: usize) {
    if bytes.len() > longer_than {
        hasher.update(bytes);
        bytes.clear();
    }
}

fn push_year(bytes: &mut Vec<u8>, year: ReportingYear) {
    bytes.extend_from_slice(&u32::from(year.get()).to_le_bytes());
}

/// The hash of each shared item.
fn hashes<T: ?Sized>(shared: &[Arc<T>], encode: impl Fn(&T, &mut Vec<u8>)) -> Vec<Hash> {
    let hash = |shared: &Arc<T>| {
        let mut bytes = Vec::new();
        encode(shared, &mut bytes);
        blake3::hash(&bytes)
    };
    shared.iter().map(hash).collect()
}

fn encode_site(site: &Site, bytes: &mut Vec<u8>) {
    let Site {
        facility_id,
        cross_reference,
        linked_ids,
        facility_name,
        every_name,
        company_name,
        trade_name,
        city,
        province,
        naics_code,
        naics_en,
        naics_fr,
        latitude,
        longitude,
    } = site;
    push_text(bytes, &facility_id.to_string());
    let linked: Vec<String> = linked_ids.iter().map(FacilityId::to_string).collect();
    optional(bytes, cross_reference.as_ref(), |bytes, id| push_text(bytes, &id.to_string()));
    set(bytes, linked.iter().map(String::as_str));
    set(bytes, every_name.iter().map(String::as_str));
    let texts = [facility_name, company_name, trade_name, city, naics_en, naics_fr];
    texts.into_iter().for_each(|text| optional_text(bytes, text.as_deref()));
    optional_text(bytes, province.map(Province::code));
    optional_text(bytes, naics_code.as_ref().map(NaicsCode::as_str));
    for degrees in [latitude, longitude] {
        optional(bytes, *degrees, push_decimal);
    }
}

fn encode_substance(substance: &Substance, bytes: &mut Vec<u8>) {
    let Substance { id, name_en, name_fr, every_name } = substance;
    push_text(bytes, id.as_str());
    optional_text(bytes, name_en.as_deref());
    optional_text(bytes, name_fr.as_deref());
    set(bytes, every_name.iter().map(String::as_str));
}

fn encode_category(category: &Category, bytes: &mut Vec<u8>) {
    let Category { name_en, name_fr } = category;
    optional_text(bytes, name_en.as_deref());
    optional_text(bytes, name_fr.as_deref());
}

/// Encodes texts whose order does not matter.
fn set<'a>(bytes: &mut Vec<u8>, texts: impl Iterator<Item = &'a str>) {
    let mut texts: Vec<&str> = texts.collect();
    texts.sort_unstable();
    push_varint(bytes, texts.len() as u128);
    texts.into_iter().for_each(|text| push_text(bytes, text));
}

fn optional_text(bytes: &mut Vec<u8>, text: Option<&str>) {
    optional(bytes, text, push_text);
}

fn optional<T>(bytes: &mut Vec<u8>, value: Option<T>, encode: impl FnOnce(&mut Vec<u8>, T)) {
    bytes.push(value.is_some().into());
    if let Some(value) = value {
        encode(bytes, value);
    }
}
