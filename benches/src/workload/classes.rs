//! The classes of requests; each draws its own words and numbers.

use outfall_records::{Decimal, Medium, RecordKind};
use outfall_request::Facet;
use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;

use super::draft::Draft;
use super::vocabulary::Vocabulary;

/// The vocabularies and random numbers that classes draw from.
pub(super) struct Draws {
    pub(super) releases: Vocabulary,
    pub(super) emissions: Vocabulary,
    pub(super) random: ChaCha8Rng,
}

impl Draws {
    /// A random entry of a list, or the default if the list is empty.
    fn of<T: Clone + Default>(&mut self, list: impl Fn(&Vocabulary) -> &[T]) -> T {
        list(&self.releases).choose(&mut self.random).cloned().unwrap_or_default()
    }

    fn common(&mut self) -> String {
        self.of(|vocabulary| &vocabulary.common)
    }

    fn usual(&mut self) -> String {
        self.of(|vocabulary| &vocabulary.usual)
    }

    fn rare(&mut self) -> String {
        self.of(|vocabulary| &vocabulary.rare)
    }

    fn phrase(&mut self) -> String {
        format!("\"{}\"", self.of(|vocabulary| &vocabulary.phrases))
    }

    fn industry(&mut self, digits: usize) -> String {
        let mut code = self.of(|vocabulary| &vocabulary.industries);
        code.truncate(digits);
        code
    }

    fn year(&mut self) -> u16 {
        self.of(|vocabulary| &vocabulary.years)
    }

    /// Two random values, the smaller first.
    fn values(&mut self, list: impl Fn(&Vocabulary) -> &[Decimal]) -> [String; 2] {
        let (a, b) = (self.of(&list), self.of(&list));
        [a.min(b).to_string(), a.max(b).to_string()]
    }

