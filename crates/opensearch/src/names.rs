//! The names of indexes and aliases in a cluster.

use outfall_records::RecordKind;

/// The names that begin with one prefix, so that a cluster may serve others too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Names {
    prefix: String,
}

/// The number of a generation, which grows with each build.
pub(crate) type Number = u32;

impl Default for Names {
    fn default() -> Self {
        Self { prefix: "outfall".to_owned() }
    }
}

impl Names {
    /// The names with another prefix: lower-case letters, digits and hyphens, a letter first.
    #[must_use]
    pub fn with_prefix(prefix: &str) -> Option<Self> {
        let is_allowed = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-');
        let is_name = prefix.starts_with(|first: char| first.is_ascii_lowercase())
            && prefix.bytes().all(is_allowed)
            && prefix.len() <= 64;
        is_name.then(|| Self { prefix: prefix.to_owned() })
    }

    /// The alias that serves a kind.
    #[must_use]
    pub fn alias(&self, record_kind: RecordKind) -> String {
        format!("{}-{record_kind}", self.prefix)
    }

    /// Both aliases, for one call.
    pub(crate) fn aliases(&self) -> String {
        RecordKind::ALL.map(|kind| self.alias(kind)).join(",")
    }

    /// A generation, as reports name it.
    pub(crate) fn generation(&self, number: Number) -> String {
        format!("{}-gen-{number:06}", self.prefix)
    }

    /// The index of the records of a kind.
    pub(crate) fn records(&self, number: Number, record_kind: RecordKind) -> String {
        format!("{}-{record_kind}", self.generation(number))
    }

    /// The alias that records of a kind are loaded by.
    pub(crate) fn loading(&self, number: Number, record_kind: RecordKind) -> String {
        format!("{}-loading", self.records(number, record_kind))
    }

    /// The index of the lists, which a server reads once per generation.
    pub(crate) fn lists(&self, number: Number) -> String {
        format!("{}-lists", self.generation(number))
    }

    /// Every index of a generation.
    pub(crate) fn all(&self, number: Number) -> [String; 3] {
        let [releases, emissions] = RecordKind::ALL.map(|kind| self.records(number, kind));
        [self.lists(number), releases, emissions]
    }

    /// What the names of all generations match.
    pub(crate) fn pattern(&self) -> String {
        format!("{}-gen-*", self.prefix)
    }

    /// The generation that an index belongs to.
    pub(crate) fn number_of(&self, index: &str) -> Option<Number> {
        let rest = index.strip_prefix(&self.prefix)?.strip_prefix("-gen-")?;
        rest.split('-').next()?.parse().ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_index_tells_its_generation() {
        let names = Names::default();
        for index in names.all(42) {
            assert_eq!(names.number_of(&index), Some(42), "{index}");
        }
        assert_eq!(names.records(7, RecordKind::Emission), "outfall-gen-000007-emission");
        for index in ["outfall-release", "other-gen-000042-release", "outfall-gen-x-release"] {
            assert_eq!(names.number_of(index), None, "{index}");
        }
    }

    #[test]
    fn a_prefix_is_a_plain_name() {
        for (prefix, is_allowed) in [
            ("outfall", true),
            ("t-1", true),
            ("", false),
            ("-a", false),
            ("A", false),
            ("a*", false),
        ] {
            assert_eq!(Names::with_prefix(prefix).is_some(), is_allowed, "{prefix}");
        }
    }
}
