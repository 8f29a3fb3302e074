//! The JSON that the records of a kind share.

use outfall_records::{Medium, RecordPart, Tables};
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

use crate::index::bytes::StringsMut;
use crate::index::record::{CutRecord, Template};

/// Records cut before their fragments are put together: enough for every core, and some megabytes.
const AT_ONCE: usize = 4096;

/// The escaped JSON that records share, from the first record that shows it.
#[derive(Default)]
pub(super) struct SharedJson {
    pub(super) template: Template,
    pub(super) sites: StringsMut,
    pub(super) substances: StringsMut,
    /// For each medium in [`Medium::ALL`]; empty texts for one that no record has.
    pub(super) media: StringsMut,
}

/// A record that is the first of its site, substance or medium.
#[derive(Clone, Copy, Default)]
struct First {
    index: usize,
    of_site: bool,
    of_substance: bool,
    of_medium: Option<Medium>,
}

/// The fragments of the dimensions that a [`First`] is the first of.
#[derive(Default)]
struct Cut {
    template: Option<Template>,
    site: Vec<String>,
    substance: Vec<String>,
    medium: Vec<String>,
}

impl SharedJson {
    pub(super) fn of(tables: &Tables) -> Self {
        let mut json = Self::default();
        let mut media = Medium::ALL.map(|_| Vec::new());
        for firsts in firsts(tables).chunks(AT_ONCE) {
            let cuts: Vec<Cut> = firsts.par_iter().map(|first| first.cut(tables)).collect();
            for (first, cut) in firsts.iter().zip(cuts) {
                json.template = cut.template.unwrap_or(json.template);
                cut.site.iter().for_each(|text| json.sites.push(text));
                cut.substance.iter().for_each(|text| json.substances.push(text));
                if let Some(medium) = first.of_medium {
                    media[medium as usize] = cut.medium;
                }
            }
        }
        let width = media.iter().map(Vec::len).max().unwrap_or(0);
        for mut texts in media {
            texts.resize(width, String::new());
            texts.iter().for_each(|text| json.media.push(text));
        }
        json
    }
}

/// The records that are the first to show a site, a substance or a medium.
fn firsts(tables: &Tables) -> Vec<First> {
    let (mut sites, mut substances) = (0, 0);
    let mut is_known = Medium::ALL.map(|_| false);
    let mut firsts = Vec::new();
    for index in 0..tables.len() {
        let (site, substance, medium) = tables.shared(index);
        // Sites and substances are numbered in the order of their first record.
        let first = First {
            index,
            of_site: site == sites,
            of_substance: substance == Some(substances),
            of_medium: medium.filter(|medium| !is_known[*medium as usize]),
        };
        sites += u32::from(first.of_site);
        substances += u16::from(first.of_substance);
        if let Some(medium) = first.of_medium {
            is_known[medium as usize] = true;
        }
        if first.of_site || first.of_substance || first.of_medium.is_some() {
            firsts.push(first);
        }
    }
    firsts
}

impl First {
    fn cut(self, tables: &Tables) -> Cut {
        let record = CutRecord::new(&tables.record(self.index));
        let fragments = |part, is_wanted: bool| match is_wanted {
            true => record.fragments(part).collect(),
            false => Vec::new(),
        };
        Cut {
            template: (self.index == 0).then(|| record.template()),
            site: fragments(RecordPart::Site, self.of_site),
            substance: fragments(RecordPart::Substance, self.of_substance),
            medium: fragments(RecordPart::Medium, self.of_medium.is_some()),
        }
    }
}