    /// Two random values with a thousandth of all values between them.
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
        self.any(draft, |vocabulary| &vocabulary.provinces, Draft::province)
    }

    fn place(&mut self) -> (Decimal, Decimal) {
        self.of(|vocabulary| &vocabulary.places)
    }

    fn substance(&mut self, draft: Draft) -> Draft {
        self.any(draft, |vocabulary| &vocabulary.substances, |draft, id| draft.substance_id(&id))
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

/// The filter that those by place are compared with.
pub const PROVINCE: &str = "province";
/// The classes of filters by place.
pub const PLACES: [&str; 6] =
    ["within 10 km", "within 250 km", "within 500 km", "box of 1°", "box of 10°", "box of 40°"];

/// Every class, by name.
pub(super) const CLASSES: [(&str, Draw); 65] = [
    ("everything", |_| release()),
    ("common word", |draws| release().q(&draws.common())),
    ("word", |draws| release().q(&draws.usual())),
    ("rare word", |draws| release().q(&draws.rare())),
    ("common AND common", |draws| release().q(&[draws.common(), draws.common()].join(" "))),
    ("common AND rare", |draws| release().q(&[draws.common(), draws.rare()].join(" "))),
    ("three words", |draws| {
        release().q(&[draws.common(), draws.usual(), draws.common()].join(" "))
    }),
    ("common OR common", |draws| release().q(&[draws.common(), draws.common()].join(" OR "))),
    ("rare OR rare OR rare", |draws| {
        release().q(&[draws.rare(), draws.rare(), draws.rare()].join(" OR "))
    }),
    ("word AND (word OR word)", |draws| {
        release().q(&format!("{} {} OR {}", draws.common(), draws.usual(), draws.common()))
    }),
    ("phrase", |draws| release().q(&draws.phrase())),
    ("phrase AND word", |draws| release().q(&format!("{} {}", draws.phrase(), draws.common()))),
    ("phrase OR phrase", |draws| release().q(&format!("{} OR {}", draws.phrase(), draws.phrase()))),
    ("CAS RN in q", |draws| {
        draws.any(release(), |vocabulary| &vocabulary.substances, |draft, id| draft.q(id.as_str()))
    }),
    ("all but a word", |draws| release().q(&format!("-{}", draws.common()))),
    ("word but not a word", |draws| release().q(&format!("{} -{}", draws.common(), draws.usual()))),
    ("word but not a phrase", |draws| {
        release().q(&format!("{} -{}", draws.common(), draws.phrase()))
    }),
    ("nothing found", |draws| release().q(&format!("{} zzyzx {}", draws.common(), draws.rare()))),
    ("provinces", |draws| {
        let draft = draws.province(release());
        draws.province(draft)
    }),
    (PROVINCE, |draws| draws.province(release())),
    ("year", |draws| release().year(draws.year())),
    ("medium", |draws| {
        let medium = Medium::ALL.choose(&mut draws.random).copied();
        release().medium(medium.unwrap_or(Medium::Air))
    }),
    ("city", |draws| release().city(&draws.of(|vocabulary| &vocabulary.cities))),
    ("company", |draws| release().company(&draws.of(|vocabulary| &vocabulary.companies))),
    (PLACES[0], |draws| release().near(draws.place(), 10)),
    (PLACES[1], |draws| release().near(draws.place(), 250)),
    (PLACES[2], |draws| release().near(draws.place(), 500)),
    (PLACES[3], |draws| release().bbox(draws.place(), 1)),
    (PLACES[4], |draws| release().bbox(draws.place(), 10)),
    // Half the country, or less if it begins in the north or the east.
    (PLACES[5], |draws| release().bbox(draws.place(), 40)),
    ("facility", |draws| {
        draws.any(release(), |vocabulary| &vocabulary.facilities, |draft, key| draft.facility(&key))
    }),
    ("branch of industry", |draws| release().naics(&draws.industry(3))),
    ("industry", |draws| release().naics(&draws.industry(6))),
    ("substance", |draws| draws.substance(release())),
    ("substance by words", |draws| {
        draws.any(
            release(),
            |vocabulary| &vocabulary.substance_names,
            |draft, words| draft.substance_words(&words),
        )
    }),
    ("record", |draws| release().record_id(&draws.of(|vocabulary| &vocabulary.record_ids))),
    ("years", |draws| {
        let (a, b) = (draws.year(), draws.year());
        release().since(a.min(b)).until(a.max(b))
    }),
    ("mass between", |draws| {
        let [min, max] = draws.values(|vocabulary| &vocabulary.masses);
        release().min(&min).max(&max).tonnes()
    }),
    ("mixed units between", |draws| {
        let [min, max] = draws.values(|vocabulary| &vocabulary.values);
        release().min(&min).max(&max)
    }),
    ("word and filters", |draws| {
        let draft = release().q(&draws.common()).since(draws.year());
        let draft = draws.province(draft);
        draws.substance(draft)
    }),
    ("oldest first", |draws| release().q(&draws.common()).ascending()),
    ("largest mass first", |draws| draws.province(release().by_value().tonnes())),
    ("smallest mixed value first", |draws| release().q(&draws.common()).by_value().ascending()),
    ("largest g TEQ first", |draws| {
        let [min, _] = draws.values(|vocabulary| &vocabulary.values);
        release().by_value().grams_teq().min(&min)
    }),
    ("largest masses between", |draws| {
        let [min, max] = draws.values(|vocabulary| &vocabulary.masses);
        release().by_value().tonnes().min(&min).max(&max)
    }),
    ("smallest masses in a narrow range", |draws| {
        let [min, max] = draws.near_values(|vocabulary| &vocabulary.values);
        release().by_value().ascending().kilograms().min(&min).max(&max)
    }),
    ("largest mixed values between", |draws| {
        let [min, max] = draws.values(|vocabulary| &vocabulary.values);
        release().by_value().min(&min).max(&max)
    }),
    ("smallest mixed values in a narrow range, of a word", |draws| {
        let [min, max] = draws.near_values(|vocabulary| &vocabulary.values);
        release().q(&draws.common()).by_value().ascending().min(&min).max(&max)
    }),
    ("largest masses up to, of a province", |draws| {
        let [_, max] = draws.values(|vocabulary| &vocabulary.masses);
        draws.province(release().by_value().tonnes().max(&max))
    }),
    ("smallest mixed values from, of years", |draws| {
        let [min, _] = draws.values(|vocabulary| &vocabulary.values);
        release().by_value().ascending().since(draws.year()).min(&min)
    }),
    ("deep offset between masses, of a province", |draws| {
        let [min, max] = draws.values(|vocabulary| &vocabulary.masses);
        let depth = 1_000 * (1 + u32::from(draws.year()) % 40);
        draws.province(release().by_value().tonnes().min(&min).max(&max).offset(depth))
    }),
    ("deep cursor between mixed values", |draws| {
        let [min, max] = draws.values(|vocabulary| &vocabulary.values);
        let depth = 1_000 * (1 + u32::from(draws.year()) % 40);
        release().by_value().ascending().min(&min).max(&max).after(depth)
    }),
    ("largest emissions up to", |draws| {
        let max = draws.emissions.values.choose(&mut draws.random).copied().unwrap_or_default();
        emission().by_value().max(&max.to_string())
    }),
    ("deep offset", |draws| {
        let depth = 1_000 * (1 + u32::from(draws.year()) % 40);
        draws.province(release()).offset(depth)
    }),
    ("deep cursor", |draws| {
        let depth = 1_000 * (1 + u32::from(draws.year()) % 40);
        let draft = release().q(&format!("-{}", draws.usual())).after(depth);
        if depth % 2_000 == 0 { draft.by_value().tonnes() } else { draft }
    }),
    ("facets of everything", |_| release().facets()),
    ("facets of a word", |draws| release().q(&draws.usual()).facets()),
    ("facets of a province", |draws| draws.province(release().facets())),
    ("seven facets of everything", |_| release().seven_facets()),
    ("seven facets of a word", |draws| release().q(&draws.usual()).seven_facets()),
    ("seven facets of a province", |draws| draws.province(release().seven_facets())),
    ("largest facilities of a substance", |draws| draws.substance(release().largest_facilities())),
    ("media of a province by year", |draws| draws.province(release().by_year(Facet::Medium))),
    ("facilities of a common word by year", |draws| {
        release().q(&draws.common()).by_year(Facet::Facility)
    }),
    ("emissions", |draws| {
        let word = draws.emissions.common.choose(&mut draws.random).cloned().unwrap_or_default();
        emission().q(&word).by_value()
    }),
];
