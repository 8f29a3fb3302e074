//! A record's own values, in a few bytes.

use outfall_records::{Decimal, EmissionEntry, Gases, NO_METHOD, PartEntry, ReleaseEntry, Unit};

use crate::index::codec::{Decoder, Digits, Encoder};

/// The own values of a release, as stored.
#[derive(Clone, Copy)]
pub struct StoredRelease<'a> {
    /// The unit of all quantities.
    pub unit: Unit,
    /// The folded quantity.
    pub quantity: Decimal,
    parts: usize,
    rest: Decoder<'a>,
}

/// The own values of an emission, as stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoredEmission {
    /// The reported total, in tonnes CO2e.
    pub total_co2e: Decimal,
    /// The emissions by gas.
    pub gases: Gases,
}

pub(crate) fn encode_release(row: &ReleaseEntry, parts: &[PartEntry], encoder: &mut Encoder) {
    encoder.u8(row.unit as u8);
    encoder.len(parts.len());
    // Most records have one row, whose quantity is the record's.
    if parts.len() != 1 {
        encoder.decimal(row.quantity);
    }
    for part in parts {
        encoder.len(usize::from(part.category));
        encoder.len(if part.method == NO_METHOD { 0 } else { usize::from(part.method) + 1 });
        encoder.decimal(part.quantity);
    }
}

impl<'a> StoredRelease<'a> {
    /// Reads a stored row; `None` if the bytes make no sense.
    #[must_use]
    pub fn decode(bytes: &'a [u8]) -> Option<Self> {
        let mut decoder = Decoder::new(bytes);
        let (unit, parts) = head(&mut decoder)?;
        if parts != 1 {
            let quantity = decoder.decimal()?;
            return Some(Self { unit, quantity, parts, rest: decoder });
        }
        let (_, _, quantity) = part(&mut { decoder })?;
        Some(Self { unit, quantity, parts, rest: decoder })
    }

    /// Category, method if one is named, and quantity of each row of the breakdown.
    pub fn parts(self) -> impl Iterator<Item = (usize, Option<usize>, Decimal)> {
        let mut rest = self.rest;
        (0..self.parts).map_while(move |_| part(&mut rest))
    }
}

fn head(decoder: &mut Decoder<'_>) -> Option<(Unit, usize)> {
    Some((*Unit::ALL.get(usize::from(decoder.u8()?))?, decoder.len()?))
}

/// Only the unit and the quantity of a release, quicker than with its breakdown.
pub(crate) fn release_quantity(bytes: &[u8]) -> Option<(Unit, Digits)> {
    let mut decoder = Decoder::new(bytes);
    let (unit, parts) = head(&mut decoder)?;
    if parts == 1 {
        let _category_and_method = (decoder.len()?, decoder.len()?);
    }
    Some((unit, decoder.digits()?))
}

/// Only the total of an emission; `None` unless its gases can be read too.
pub(crate) fn emission_total(bytes: &[u8]) -> Option<Digits> {
    StoredEmission::decode(bytes).map(|stored| stored.total_co2e.into())
}

fn part(decoder: &mut Decoder<'_>) -> Option<(usize, Option<usize>, Decimal)> {
    let (category, method) = (decoder.len()?, decoder.len()?);
    Some((category, method.checked_sub(1), decoder.decimal()?))
}

pub(crate) fn encode_emission(row: &EmissionEntry, encoder: &mut Encoder) {
    let gases = row.gases.values();
    let present = gases.iter().enumerate().filter(|(_, gas)| gas.is_some());
    encoder.u8(present.fold(0, |bits, (place, _)| bits | 1 << place));
    encoder.decimal(row.total_co2e);
    gases.into_iter().flatten().for_each(|gas| encoder.decimal(gas));
}

impl StoredEmission {
    /// Reads a stored row; `None` if the bytes make no sense.
    #[must_use]
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        let mut decoder = Decoder::new(bytes);
        let present = decoder.u8()?;
        let total_co2e = decoder.decimal()?;
        let mut gases = [None; Gases::NAMES.len()];
        for (place, gas) in gases.iter_mut().enumerate() {
            if present & 1 << place != 0 {
                *gas = Some(decoder.decimal()?);
            }
        }
        Some(Self { total_co2e, gases: Gases::from_values(gases) })
    }
}
