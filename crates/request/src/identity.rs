//! The identity of the data of an index. It depends on records and sources alone: not on when,
//! where or in how many threads they were read, nor on the files of an engine.

use std::sync::Arc;

use blake3::{Hash, Hasher};
use outfall_records::{
    Category, Decimal, FacilityId, NaicsCode, Province, RecordTable, Site, SourceInfo, Substance,
    Tables, push_decimal, push_varint,
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
    let mut encoder = Encoder::default();
    for (kind, hash) in records {
        encoder.text(kind);
        encoder.bytes.extend_from_slice(hash.as_bytes());
    }
    let mut contents: Vec<&str> =
        sources.iter().map(|source| source.unpacked_sha256.as_str()).collect();
    contents.sort_unstable();
    contents.iter().for_each(|hash| encoder.text(hash));
    blake3::hash(&encoder.bytes).to_hex()[..16].to_owned()
}

/// The hash of everything that records are shown with, found by or counted by, in canonical order.
/// It does not depend on how the tables number what records share.
pub fn records_hash(tables: &Tables) -> Hash {
    let mut hasher = Hasher::new();
    hasher.update(SCHEME).update(tables.record_kind().name().as_bytes());
    let sites = hashes(&tables.sites, encode_site);
    let mut encoder = Encoder::default();
    match &tables.rows {
        RecordTable::Release { substances, categories, methods, records, .. } => {
            let substances = hashes(substances, encode_substance);
            let categories = hashes(categories, encode_category);
            let methods = hashes(methods, |method, encoder| encoder.text(method));
            for (index, row) in records.iter().enumerate() {
                let shared = [&sites[row.site as usize], &substances[usize::from(row.substance)]];
                shared.iter().for_each(|hash| encoder.bytes.extend_from_slice(hash.as_bytes()));
                encoder.u32(row.year.get().into());
                encoder.u8(row.medium as u8);
                encoder.u8(row.unit as u8);
                encoder.decimal(row.quantity);
                let parts = tables.parts(index);
                encoder.len(parts.len());
                for part in parts {
                    let category = &categories[usize::from(part.category)];
                    encoder.bytes.extend_from_slice(category.as_bytes());
                    let method = methods.get(usize::from(part.method));
                    optional(&mut encoder, method, |encoder, hash| {
                        encoder.bytes.extend_from_slice(hash.as_bytes());
                    });
                    encoder.decimal(part.quantity);
                }
                update(&mut hasher, &mut encoder, PIECE);
            }
        }
        RecordTable::Emission { records } => {
            for row in records {
                encoder.bytes.extend_from_slice(sites[row.site as usize].as_bytes());
                encoder.u32(row.year.get().into());
                encoder.decimal(row.total_co2e);
                for gas in row.gases.values() {
                    optional(&mut encoder, gas, Encoder::decimal);
                }
                update(&mut hasher, &mut encoder, PIECE);
            }
        }
    }
    update(&mut hasher, &mut encoder, 0);
    hasher.finalize()
}

/// Hashes what was encoded so far if it is longer than `longer_than` bytes.
fn update(hasher: &mut Hasher, encoder: &mut Encoder, longer_than: usize) {
    if encoder.bytes.len() > longer_than {
        hasher.update(&encoder.bytes);
        encoder.bytes.clear();
    }
}

/// Collects what is hashed.
#[derive(Default)]
struct Encoder {
    bytes: Vec<u8>,
}

impl Encoder {
    fn u8(&mut self, value: u8) {
        self.bytes.push(value);
    }

    fn u32(&mut self, value: u32) {
        self.bytes.extend_from_slice(&value.to_le_bytes());
    }

    fn len(&mut self, value: usize) {
        push_varint(&mut self.bytes, value as u128);
    }

    fn decimal(&mut self, value: Decimal) {
        push_decimal(&mut self.bytes, value);
    }

    fn text(&mut self, text: &str) {
        self.len(text.len());
        self.bytes.extend_from_slice(text.as_bytes());
    }
}

/// The hash of each shared item.
fn hashes<T: ?Sized>(shared: &[Arc<T>], encode: impl Fn(&T, &mut Encoder)) -> Vec<Hash> {
    let hash = |shared: &Arc<T>| {
        let mut encoder = Encoder::default();
        encode(shared, &mut encoder);
        blake3::hash(&encoder.bytes)
    };
    shared.iter().map(hash).collect()
}

fn encode_site(site: &Site, encoder: &mut Encoder) {
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
    encoder.text(&facility_id.to_string());
    let linked: Vec<String> = linked_ids.iter().map(FacilityId::to_string).collect();
    optional(encoder, cross_reference.as_ref(), |encoder, id| encoder.text(&id.to_string()));
    set(encoder, linked.iter().map(String::as_str));
    set(encoder, every_name.iter().map(String::as_str));
    let texts = [facility_name, company_name, trade_name, city, naics_en, naics_fr];
    texts.into_iter().for_each(|text| optional_text(encoder, text.as_deref()));
    optional_text(encoder, province.map(Province::code));
    optional_text(encoder, naics_code.as_ref().map(NaicsCode::as_str));
    for degrees in [latitude, longitude] {
        optional::<Decimal>(encoder, *degrees, Encoder::decimal);
    }
}

fn encode_substance(substance: &Substance, encoder: &mut Encoder) {
    let Substance { id, name_en, name_fr, every_name } = substance;
    encoder.text(id.as_str());
    optional_text(encoder, name_en.as_deref());
    optional_text(encoder, name_fr.as_deref());
    set(encoder, every_name.iter().map(String::as_str));
}

fn encode_category(category: &Category, encoder: &mut Encoder) {
    let Category { name_en, name_fr } = category;
    optional_text(encoder, name_en.as_deref());
    optional_text(encoder, name_fr.as_deref());
}

/// Encodes texts whose order does not matter.
fn set<'a>(encoder: &mut Encoder, texts: impl Iterator<Item = &'a str>) {
    let mut texts: Vec<&str> = texts.collect();
    texts.sort_unstable();
    encoder.len(texts.len());
    texts.into_iter().for_each(|text| encoder.text(text));
}

fn optional_text(encoder: &mut Encoder, text: Option<&str>) {
    optional(encoder, text, Encoder::text);
}

fn optional<T>(encoder: &mut Encoder, value: Option<T>, encode: impl FnOnce(&mut Encoder, T)) {
    encoder.u8(value.is_some().into());
    if let Some(value) = value {
        encode(encoder, value);
    }
}
