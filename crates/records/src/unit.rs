//! The units in which releases are reported.

use rust_decimal::Decimal;

/// A unit of the NPRI file. Declared from the smallest mass to the largest, `g TEQ` apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Unit {
    /// Grams.
    Grams,
    /// Kilograms.
    Kilograms,
    /// Tonnes, 1000 kg.
    Tonnes,
    /// Grams of toxic equivalent (dioxins and furans): a weighted sum, not a mass.
    GramsTeq,
}

impl Unit {
    /// Every unit.
    pub const ALL: [Self; 4] = [Self::Grams, Self::Kilograms, Self::Tonnes, Self::GramsTeq];

    /// The unit as the NPRI file writes it, which is how a record shows it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Grams => "grams",
            Self::Kilograms => "kg",
            Self::Tonnes => "tonnes",
            Self::GramsTeq => "g TEQ",
        }
    }

    /// Reads a source cell; `g TEQ(ET)`, the spelling of early years, is `g TEQ`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let folded: String =
            text.chars().filter(|c| !c.is_whitespace()).flat_map(char::to_lowercase).collect();
        match folded.as_str() {
            "tonnes" | "tonne" | "t" => Some(Self::Tonnes),
            "kg" | "kilograms" | "kilogram" => Some(Self::Kilograms),
            "grams" | "gram" | "g" => Some(Self::Grams),
            "gteq" | "gteq(et)" | "gteq/et" | "gteqet" => Some(Self::GramsTeq),
            _ => None,
        }
    }

    /// Whether the unit is a mass, so that its quantities compare with other masses.
    #[must_use]
    pub const fn is_mass(self) -> bool {
        !matches!(self, Self::GramsTeq)
    }

    /// Kilograms in `quantity` of this unit; `None` for `g TEQ`, and beyond the range of a decimal.
    #[must_use]
    pub fn kilograms(self, quantity: Decimal) -> Option<Decimal> {
        let kilograms = match self {
            Self::Grams => thousandth(quantity),
            Self::Kilograms => Some(quantity),
            Self::Tonnes => thousandfold(quantity),
            Self::GramsTeq => None,
        };
        kilograms.map(|kilograms| kilograms.normalize())
    }

    /// `quantity` of `self` expressed in the mass unit `to`; `None` if either is not a mass.
    #[must_use]
    pub fn convert(self, quantity: Decimal, to: Self) -> Option<Decimal> {
        let kilograms = self.kilograms(quantity)?;
        let converted = match to {
            Self::Grams => thousandfold(kilograms),
            Self::Kilograms => Some(kilograms),
            Self::Tonnes => thousandth(kilograms),
            Self::GramsTeq => None,
        };
        converted.map(|converted| converted.normalize())
    }
}

/// A thousandth; adds decimal places instead of dividing, if there is room for them.
fn thousandth(mut quantity: Decimal) -> Option<Decimal> {
    match quantity.set_scale(quantity.scale() + 3) {
        Ok(()) => Some(quantity),
        Err(_) => quantity.checked_div(Decimal::ONE_THOUSAND),
    }
}

/// A thousand times as much; removes decimal places instead of multiplying, if there are enough.
fn thousandfold(mut quantity: Decimal) -> Option<Decimal> {
    let scale = quantity.scale().checked_sub(3);
    match scale.map(|scale| quantity.set_scale(scale)) {
        Some(Ok(())) => Some(quantity),
        _ => quantity.checked_mul(Decimal::ONE_THOUSAND),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn source_spellings_are_read() {
        for (text, expected) in [
            ("tonnes", Some(Unit::Tonnes)),
            (" kg ", Some(Unit::Kilograms)),
            ("grams", Some(Unit::Grams)),
            ("g TEQ", Some(Unit::GramsTeq)),
            ("g TEQ(ET)", Some(Unit::GramsTeq)),
            ("g TEQ (ET)", Some(Unit::GramsTeq)),
            ("litres", None),
            ("", None),
        ] {
            assert_eq!(Unit::parse(text), expected, "{text:?}");
        }
        for unit in Unit::ALL {
            assert_eq!(Unit::parse(unit.name()), Some(unit));
        }
    }

    #[test]
    fn masses_convert_exactly() {
        let quantity = Decimal::new(1_234_567, 6);
        assert_eq!(Unit::Tonnes.kilograms(quantity), Some(Decimal::new(1_234_567, 3)));
        assert_eq!(Unit::Grams.kilograms(quantity), Some(Decimal::new(1_234_567, 9)));
        assert_eq!(Unit::GramsTeq.kilograms(quantity), None);
        assert_eq!(Unit::Grams.convert(quantity, Unit::Tonnes), Some(Decimal::new(1_234_567, 12)));
    }
}
