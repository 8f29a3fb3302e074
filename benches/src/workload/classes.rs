//! The classes of requests; each draws its own words and numbers.

use outfall_records::{Decimal, RecordKind};
use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;

use super::draft::Draft;
use super::vocabulary::Vocabulary;

/// Where a class draws from.
pub(super) struct Draws {
    pub(super) releases: Vocabulary,
    pub(super) emissions: Vocabulary,
    pub(super) random: ChaCha8Rng,
}

impl Draws {
    /// An entry of a list; the default when the corpus has none.
    fn of<T: Clone + Default>(&mut self, list: impl Fn(&Vocabulary) -> &[T]) -> T {
        list(&self.releases).choose(&mut self.random).cloned().unwrap_or_default()
    }

    fn common(&mut self) -> String {
        self.of(|it| &it.common)
    }

    fn usual(&mut self) -> String {
        self.of(|it| &it.usual)
    }

    fn rare(&mut self) -> String {
        self.of(|it| &it.rare)
    }

    fn phrase(&mut self) -> String {
        format!("\"{}\"", self.of(|it| &it.phrases))
    }

    fn industry(&mut self, digits: usize) -> String {
        let mut code = self.of(|it| &it.industries);
        code.truncate(digits);
        code
    }

    fn year(&mut self) -> u16 {
        self.of(|it| &it.years)
    }

    /// The smaller and the larger of two values.
    fn values(&mut self, list: impl Fn(&Vocabulary) -> &[Decimal]) -> [String; 2] {
        let (a, b) = (self.of(&list), self.of(&list));
        [a.min(b).to_string(), a.max(b).to_string()]
    }

    /// Two values with a thousandth of all records between them.
    fn near_values(&mut self, list: impl Fn(&Vocabulary) -> &[Decimal]) -> [String; 2] {
        let values = list(&self.releases);
        let width = values.len() / 1_000;
        let start = self.random.random_range(0..=values.len().saturating_sub(width + 1));
        [start, start + width]
            .map(|place| values.get(place).copied().unwrap_or_default().to_string())
    }

    fn any<T: Clone>(
        &mut self,
        draft: Draft,
        list: fn(&Vocabulary) -> &[T],
        add: fn(Draft, T) -> Draft,
    ) -> Draft {
        match list(&self.releases).choose(&mut self.random).cloned() {
            Some(value) => add(draft, value),
            None => draft,
        }
    }

    fn province(&mut self, draft: Draft) -> Draft {
        self.any(draft, |it| &it.provinces, Draft::province)
    }

    fn substance(&mut self, draft: Draft) -> Draft {
        self.any(draft, |it| &it.substances, |draft, id| draft.substance_id(&id))
    }
}

/// Draws one request of a class.
pub(super) type Draw = fn(&mut Draws) -> Draft;

fn release() -> Draft {
    Draft::new(RecordKind::Release)
}

fn emission() -> Draft {
    Draft::new(RecordKind::Emission)
}

