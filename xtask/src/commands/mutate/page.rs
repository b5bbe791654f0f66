//! The report of a run as a page of HTML without external resources.

use std::fmt::Write;

use super::report::{Count, Report};
use super::verdict::CHECKS;

/// The colors of the checks, in their order.
const COLORS: [&str; 8] = [
    "#1b6ca8", "#3a9ad9", "#2a9d8f", "#8ab17d", "#e9c46a", "#f4a261", "#b56576", "#6d597a",
];
/// The color of the mutants that no check notices.
const SURVIVED: &str = "#d62828";

/// The page: a bar for each row of the report, the survivors, and the equivalent mutants.
pub(super) fn page(report: &Report<'_, '_>) -> String {
    let rows = report.rows();
    let bars = rows.iter().enumerate();
    let bars: String = bars
        .map(|(row, (label, count))| bar(20 + row * 22, label, count))
        .collect();
    let names = CHECKS.map(|(_, name)| name).into_iter().zip(COLORS);
    let legend: String = names
        .chain([("survived", SURVIVED)])
        .map(|(name, color)| format!("<span><i style=\"background:{color}\"></i>{name}</span> "))
        .collect();
    let survivors: String = report
        .survivors()
        .map(|one| {
            format!(
                "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
                escaped(&one.subject.place(&one.mutant)),
                one.mutant.operator,
                escaped(&one.mutant.what),
                one.mutant.operator.harm(),
            )
        })
        .collect();
    let equivalent: String = report
        .reasons()
        .into_iter()
        .map(|(reason, count)| format!("<li>{count}: {}</li>", escaped(reason)))
        .collect();
    format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Mutants of the documents</title>\
         <style>body{{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:60rem;padding:0 1rem}}\
         svg{{font-size:13px;width:100%}}td{{padding:.1rem .6rem .1rem 0;vertical-align:top}}\
         i{{display:inline-block;width:.8em;height:.8em;margin-right:.3em}}span{{margin-right:1em}}</style>\
         <h1>Mutants of the documents</h1>\
         <p>Each bar has the mutants of one edit, or of one area, by the first check that notices them. The cheapest \
         check is the first. {:.1} % of {} mutants were noticed, {:.1} % without the tests that were generated from \
         the published documents.</p><p>{legend}</p>\
         <svg viewBox=\"0 0 920 {}\" role=\"img\" aria-label=\"The checks that noticed the mutants\">{bars}</svg>\
         <h2>Survivors</h2><table>{survivors}</table>\
         <h2>Equivalent</h2><p>Not counted, since no check can notice them:</p><ul>{equivalent}</ul></html>\n",
        report.score(),
        report.all.counted(),
        report.own_score(),
        rows.len() * 22 + 30,
    )
}

/// The bar of a row at this height: a part for each check, and one for the survivors.
fn bar(y: usize, label: &str, count: &Count) -> String {
    let text = y + 12;
    let mut bar = format!(
        "<text x=\"210\" y=\"{text}\" text-anchor=\"end\">{}</text>",
        escaped(label)
    );
    let parts = CHECKS.map(|(check, name)| (name, count.by(check)));
    let parts = parts.into_iter().zip(COLORS);
    let mut x = 220.0;
    for ((name, amount), color) in parts.chain([(("survived", count.alive), SURVIVED)]) {
        #[allow(clippy::cast_precision_loss)]
        let width = 560.0 * amount as f64 / count.counted().max(1) as f64;
        if amount > 0 {
            // Writing to a String cannot fail.
            let _ = write!(
                bar,
                "<rect x=\"{x:.1}\" y=\"{y}\" width=\"{width:.1}\" height=\"16\" fill=\"{color}\"><title>{name}: {amount}</title></rect>"
            );
        }
        x += width;
    }
    let _ = write!(
        bar,
        "<text x=\"790\" y=\"{text}\">{:.1} % of {}</text>",
        count.score(),
        count.counted()
    );
    bar
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
