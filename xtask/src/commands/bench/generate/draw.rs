//! Draws the growth of the check of generated code with the document, as an SVG file.

use std::fmt::Write as _;

use super::report::Row;
use super::side::SIDES;

const COLORS: [&str; 4] = ["#4c78a8", "#e45756", "#9aa5b1", "#54a24b"];
const LEFT: f64 = 60.0;
const BOTTOM: f64 = 340.0;
const WIDTH: f64 = 560.0;
const HEIGHT: f64 = 290.0;
/// The index of the seconds of a check in the medians.
const CHECK: usize = 4;

/// A line for each side: operations to the right, processor seconds of a check upwards.
pub(super) fn svg(rows: &[Row]) -> String {
    let widest = rows
        .iter()
        .map(|row| row.operations as f64)
        .fold(1.0, f64::max);
    let seconds = |row: &Row| row.outcome.as_ref().ok().map(|medians| medians[CHECK]);
    let highest = rows.iter().filter_map(seconds).fold(0.1, f64::max);
    let mut body = String::new();
    for (number, (side, color)) in SIDES.into_iter().zip(COLORS).enumerate() {
        let mut of_side: Vec<(&Row, f64)> = rows
            .iter()
            .filter(|row| row.side == side)
            .filter_map(|row| Some((row, seconds(row)?)))
            .collect();
        if of_side.is_empty() {
            continue;
        }
        of_side.sort_by_key(|(row, _)| row.operations);
        let mut points = String::new();
        for (row, seconds) in of_side {
            let x = LEFT + row.operations as f64 / widest * WIDTH;
            let y = BOTTOM - seconds / highest * HEIGHT;
            // Writing to a String cannot fail.
            let _ = write!(points, "{x:.1},{y:.1} ");
            let _ = writeln!(
                body,
                r#"<circle cx="{x:.1}" cy="{y:.1}" r="3" fill="{color}"/>"#
            );
        }
        let _ = writeln!(
            body,
            r#"<polyline points="{}" fill="none" stroke="{color}"/><text x="{}" y="{}" fill="{color}">{}</text>"#,
            points.trim_end(),
            LEFT + 10.0,
            60.0 + 16.0 * number as f64,
            side.name()
        );
    }
    format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" width="660" height="380" font-family="sans-serif" font-size="12">
<rect width="100%" height="100%" fill="#ffffff"/>
<text x="8" y="18" font-size="15">Processor seconds of a clean cargo check, by operations of the document</text>
<path d="M{LEFT} 50V{BOTTOM}H620" fill="none" stroke="#333333"/>
<text x="8" y="56">{highest:.1} s</text><text x="590" y="360">{widest:.0}</text>
{body}</svg>
"##
    )
}
