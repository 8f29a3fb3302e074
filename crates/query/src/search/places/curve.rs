//! Hilbert's curve over the map: places that follow one another on it are close to each other.

use std::mem::swap;

use outfall_request::Coordinates;

/// The position of a place on the curve.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "coordinates are within a world of 360 by 180 degrees"
)]
pub(super) fn position(place: &Coordinates) -> u32 {
    // Half a kilometre is fine enough: places that share a position are neighbours all the same.
    let cell = |degrees: f64, range: f64| ((degrees / range + 0.5) * f64::from(u16::MAX)) as u16;
    hilbert(cell(place.longitude.nearest(), 360.0), cell(place.latitude.nearest(), 180.0))
}

/// The position on the curve of a cell of a square of 65536 by 65536 cells.
fn hilbert(mut x: u16, mut y: u16) -> u32 {
    let mut position = 0;
    for bit in (0..u16::BITS).rev() {
        let (is_right, is_upper) = (x >> bit & 1, y >> bit & 1);
        position = position << 2 | u32::from((3 * is_right) ^ is_upper);
        // The curve runs through the lower quarters turned, and through the right one mirrored.
        if is_upper == 0 {
            if is_right == 1 {
                (x, y) = (!x, !y);
            }
            swap(&mut x, &mut y);
        }
    }
    position
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_curve_visits_every_cell_and_steps_only_to_neighbours() {
        const SIDE: u16 = 64;
        let cells = (0..SIDE).flat_map(|x| (0..SIDE).map(move |y| (hilbert(x, y), x, y)));
        let mut cells: Vec<(u32, u16, u16)> = cells.collect();
        cells.sort_unstable();
        for (expected, (position, ..)) in (0..).zip(&cells) {
            assert_eq!(*position, expected);
        }
        for pair in cells.windows(2) {
            let ((_, x, y), (_, next_x, next_y)) = (pair[0], pair[1]);
            assert_eq!(x.abs_diff(next_x) + y.abs_diff(next_y), 1, "{pair:?}");
        }
    }
}
