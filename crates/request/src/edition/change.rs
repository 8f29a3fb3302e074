//! A record that is not the same in two editions.

use outfall_records::{Amount, Medium, RecordKind, ReportingYear};

use super::{EditionRecord, Quantity, RecordNames};

/// A record that one of two editions lacks, or whose published number or unit differs. Records that
/// differ only in something else, such as a name or the breakdown, are not changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The kind of the record.
    pub record_kind: RecordKind,
    /// Its `record_id`.
    pub record_id: String,
    /// Its reporting year.
    pub year: ReportingYear,
    /// The names that it shows, in the newer edition if that has it.
    pub names: RecordNames,
    /// The medium of a release.
    pub medium: Option<Medium>,
    /// What happened to it.
    pub edit: Edit,
}

/// What happened to a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edit {
    /// Only the newer edition has it.
    Added(Quantity),
    /// Its number or its unit differs.
    Changed {
        /// In the older edition.
        old: Quantity,
        /// In the newer one.
        new: Quantity,
    },
    /// Only the older edition has it.
    Removed(Quantity),
}

impl Edit {
    /// What happened, from the quantities in the older and the newer edition; `None` if nothing did.
    #[must_use]
    pub fn of(old: Option<Quantity>, new: Option<Quantity>) -> Option<Self> {
        match (old, new) {
            (None, None) => None,
            (None, Some(new)) => Some(Self::Added(new)),
            (Some(old), None) => Some(Self::Removed(old)),
            (Some(old), Some(new)) => (old != new).then_some(Self::Changed { old, new }),
        }
    }

    /// The word for it in lists: `added`, `changed` or `removed`.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Added(_) => "added",
            Self::Changed { .. } => "changed",
            Self::Removed(_) => "removed",
        }
    }

    /// How far apart the numbers of a changed record are, exactly, and in which unit: masses are
    /// compared in kilograms. `None` for other records, and if one is a mass and the other `g TEQ`.
    #[must_use]
    pub fn difference(&self) -> Option<(&'static str, Amount)> {
        let Self::Changed { old, new } = self else { return None };
        let units = old.compared_in();
        let amounts = (units == new.compared_in()).then(|| (old.amount(), new.amount()))?;
        let (old, new) = (amounts.0?, amounts.1?);
        Some((units, old.max(new) - old.min(new)))
    }

    /// The quantity in the older edition.
    #[must_use]
    pub const fn before(&self) -> Option<Quantity> {
        match *self {
            Self::Added(_) => None,
            Self::Changed { old, .. } | Self::Removed(old) => Some(old),
        }
    }

    /// The quantity in the newer edition.
    #[must_use]
    pub const fn after(&self) -> Option<Quantity> {
        match *self {
            Self::Added(new) | Self::Changed { new, .. } => Some(new),
            Self::Removed(_) => None,
        }
    }
}

impl Change {
    /// How a record changed; `None` if it did not, or if neither edition has it. Both must be the
    /// same record.
    pub(super) fn between(
        record_kind: RecordKind,
        old: Option<EditionRecord>,
        new: Option<EditionRecord>,
    ) -> Option<Self> {
        let quantity =
            |record: &Option<EditionRecord>| record.as_ref().map(|record| record.quantity);
        let edit = Edit::of(quantity(&old), quantity(&new))?;
        let EditionRecord { record_id, year, names, medium, .. } = new.or(old)?;
        Some(Self { record_kind, record_id, year, names, medium, edit })
    }
}

#[cfg(test)]
mod tests {
    use outfall_records::Unit::{self, Grams, GramsTeq, Kilograms, Tonnes};

    use super::*;

    #[test]
    fn differences_are_exact_and_in_one_unit() {
        let quantity =
            |value: &str, unit: Option<Unit>| Quantity { value: value.parse().unwrap(), unit };
        for (old, new, expected) in [
            (("1.5", Some(Tonnes)), ("1500.25", Some(Kilograms)), Some(("kg", "0.25"))),
            (("2", Some(Grams)), ("0.5", Some(Grams)), Some(("kg", "0.0015"))),
            (
                ("999999999999", Some(Tonnes)),
                ("0.000000000000001", Some(Grams)),
                Some(("kg", "999999999998999.999999999999999999")),
            ),
            (("3", Some(GramsTeq)), ("1", Some(GramsTeq)), Some(("g TEQ", "2"))),
            (("3", Some(GramsTeq)), ("1", Some(Grams)), None),
            (("10.5", None), ("11", None), Some(("tonnes CO2e", "0.5"))),
        ] {
            let (old, new) = (quantity(old.0, old.1), quantity(new.0, new.1));
            for (old, new) in [(old, new), (new, old)] {
                let found = Edit::Changed { old, new }.difference();
                let found = found.map(|(units, difference)| (units, difference.to_string()));
                let found = found.as_ref().map(|(units, difference)| (*units, difference.as_str()));
                assert_eq!(found, expected, "{old:?} {new:?}");
            }
        }
    }
}
