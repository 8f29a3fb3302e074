//! Sentences of the documentation.

/// A sentence in both languages: neither can be written without the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Doc {
    /// In English.
    pub en: &'static str,
    /// In French, as it is written in Canada.
    pub fr: &'static str,
}

impl Doc {
    /// The sentence in English, then in French.
    #[must_use]
    pub const fn new(en: &'static str, fr: &'static str) -> Self {
        Self { en, fr }
    }
}
