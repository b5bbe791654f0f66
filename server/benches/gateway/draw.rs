//! The figures as bars, in an SVG that stands alone.

use std::fmt::Write as _;

use super::load::{Kind, Tool};
use super::{CASES, Row};

const COLORS: [&str; 10] = [
    "#9aa5b1", "#4c78a8", "#e45756", "#ff9da6", "#9d755d", "#54a24b", "#88d27a", "#72b7b2",
    "#b279a2", "#eeca3b",
];
const BAR: f64 = 16.0;
const LEFT: f64 = 130.0;
const WIDE: f64 = 420.0;

/// One group of bars for each case; within a group, the longest is the fastest.
pub fn svg(rows: &[Row]) -> String {
    let mut body = String::new();
    let mut y = 40.0;
    let mut targets: Vec<_> = rows.iter().map(|row| row.target).collect();
    targets.dedup();
    // Of one tool: the own one, where it measured.
    let is_own = rows.iter().any(|row| row.tool == Tool::Own);
    let drawn = if is_own { Tool::Own } else { Tool::Wrk };
    for (kind, connections) in CASES {
        let of_case: Vec<_> = rows
            .iter()
            .filter(|row| row.kind == kind && row.connections == connections)
            .filter(|row| row.tool == drawn)
            .collect();
        let figures = of_case.iter().map(|row| row.median.per_second);
        let most = figures.fold(1.0, f64::max);
        let what = match kind {
            Kind::Chat => "chat",
            Kind::Stream => "streams of 21 events",
            Kind::Paced => "streams of 21 events, one each 20 ms",
            Kind::Idle => "streams that wait",
        };
        let _ = writeln!(
            body,
            r#"<text x="8" y="{y}" font-weight="bold">{what}, connections: {connections}</text>"#
        );
        y += 8.0;
        for row in of_case {
            let width = row.median.per_second / most * WIDE;
            let middle = y + BAR - 4.0;
            let place = targets.iter().position(|target| *target == row.target);
            let colour = COLORS[place.unwrap_or(0) % COLORS.len()];
            let _ = writeln!(
                body,
                r#"<text x="{}" y="{middle}" text-anchor="end">{}</text><rect x="{LEFT}" y="{y}" width="{width:.1}" height="{}" fill="{colour}"/><text x="{:.1}" y="{middle}">{:.0}/s, p99 {:.2} ms</text>"#,
                LEFT - 8.0,
                row.target,
                BAR - 2.0,
                LEFT + width + 6.0,
                row.median.per_second,
                row.median.p99
            );
            y += BAR;
        }
        y += 26.0;
    }
    format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" width="760" height="{y}" font-family="sans-serif" font-size="12">
<rect width="100%" height="100%" fill="#ffffff"/>
<text x="8" y="18" font-size="15">Answers a second, medians; one machine for load, target and model server</text>
{body}</svg>
"##
    )
}
