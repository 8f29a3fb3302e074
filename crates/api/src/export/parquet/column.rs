//! A column of Parquet: its type, and the values of a page on their way into it.

use std::sync::Arc;

use outfall_records::{Decimal, Field, FieldKind, FixedPoint, OwnField, RecordPart};
use parquet::basic::{LogicalType, Repetition, Type as Physical};
use parquet::column::writer::ColumnWriter;
use parquet::data_type::{ByteArray, FixedLenByteArray};
use parquet::errors::{ParquetError, Result};
use parquet::schema::types::{Type, TypePtr};

/// The most digits of decimals that are stored as 64-bit numbers, and so take half the room.
const SHORT_DIGITS: u32 = 18;
/// How many bytes the other decimals take.
const LONG_BYTES: i32 = 16;

/// A column, with the values that were not yet passed to its writer.
pub(super) struct Column {
    field: &'static Field,
    /// For each cell 1 if it has a value, 0 if it is null.
    levels: Vec<i16>,
    values: Values,
}

/// The values of the cells that are not null.
enum Values {
    Texts(Vec<ByteArray>),
    Years(Vec<i32>),
    Short(FixedPoint, Vec<i64>),
    Long(FixedPoint, Vec<FixedLenByteArray>),
}

impl Column {
    /// The column of a field.
    ///
    /// # Errors
    /// When the field is a list, which fits in no cell.
    pub(super) fn of(field: &'static Field) -> Result<Self> {
        let values = match field.kind {
            FieldKind::Text | FieldKind::Url | FieldKind::Choice(_) => Values::Texts(Vec::new()),
            FieldKind::Year => Values::Years(Vec::new()),
            FieldKind::Number(form) if form.digits <= SHORT_DIGITS => {
                Values::Short(form, Vec::new())
            }
            FieldKind::Number(form) => Values::Long(form, Vec::new()),
            FieldKind::Parts(_) => return Err(wrong(field, "a list is no column")),
        };
        Ok(Self { field, levels: Vec::new(), values })
    }

