//! JSON and where the fields of its outermost object stand, noted while it is written.
//!
//! There are tens of thousands of sites to cut the JSON of, and to read each again took longer than
//! to write it.

use std::cell::RefCell;
use std::io::{self, Write};
use std::ops::Range;

use serde::Serialize;
use serde_json::Serializer;
use serde_json::ser::{CompactFormatter, Formatter};

use crate::index::IndexError;

/// Room for the JSON of nearly every record.
const USUAL: usize = 1536;

/// The JSON of an object, and the place of each of its fields: from the quote that opens its name to
/// the end of its value.
///
/// # Errors
/// [`IndexError::UnknownField`] for a value that is no JSON.
pub(crate) fn outlined(object: &impl Serialize) -> Result<(String, Vec<Range<usize>>), IndexError> {
    let (json, mut fields) = (RefCell::new(Vec::with_capacity(USUAL)), Vec::new());
    let outline = Outline { json: &json, depth: 0, start: 0, fields: &mut fields };
    let written = object.serialize(&mut Serializer::with_formatter(Appender(&json), outline));
    let text = written
        .map_err(|error| error.to_string())
        .and_then(|()| String::from_utf8(json.into_inner()).map_err(|error| error.to_string()));
    Ok((text.map_err(|field| IndexError::UnknownField { field })?, fields))
}

/// Writes compact JSON and notes the fields of its outermost object.
struct Outline<'a> {
    json: &'a RefCell<Vec<u8>>,
    /// How many objects are open.
    depth: usize,
    /// Where the last field of the outermost object begins.
    start: usize,
    fields: &'a mut Vec<Range<usize>>,
}

impl Formatter for Outline<'_> {
    fn begin_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.depth += 1;
        CompactFormatter.begin_object(writer)
    }

    fn end_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.depth -= 1;
        CompactFormatter.end_object(writer)
    }

    fn begin_object_key<W: ?Sized + Write>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> io::Result<()> {
        CompactFormatter.begin_object_key(writer, first)?;
        if self.depth == 1 {
            self.start = self.json.borrow().len();
        }
        Ok(())
    }

    fn end_object_value<W: ?Sized + Write>(&mut self, _: &mut W) -> io::Result<()> {
        if self.depth == 1 {
            self.fields.push(self.start..self.json.borrow().len());
        }
        Ok(())
    }
}

/// Where the JSON is written to.
struct Appender<'a>(&'a RefCell<Vec<u8>>);

impl Write for Appender<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn only_the_outermost_fields_are_noted() {
        let object: Value = json!({
            "text": "a \"b\", {c}",
            "list": [{"x": 1, "y": []}, {}],
            "object": {"x": {"y": null}},
            "number": 1,
        });
        let (text, fields) = outlined(&object).unwrap();
        assert_eq!(text, object.to_string());
        let fields: Vec<&str> = fields.into_iter().map(|field| &text[field]).collect();
        assert_eq!(format!("{{{}}}", fields.join(",")), text);
        assert_eq!(fields.len(), 4);
        for (name, value) in object.as_object().unwrap() {
            assert!(fields.contains(&&*format!("\"{name}\":{value}")), "{name}");
        }
    }

    #[test]
    fn an_empty_object_has_no_fields() {
        assert_eq!(outlined(&json!({})).unwrap(), ("{}".to_owned(), Vec::new()));
    }
}
