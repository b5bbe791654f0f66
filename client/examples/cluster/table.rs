//! The table, as Markdown.

use std::fmt::Write as _;

use super::bounds;
use super::verdict::Row;

const HEAD: &str = "\
| failure | calls | failed within bounds, beyond | longest call | writes acknowledged, lost, doubled | \
revocations tried, late | recovery | tokens sent, counted | |
|---|---|---|---|---|---|---|---|---|
";

/// The table, what is out of bounds, and what the bounds are.
pub fn of(rows: &[Row]) -> String {
    let mut text = HEAD.to_owned();
    let mut problems = String::new();
    let mut sentences: Vec<(String, Vec<&str>)> = Vec::new();
    for row in rows {
        let title = row.failure.title();
        let verdict = match (
            &row.figures,
            row.problems.is_empty(),
            row.earlier.is_empty(),
        ) {
            (None, ..) => "NOT TRIED",
            (_, true, true) => "ok",
            (_, true, false) => "ok at the second try",
            (_, false, _) => "OUT OF BOUNDS",
        };
        let figures = match &row.figures {
            None => " | | | | | | ".to_owned(),
            Some(figures) => format!(
                "{} | {}, {} | {:.1} s | {}, {}, {} | {}, {} | {:.1} s | {}, {}",
                figures.calls,
                figures.failed_within_bounds,
                figures.failed_beyond,
                figures.longest.as_secs_f64(),
                figures.acknowledged,
                figures.lost,
                figures.doubled,
                figures.revocations,
                figures.late,
                figures.recovery.as_secs_f64(),
                figures.tokens_sent,
                figures.tokens_counted,
            ),
        };
        // Writing to a text cannot fail.
        let _ = writeln!(text, "| {title} | {figures} | {verdict} |");
        for problem in &row.earlier {
            let _ = writeln!(problems, "{title}, first try: {problem}");
        }
        for problem in &row.problems {
            let _ = writeln!(problems, "{title}: {problem}");
        }
        let sentence = bounds::sentence(row.failure);
        match sentences.iter_mut().find(|(known, _)| *known == sentence) {
            Some((_, titles)) => titles.push(title),
            None => sentences.push((sentence, vec![title])),
        }
    }
    let _ = writeln!(text, "\nWhat the bounds allow:\n");
    for (sentence, titles) in sentences {
        let _ = writeln!(text, "- {}: {sentence}", titles.join(", "));
    }
    if !problems.is_empty() {
        let _ = write!(text, "\n{problems}");
    }
    text
}
