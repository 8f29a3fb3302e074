//! Lists of the values that a caller accepts, with their weights (RFC 9110, section 12.4.2).

/// The weight `q` in thousandths: 0 is not acceptable, 1000 is preferred.
pub type Weight = u16;

const FULL: Weight = 1000;

/// The members of a header such as `Accept`, in lower case and without parameters, in the order of
/// its lines.
pub fn quality_values<'a>(lines: impl IntoIterator<Item = &'a str>) -> Vec<(String, Weight)> {
    let members = lines.into_iter().flat_map(|line| line.split(',')).map(|member| {
        let mut parts = member.split(';').map(str::trim);
        let value = parts.next().unwrap_or_default().to_ascii_lowercase();
        (value, parts.find_map(weight).unwrap_or(FULL))
    });
    members.filter(|(value, _)| !value.is_empty()).collect()
}

/// The weight in `q=0.5`; `None` if it is not a number, so that the value counts in full.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "it is between 0 and the full weight"
)]
fn weight(parameter: &str) -> Option<Weight> {
    let (name, value) = parameter.split_once('=')?;
    if !name.trim().eq_ignore_ascii_case("q") {
        return None;
    }
    let weight: f32 = value.trim().parse().ok().filter(|weight: &f32| weight.is_finite())?;
    Some((weight.clamp(0.0, 1.0) * f32::from(FULL)).round() as Weight)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_have_weights() {
        for (line, expected) in [
            ("text/csv", &[("text/csv", 1000)][..]),
            ("Text/CSV ; header=present ; Q=0.25,a", &[("text/csv", 250), ("a", 1000)]),
            ("a;q=0, b;q=1.000, c;q=0.001", &[("a", 0), ("b", 1000), ("c", 1)]),
            ("a;q=7, b;q=-1, c;q=x, d;q=NaN", &[("a", 1000), ("b", 0), ("c", 1000), ("d", 1000)]),
            (", ,", &[]),
        ] {
            let found = quality_values([line]);
            let found: Vec<_> =
                found.iter().map(|(value, weight)| (value.as_str(), *weight)).collect();
            assert_eq!(found, expected, "{line}");
        }
    }
}
