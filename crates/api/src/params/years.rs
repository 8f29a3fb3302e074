//! `year`: a reporting year of four digits, or two of them with a dash between.

use outfall_request::ReportingYears;

use super::dates::digits;
use super::fault::ParameterFault;

/// Reads `2019`, `2010-2019` or `2010–2019`.
pub(super) fn reporting_years(text: &str) -> Result<ReportingYears, ParameterFault> {
    let (first, last) = text.split_once(['-', '–']).unwrap_or((text, text));
    let year = |text| digits(text, 4).ok_or(ParameterFault::NotYears);
    let (first, last) = (year(first)?, year(last)?);
    if first > last {
        return Err(ParameterFault::BackwardYears { first, last });
    }
    Ok(ReportingYears(first..=last))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn years_are_one_or_a_range() {
        for (text, expected) in [
            ("2019", Ok(2019..=2019)),
            ("2010-2019", Ok(2010..=2019)),
            ("2010–2019", Ok(2010..=2019)),
            ("2019-2019", Ok(2019..=2019)),
            ("0000-9999", Ok(0..=9999)),
            ("2020-2010", Err("empty-range")),
            ("19", Err("invalid-value")),
            ("02019", Err("invalid-value")),
            ("2010-", Err("invalid-value")),
            ("-2010", Err("invalid-value")),
            ("2010-2012-2014", Err("invalid-value")),
            ("2010 - 2012", Err("invalid-value")),
            ("2010,2012", Err("invalid-value")),
            ("2010-01-01", Err("invalid-value")),
            ("２０１９", Err("invalid-value")),
        ] {
            let read = reporting_years(text).map(|years| years.0);
            assert_eq!(read.map_err(|fault| fault.code()), expected, "{text}");
        }
    }
}
