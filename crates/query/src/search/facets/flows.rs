//! The combinations of a substance, a medium and a unit that documents have.

use outfall_records::{Medium, Unit};

use crate::index::{Kind, Numbers, numbered};

/// A substance, by its number, that is released to a medium in a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Flow {
    pub(super) substance: u16,
    /// By its place among [`Medium::ALL`].
    pub(super) medium: u8,
    pub(super) unit: Unit,
}

/// The flows of a kind: a few thousand, whatever the number of documents. One tally by flow serves
/// the facets of substances, of media and of units.
#[derive(Debug)]
pub(super) struct Flows {
    /// In the order in which they first occur.
    each: Vec<Flow>,
    /// The number of each document's flow; empty for a kind without substances.
    pub(super) of_documents: Numbers<u32>,
}

impl Flows {
    pub(super) fn of(kind: &Kind) -> Self {
        // Media are given for each document of a kind that has substances.
        let mut of_documents = Numbers::zeroed(kind.medium_of.len());
        let mut each = Vec::new();
        let per_substance = Medium::ALL.len() * Unit::ALL.len();
        let mut numbers: Vec<Option<u32>> = vec![None; kind.substance_ids.len() * per_substance];
        let documents = kind.substance_of.iter().zip(kind.medium_of.iter());
        let documents = documents.zip(0..);
        for (own, ((&substance, &medium), document)) in of_documents.iter_mut().zip(documents) {
            let unit = kind.amounts.unit(document);
            let of_medium = usize::from(medium) * Unit::ALL.len() + unit as usize;
            let number = &mut numbers[usize::from(substance) * per_substance + of_medium];
            *own = *number.get_or_insert_with(|| {
                each.push(Flow { substance, medium, unit });
                numbered(each.len()) - 1
            });
        }
        Self { each, of_documents: of_documents.shared() }
    }

    pub(super) const fn len(&self) -> usize {
        self.each.len()
    }

    /// All of them, by number.
    pub(super) fn iter(&self) -> impl Iterator<Item = Flow> {
        self.each.iter().copied()
    }
}
