//! What was measured, for people: a table to read, bars to compare.

use std::fmt::Write as _;

/// One bar.
pub struct Row {
    /// Who.
    pub name: String,
    /// How much, in the chart's unit.
    pub value: f64,
}

/// Lines of columns, the first to the left and the others to the right.
pub fn table(lines: &[Vec<String>]) -> String {
    let columns = lines.iter().map(Vec::len).max().unwrap_or_default();
    let widths: Vec<usize> = (0..columns)
        .map(|column| {
            let cells = lines.iter().filter_map(|line| line.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        })
        .collect();
    let mut text = String::new();
    for line in lines {
        for (column, (cell, &width)) in line.iter().zip(&widths).enumerate() {
            let _ = match column {
                0 => write!(text, "{cell:<width$}"),
                _ => write!(text, "  {cell:>width$}"),
            };
        }
        text.push('\n');
    }
    text
}

/// Groups of bars under one another, as SVG. Each group has a scale of its own.
pub fn chart(title: &str, groups: &[(String, Vec<Row>)]) -> String {
    const BAR: usize = 22;
    const LEFT: usize = 210;
    const WIDTH: f64 = 420.0;
    let mut y = 56;
    let mut body = String::new();
    for (heading, rows) in groups {
        let _ = writeln!(
            body,
            r#"<text x="16" y="{y}" class="h">{}</text>"#,
            escaped(heading)
        );
        let most = rows.iter().map(|row| row.value).fold(f64::MIN, f64::max);
        for (index, row) in rows.iter().enumerate() {
            y += BAR + 6;
            let width = (row.value / most * WIDTH).max(1.0);
            let class = if index == 0 { "own" } else { "other" };
            let _ = writeln!(
                body,
                r#"<text x="{}" y="{}" text-anchor="end">{}</text><rect x="{LEFT}" y="{}" width="{width:.0}" height="{BAR}" class="{class}"/><text x="{:.0}" y="{}">{}</text>"#,
                LEFT - 10,
                y,
                escaped(&row.name),
                y - 16,
                LEFT as f64 + width + 8.0,
                y,
                number(row.value),
            );
        }
        y += BAR + 26;
    }
    format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 760 {y}" width="760" height="{y}" font-family="system-ui, sans-serif" font-size="14">
<style>text {{ fill: #1d2329 }} .t {{ font-size: 18px; font-weight: 600 }} .h {{ font-weight: 600 }} .own {{ fill: #0b6a88 }} .other {{ fill: #b6bfc6 }}</style>
<rect width="760" height="{y}" fill="#fdfdfc"/>
<text x="16" y="28" class="t">{}</text>
{body}</svg>
"##,
        escaped(title)
    )
}

fn number(value: f64) -> String {
    match value {
        value if value >= 100.0 => {
            let digits = format!("{value:.0}");
            let mut text = String::new();
            for (index, digit) in digits.chars().enumerate() {
                if index > 0 && (digits.len() - index) % 3 == 0 {
                    text.push(',');
                }
                text.push(digit);
            }
            text
        }
        value => format!("{value:.1}"),
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}
