//! Why nothing matches, as lines on a terminal.

use std::io::{self, Write};

use outfall_request::{SearchPage, SearchRequest};

/// Writes how `q` was read, then what each of its units and each filter matches; nothing if the
/// page has no explanation.
///
/// # Errors
/// Those of `out`.
pub(super) fn write(
    request: &SearchRequest,
    page: &SearchPage,
    out: &mut impl Write,
) -> io::Result<()> {
    let Some(explanation) = &page.explanation else { return Ok(()) };
    let reading = request.text.read_as().map_or_else(String::new, |reading| format!(" {reading}"));
    writeln!(out, "outfall: nothing matches{reading}")?;
    for term in &explanation.terms {
        write!(out, "  {}: {} by itself", term.text, term.count_alone)?;
        if !explanation.filters.is_empty() {
            write!(out, ", {} under the filters", term.count)?;
        }
        writeln!(out, "{}", question(&term.did_you_mean))?;
    }
    for filter in &explanation.filters {
        let flag = filter.parameter.replace('_', "-");
        let question = question(&filter.did_you_mean);
        writeln!(out, "  --{flag} {}: {} by itself{question}", filter.value, filter.count)?;
    }
    Ok(())
}

fn question(did_you_mean: &[String]) -> String {
    match did_you_mean {
        [] => String::new(),
        words => format!("; did you mean {}?", words.join(", ")),
    }
}