    /// Its name.
    pub(super) const fn name(&self) -> &'static str {
        self.field.name
    }

    /// Whether many records have the same value, so that a dictionary saves room.
    pub(super) const fn repeats(&self) -> bool {
        match self.field.part {
            RecordPart::Site | RecordPart::Substance | RecordPart::Medium => true,
            RecordPart::Own(field) => matches!(field, OwnField::Year | OwnField::Units),
        }
    }

    /// Its type in the schema of the file.
    ///
    /// # Errors
    /// Never in practice: the types of the table of fields are valid.
    pub(super) fn schema_type(&self) -> Result<TypePtr> {
        let repetition = match self.field.is_nullable {
            true => Repetition::OPTIONAL,
            false => Repetition::REQUIRED,
        };
        let of = |physical| {
            Type::primitive_type_builder(self.field.name, physical).with_repetition(repetition)
        };
        let decimal = |physical, FixedPoint { digits, places }| {
            let (precision, scale) = (digits.cast_signed(), places.cast_signed());
            let logical = LogicalType::decimal(scale, precision);
            let built = of(physical).with_precision(precision).with_scale(scale);
            built.with_logical_type(Some(logical))
        };
        let built = match self.values {
            Values::Texts(_) => {
                of(Physical::BYTE_ARRAY).with_logical_type(Some(LogicalType::String))
            }
            Values::Years(_) => of(Physical::INT32),
            Values::Short(form, _) => decimal(Physical::INT64, form),
            Values::Long(form, _) => {
                decimal(Physical::FIXED_LEN_BYTE_ARRAY, form).with_length(LONG_BYTES)
            }
        };
        built.build().map(Arc::new)
    }

    /// Adds a cell, given as the JSON of its value.
    ///
    /// # Errors
    /// When the column has no exact place for it.
    pub(super) fn push(&mut self, json: &str) -> Result<()> {
        if json == "null" {
            self.levels.push(0);
            return match self.field.is_nullable {
                true => Ok(()),
                false => Err(wrong(self.field, "it is null")),
            };
        }
        self.levels.push(1);
        let no_room = || wrong(self.field, &format!("it has no room for {json}"));
        match &mut self.values {
            Values::Texts(texts) => {
                let text: String = serde_json::from_str(json).map_err(|_| no_room())?;
                texts.push(text.into_bytes().into());
            }
            Values::Years(years) => years.push(json.parse().map_err(|_| no_room())?),
            Values::Short(form, numbers) => {
                let number = unscaled(json, *form).and_then(|number| i64::try_from(number).ok());
                numbers.push(number.ok_or_else(no_room)?);
            }
            Values::Long(form, numbers) => {
                let number = unscaled(json, *form).ok_or_else(no_room)?;
                numbers.push(number.to_be_bytes().to_vec().into());
            }
        }
        Ok(())
    }

    /// Moves the values into the column's writer.
    ///
    /// # Errors
    /// When the writer is that of another column.
    pub(super) fn drain_into(&mut self, writer: &mut ColumnWriter<'_>) -> Result<()> {
        use ColumnWriter::{
            ByteArrayColumnWriter, FixedLenByteArrayColumnWriter, Int32ColumnWriter,
            Int64ColumnWriter,
        };
        let levels = self.field.is_nullable.then_some(self.levels.as_slice());
        match (&mut self.values, writer) {
            (Values::Texts(texts), ByteArrayColumnWriter(writer)) => {
                writer.write_batch(texts, levels, None)?;
                texts.clear();
            }
            (Values::Years(years), Int32ColumnWriter(writer)) => {
                writer.write_batch(years, levels, None)?;
                years.clear();
            }
            (Values::Short(_, numbers), Int64ColumnWriter(writer)) => {
                writer.write_batch(numbers, levels, None)?;
                numbers.clear();
            }
            (Values::Long(_, numbers), FixedLenByteArrayColumnWriter(writer)) => {
                writer.write_batch(numbers, levels, None)?;
                numbers.clear();
            }
            _ => return Err(wrong(self.field, "its writer is that of another column")),
        }
        self.levels.clear();
        Ok(())
    }
}

/// A JSON number as a whole number in this form; `None` if it is no plain decimal, or would have to
/// be rounded.
fn unscaled(json: &str, form: FixedPoint) -> Option<i128> {
    form.unscaled(Decimal::from_str_exact(json).ok()?)
}

fn wrong(field: &Field, fault: &str) -> ParquetError {
    ParquetError::General(format!("{}: {fault}", field.name))
}

#[cfg(test)]
mod tests {
    use outfall_records::RecordKind;

    use super::*;

    fn column(name: &str) -> Column {
        let fields = RecordKind::Release.fields();
        Column::of(fields.into_iter().find(|field| field.name == name).unwrap()).unwrap()
    }

    #[test]
    fn a_value_without_an_exact_place_is_refused() {
        for (name, fits, refused) in [
            (
                "quantity",
                &["0", "-1.50", "99999999999999999", "0.000000000000000000001"][..],
                &["100000000000000000", "0.0000000000000000000001", "1e3", "\"1\"", "null"][..],
            ),
            ("latitude", &["null", "49.999999999999999", "-180"], &["1000", "1e-16", "true"]),
            ("year", &["1993"], &["1993.5", "99999999999", "null"]),
            ("city", &["\"Sainte-Foy \\\"\\u00e9\"", "null"], &["7", "[]", "\"open"]),
            ("record_id", &["\"1:1993:71-43-2:air\""], &["null"]),
        ] {
            for json in fits {
                assert!(column(name).push(json).is_ok(), "{name} {json}");
            }
            for json in refused {
                assert!(column(name).push(json).is_err(), "{name} {json}");
            }
        }
    }

    #[test]
    fn a_list_is_no_column() {
        let fields = RecordKind::Release.fields();
        let breakdown = fields.into_iter().find(|field| field.name == "breakdown").unwrap();
        assert!(Column::of(breakdown).is_err());
    }
}