/// Every class, by name.
pub(super) const CLASSES: [(&str, Draw); 48] = [
    ("everything", |_| release()),
    ("common word", |it| release().q(&it.common())),
    ("word", |it| release().q(&it.usual())),
    ("rare word", |it| release().q(&it.rare())),
    ("common AND common", |it| release().q(&[it.common(), it.common()].join(" "))),
    ("common AND rare", |it| release().q(&[it.common(), it.rare()].join(" "))),
    ("three words", |it| release().q(&[it.common(), it.usual(), it.common()].join(" "))),
    ("common OR common", |it| release().q(&[it.common(), it.common()].join(" OR "))),
    ("rare OR rare OR rare", |it| release().q(&[it.rare(), it.rare(), it.rare()].join(" OR "))),
    ("word AND (word OR word)", |it| {
        release().q(&format!("{} {} OR {}", it.common(), it.usual(), it.common()))
    }),
    ("phrase", |it| release().q(&it.phrase())),
    ("phrase AND word", |it| release().q(&format!("{} {}", it.phrase(), it.common()))),
    ("phrase OR phrase", |it| release().q(&format!("{} OR {}", it.phrase(), it.phrase()))),
    ("CAS RN in q", |it| it.any(release(), |it| &it.substances, |draft, id| draft.q(id.as_str()))),
    ("all but a word", |it| release().q(&format!("-{}", it.common()))),
    ("word but not a word", |it| release().q(&format!("{} -{}", it.common(), it.usual()))),
    ("word but not a phrase", |it| release().q(&format!("{} -{}", it.common(), it.phrase()))),
    ("nothing found", |it| release().q(&format!("{} zzyzx {}", it.common(), it.rare()))),
    ("provinces", |it| {
        let draft = it.province(release());
        it.province(draft)
    }),
    ("facility", |it| it.any(release(), |it| &it.facilities, |draft, key| draft.facility(&key))),
    ("branch of industry", |it| release().naics(&it.industry(3))),
    ("industry", |it| release().naics(&it.industry(6))),
    ("substance", |it| it.substance(release())),
    ("substance by words", |it| {
        it.any(release(), |it| &it.substance_names, |draft, words| draft.substance_words(&words))
    }),
    ("record", |it| release().record_id(&it.of(|it| &it.record_ids))),
    ("years", |it| {
        let (a, b) = (it.year(), it.year());
        release().since(a.min(b)).until(a.max(b))
    }),
    ("mass between", |it| {
        let [min, max] = it.values(|it| &it.masses);
        release().min(&min).max(&max).tonnes()
    }),
    ("mixed units between", |it| {
        let [min, max] = it.values(|it| &it.values);
        release().min(&min).max(&max)
    }),
    ("word and filters", |it| {
        let draft = release().q(&it.common()).since(it.year());
        let draft = it.province(draft);
        it.substance(draft)
    }),
    ("oldest first", |it| release().q(&it.common()).ascending()),
    ("largest mass first", |it| it.province(release().by_value().tonnes())),
    ("smallest mixed value first", |it| release().q(&it.common()).by_value().ascending()),
    ("largest g TEQ first", |it| {
        let [min, _] = it.values(|it| &it.values);
        release().by_value().grams_teq().min(&min)
    }),
    ("largest masses between", |it| {
        let [min, max] = it.values(|it| &it.masses);
        release().by_value().tonnes().min(&min).max(&max)
    }),
    ("smallest masses in a narrow range", |it| {
        let [min, max] = it.near_values(|it| &it.values);
        release().by_value().ascending().kilograms().min(&min).max(&max)
    }),
    ("largest mixed values between", |it| {
        let [min, max] = it.values(|it| &it.values);
        release().by_value().min(&min).max(&max)
    }),
    ("smallest mixed values in a narrow range, of a word", |it| {
        let [min, max] = it.near_values(|it| &it.values);
        release().q(&it.common()).by_value().ascending().min(&min).max(&max)
    }),
    ("largest masses up to, of a province", |it| {
        let [_, max] = it.values(|it| &it.masses);
        it.province(release().by_value().tonnes().max(&max))
    }),
    ("smallest mixed values from, of years", |it| {
        let [min, _] = it.values(|it| &it.values);
        release().by_value().ascending().since(it.year()).min(&min)
    }),
    ("deep offset between masses, of a province", |it| {
        let [min, max] = it.values(|it| &it.masses);
        let depth = 1_000 * (1 + u32::from(it.year()) % 40);
        it.province(release().by_value().tonnes().min(&min).max(&max).offset(depth))
    }),
    ("deep cursor between mixed values", |it| {
        let [min, max] = it.values(|it| &it.values);
        let depth = 1_000 * (1 + u32::from(it.year()) % 40);
        release().by_value().ascending().min(&min).max(&max).after(depth)
    }),
    ("largest emissions up to", |it| {
        let max = it.emissions.values.choose(&mut it.random).copied().unwrap_or_default();
        emission().by_value().max(&max.to_string())
    }),
    ("deep offset", |it| {
        let depth = 1_000 * (1 + u32::from(it.year()) % 40);
        it.province(release()).offset(depth)
    }),
    ("deep cursor", |it| {
        let depth = 1_000 * (1 + u32::from(it.year()) % 40);
        let draft = release().q(&format!("-{}", it.usual())).after(depth);
        if depth % 2_000 == 0 { draft.by_value().tonnes() } else { draft }
    }),
    ("facets of everything", |_| release().facets()),
    ("facets of a word", |it| release().q(&it.usual()).facets()),
    ("facets of a province", |it| it.province(release().facets())),
    ("emissions", |it| {
        let word = it.emissions.common.choose(&mut it.random).cloned().unwrap_or_default();
        emission().q(&word).by_value()
    }),
];
