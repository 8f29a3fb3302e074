//! A record's own values, in a few bytes.

use outfall_records::{
    Decimal, EmissionEntry, Gases, NO_METHOD, PartEntry, RecordKind, ReleaseEntry, Unit,
};

use crate::index::bytes::{Decoder, Encoder};

/// The values of a record that no other shares, as stored.
#[derive(Clone, Copy)]
pub enum StoredRecord<'a> {
    /// Those of a release.
    Release(StoredRelease<'a>),
    /// Those of an emission.
    Emission(StoredEmission),
}

/// The own values of a release.
#[derive(Clone, Copy)]
pub struct StoredRelease<'a> {
    /// The unit of all quantities.
    pub unit: Unit,
    /// The folded quantity.
    pub quantity: Decimal,
    parts: usize,
    rest: Decoder<'a>,
}

/// The own values of an emission.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoredEmission {
    /// The reported total, in tonnes CO2e.
    pub total_co2e: Decimal,
    /// The emissions by gas.
    pub gases: Gases,
}

impl<'a> StoredRecord<'a> {
    /// Reads a stored row; `None` if the bytes make no sense. The breakdown of a release is read
    /// later.
    pub(crate) fn decode(record_kind: RecordKind, bytes: &'a [u8]) -> Option<Self> {
        let mut decoder = Decoder::new(bytes);
        Some(match record_kind {
            RecordKind::Release => Self::Release(StoredRelease::decode(decoder)?),
            RecordKind::Emission => Self::Emission(StoredEmission::decode(&mut decoder)?),
        })
    }

    /// The published number, with the unit of a release.
    pub(crate) const fn quantity(&self) -> (Decimal, Option<Unit>) {
        match self {
            Self::Release(release) => (release.quantity, Some(release.unit)),
            Self::Emission(emission) => (emission.total_co2e, None),
        }
    }

    /// Whether every row of the breakdown can be read, and its category and method are among so
    /// many.
    pub(crate) fn has_whole_breakdown(&self, categories: usize, methods: usize) -> bool {
        let Self::Release(release) = self else { return true };
        let exists = |(category, method, _): &(usize, Option<usize>, Decimal)| {
            *category < categories && method.is_none_or(|method| method < methods)
        };
        release.parts().take_while(exists).count() == release.parts
    }
}

impl<'a> StoredRelease<'a> {
    fn decode(mut decoder: Decoder<'a>) -> Option<Self> {
        let unit = *Unit::ALL.get(usize::from(decoder.u8()?))?;
        let parts = decoder.len()?;
        let quantity = match parts {
            1 => part(&mut { decoder })?.2,
            _ => decoder.decimal()?,
        };
        Some(Self { unit, quantity, parts, rest: decoder })
    }

    /// Category, method if one is named, and quantity of each row of the breakdown.
    pub fn parts(self) -> impl Iterator<Item = (usize, Option<usize>, Decimal)> {
        let mut rest = self.rest;
        (0..self.parts).map_while(move |_| part(&mut rest))
    }
}

impl StoredEmission {
    fn decode(decoder: &mut Decoder<'_>) -> Option<Self> {
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

fn part(decoder: &mut Decoder<'_>) -> Option<(usize, Option<usize>, Decimal)> {
    let (category, method) = (decoder.len()?, decoder.len()?);
    Some((category, method.checked_sub(1), decoder.decimal()?))
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

pub(crate) fn encode_emission(row: &EmissionEntry, encoder: &mut Encoder) {
    let gases = row.gases.values();
    let present = gases.iter().enumerate().filter(|(_, gas)| gas.is_some());
    encoder.u8(present.fold(0, |bits, (place, _)| bits | 1 << place));
    encoder.decimal(row.total_co2e);
    gases.into_iter().flatten().for_each(|gas| encoder.decimal(gas));
}
