//! The lists that a server reads once per generation: the words and cities that suggestions come
//! from, and the places that circles and boxes are drawn around.

use std::collections::BTreeSet;

use outfall_records::{Decimal, Province, RecordTable, SearchText, Site, Tables, media_texts};
use outfall_request::{BoxFilter, Coordinates, FacetPlace, NearFilter, Vocabulary, WordList};
use serde::{Deserialize, Serialize};

/// Where a site is. A record has the number of its place.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(crate) struct Place {
    province: Option<String>,
    city: Option<String>,
    /// Degrees as decimals: a float would round them.
    latitude: Option<String>,
    longitude: Option<String>,
}

impl Place {
    pub(crate) fn of(site: &Site) -> Self {
        let text = |degrees: Option<Decimal>| degrees.map(|degrees| degrees.to_string());
        Self {
            province: site.province.map(|province| province.code().to_owned()),
            city: site.city.clone(),
            latitude: text(site.latitude),
            longitude: text(site.longitude),
        }
    }

    /// The place as a facet shows it; `None` if one of its texts is malformed.
    fn shown(&self) -> Option<FacetPlace> {
        let degrees = |text: &Option<String>| match text {
            Some(text) => text.parse::<Decimal>().ok().map(Some),
            None => Some(None),
        };
        let province = match &self.province {
            Some(code) => Some(Province::of_code(code)?),
            None => None,
        };
        Some(FacetPlace {
            province,
            city: self.city.clone(),
            latitude: degrees(&self.latitude)?,
            longitude: degrees(&self.longitude)?,
        })
    }
}

/// The lists of one kind, as a build collects them.
#[derive(Debug, Default)]
pub(crate) struct ListBuilder {
    words: BTreeSet<String>,
    cities: BTreeSet<String>,
    pub(crate) places: BTreeSet<Place>,
}

/// A part of the lists, as a document holds it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct ListPart {
    /// Folded words of letters alone.
    words: Vec<String>,
    /// Folded names of cities.
    cities: Vec<String>,
    /// Places in the order of their numbers.
    places: Vec<Place>,
}

/// Entries of a document.
const PART: usize = 2_000;

impl ListBuilder {
    /// The lists for the records of `tables`, where every site, substance and category has a
    /// record.
    pub(crate) fn of(tables: &Tables) -> Self {
        let mut lists = Self::default();
        for site in &tables.sites {
            lists.add_texts(site.texts());
            let cities = site.city.iter().flat_map(|city| WordList::Cities.entries(city));
            lists.cities.extend(cities);
            lists.places.insert(Place::of(site));
        }
        if let RecordTable::Release { substances, categories, records, .. } = &tables.rows {
            substances.iter().for_each(|substance| lists.add_texts(substance.texts()));
            let media: BTreeSet<_> = records.iter().map(|row| row.medium).collect();
            for medium in media {
                let categories = categories.iter().map(AsRef::as_ref);
                lists.add_texts(media_texts(medium, categories));
            }
        }
        lists
    }

    fn add_texts<'t>(&mut self, texts: impl Iterator<Item = SearchText<'t>>) {
        for text in texts {
            self.words.extend(WordList::Words.entries(&text.text));
        }
    }

    /// The lists in parts, in order.
    pub(crate) fn parts(self) -> Vec<ListPart> {
        let words = cut(self.words, |words| ListPart { words, ..ListPart::default() });
        let cities = cut(self.cities, |cities| ListPart { cities, ..ListPart::default() });
        let places = cut(self.places, |places| ListPart { places, ..ListPart::default() });
        [words, cities, places].concat()
    }
}

fn cut<T: Clone>(entries: BTreeSet<T>, part: impl Fn(Vec<T>) -> ListPart) -> Vec<ListPart> {
    let entries: Vec<T> = entries.into_iter().collect();
    entries.chunks(PART).map(|entries| part(entries.to_vec())).collect()
}

/// The lists of one kind, as a server uses them.
#[derive(Debug, Default)]
pub(crate) struct Lists {
    words: Vec<String>,
    cities: Vec<String>,
    places: Vec<FacetPlace>,
}

impl Lists {
    /// Adds the next part; `None` if a place is not one.
    pub(crate) fn add(&mut self, part: ListPart) -> Option<()> {
        self.words.extend(part.words);
        self.cities.extend(part.cities);
        for place in part.places {
            self.places.push(place.shown()?);
        }
        Some(())
    }

    /// The place with a number.
    pub(crate) fn place(&self, number: u64) -> Option<&FacetPlace> {
        self.places.get(usize::try_from(number).ok()?)
    }

    /// The places in a circle, by number: the distance is computed here, exactly as the reference
    /// computes it, so the cluster only compares numbers.
    pub(crate) fn near(&self, filter: &NearFilter) -> Vec<u32> {
        let (centre, radius) = (filter.centre(), filter.radius());
        self.where_at(|place| centre.kilometres_to(&place) <= radius)
    }

    /// The places in a box, by number.
    pub(crate) fn within(&self, filter: &BoxFilter) -> Vec<u32> {
        let (south_west, north_east) = (filter.south_west(), filter.north_east());
        self.where_at(|place| place.is_between(&south_west, &north_east))
    }

    fn where_at(&self, is_there: impl Fn(Coordinates) -> bool) -> Vec<u32> {
        let passes = |place: &FacetPlace| match (place.latitude, place.longitude) {
            (Some(latitude), Some(longitude)) => {
                is_there(Coordinates { latitude: latitude.into(), longitude: longitude.into() })
            }
            _ => false,
        };
        let numbered = (0_u32..).zip(&self.places);
        numbered.filter(|(_, place)| passes(place)).map(|(number, _)| number).collect()
    }
}

impl Vocabulary for Lists {
    fn visit(&self, list: WordList, visit: &mut dyn FnMut(&str)) {
        let entries = match list {
            WordList::Words => &self.words,
            WordList::Cities => &self.cities,
        };
        entries.iter().for_each(|entry| visit(entry));
    }
}
