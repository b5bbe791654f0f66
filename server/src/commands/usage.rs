//! `accord-server usage`

use std::collections::BTreeMap;

use accord_server::inference::admission::usage;
use accord_server::pages::inert;
use chrono::{Days, NaiveDate, Utc};
use serde_json::{Value, json};

use super::options::Options;
use super::output::{Output, print};

/// The width of the longest bar.
const MAX_WIDTH: i64 = 40;

/// The usage of API keys to show.
#[derive(clap::Args)]
pub struct Usage {
    /// The number of days, up to today, in UTC.
    #[arg(long, default_value = "30", value_name = "COUNT", value_parser = clap::value_parser!(u64).range(1..=3650))]
    days: u64,
    /// Only this key.
    #[arg(long)]
    key: Option<String>,
    /// Print comma-separated values.
    #[arg(long, conflicts_with_all = ["json", "chart"])]
    csv: bool,
    /// Draw the tokens of each day.
    #[arg(long, conflicts_with = "json")]
    chart: bool,
    #[command(flatten)]
    output: Output,
}

/// Reads the usage that running services write every second.
#[tokio::main]
pub async fn run(options: &Options, command: &Usage) -> anyhow::Result<()> {
    let app = options.open().await?;
    let today = Utc::now().date_naive();
    let from = today
        .checked_sub_days(Days::new(command.days - 1))
        .unwrap_or(today);
    let lines = app.store.read(move |tx| usage::read(tx, from)).await?;
    let wanted = |line: &usage::Line| command.key.as_ref().is_none_or(|key| *key == line.key_id);
    let lines: Vec<_> = lines.into_iter().filter(|(line, _)| wanted(line)).collect();
    if command.chart {
        return print(&chart(&lines));
    }
    let columns = [
        "day",
        "key",
        "model",
        "requests",
        "errors",
        "input tokens",
        "output tokens",
    ];
    let row = |(line, counts): &(usage::Line, usage::Counts)| {
        json!([
            line.day.to_string(),
            line.key_id,
            line.model,
            counts.requests,
            counts.errors,
            counts.tokens.input,
            counts.tokens.output,
        ])
    };
    let rows = lines.iter().map(row);
    if !command.csv {
        return command.output.values(&columns, rows);
    }
    print(&comma_separated(&columns, rows)?)
}

/// Comma-separated values (RFC 4180), in which spreadsheets run no text.
fn comma_separated(columns: &[&str], rows: impl Iterator<Item = Value>) -> anyhow::Result<String> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(columns.iter().map(|name| name.replace(' ', "_")))?;
    for row in rows {
        let cells = row.as_array().into_iter().flatten();
        writer.write_record(cells.map(|cell| match cell.as_str() {
            Some(text) => inert(text),
            None => cell.to_string(),
        }))?;
    }
    Ok(String::from_utf8(writer.into_inner()?)?)
}

/// A bar for each day with usage.
fn chart(lines: &[(usage::Line, usage::Counts)]) -> String {
    let mut days: BTreeMap<NaiveDate, i64> = BTreeMap::new();
    for (line, counts) in lines {
        let sum = days.entry(line.day).or_default();
        *sum = sum.saturating_add(counts.tokens.total());
    }
    let most = days.values().copied().max().unwrap_or(0).max(1);
    let bar = |(day, tokens): (&NaiveDate, &i64)| {
        let width = usize::try_from(tokens.saturating_mul(MAX_WIDTH) / most).unwrap_or(0);
        format!("{day}  {:<40}  {tokens}\n", "█".repeat(width))
    };
    days.iter().map(bar).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use accord_server::inference::gateway::usage::Tokens;

    #[test]
    fn a_spreadsheet_runs_no_text_of_the_values() {
        let models = ["=1+1", "+1", "a,b", "accord.echo"];
        let rows = models.into_iter().map(|model| json!([model, -1]));
        let text = comma_separated(&["model", "input tokens"], rows).expect("a text");
        let expected = "model,input_tokens\n'=1+1,-1\n'+1,-1\n\"a,b\",-1\naccord.echo,-1\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn days_are_drawn_beside_each_other() {
        let line = |day: &str, input| {
            let line = usage::Line {
                key_id: "k".into(),
                model: "m".into(),
                day: day.parse().expect("a day"),
            };
            let tokens = Tokens { input, output: 0 };
            let counts = usage::Counts {
                tokens,
                ..usage::Counts::default()
            };
            (line, counts)
        };
        let text = chart(&[
            line("2026-11-20", 5),
            line("2026-11-21", 10),
            line("2026-11-21", 10),
        ]);
        let widths: Vec<_> = text.lines().map(|line| line.matches('█').count()).collect();
        assert_eq!(widths, [10, 40]);
    }
}
