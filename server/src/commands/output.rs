//! How commands print: tables for people, JSON for scripts.

use std::io::{IsTerminal, Write};

use chrono::{DateTime, SecondsFormat, Utc};
use serde::Serialize;
use serde_json::Value;

/// The output format.
#[derive(clap::Args)]
pub struct Output {
    /// Print JSON, for scripts.
    #[arg(long)]
    json: bool,
}

impl Output {
    /// Prints rows: as a JSON array, or as a table with these columns.
    pub fn rows<T: Serialize, const N: usize>(
        &self,
        columns: [&str; N],
        rows: &[T],
        cells: impl Fn(&T) -> [String; N],
    ) -> anyhow::Result<()> {
        match self.json {
            true => print(&format!("{}\n", serde_json::to_string_pretty(rows)?)),
            false => print(&table(columns, rows.iter().map(cells), width())),
        }
    }

    /// Prints rows of values without a type of their own, as arrays: as JSON objects with the
    /// columns' names, or as a table.
    pub fn values<const N: usize>(
        &self,
        columns: &[&str; N],
        rows: impl IntoIterator<Item = Value>,
    ) -> anyhow::Result<()> {
        let rows = rows.into_iter();
        if self.json {
            let object = |row: Value| -> Value {
                let names = columns.iter().map(|name| name.replace(' ', "_"));
                let cells = (0..N).map(|index| row[index].clone());
                Value::Object(names.zip(cells).collect())
            };
            let objects: Value = rows.map(object).collect();
            return print(&format!("{objects:#}\n"));
        }
        let heads = columns.map(str::to_uppercase);
        let heads: [&str; N] = std::array::from_fn(|index| heads[index].as_str());
        let cells = rows.map(|row| {
            std::array::from_fn(|index| match &row[index] {
                Value::Null => "-".to_owned(),
                Value::String(text) => text.clone(),
                Value::Bool(true) => "yes".to_owned(),
                Value::Bool(false) => "no".to_owned(),
                other => other.to_string(),
            })
        });
        print(&table(heads, cells, width()))
    }

    /// Whether the output is JSON.
    pub fn json(&self) -> bool {
        self.json
    }

    /// Prints one item: as a JSON object, or as text.
    pub fn one<T: Serialize>(&self, value: &T, words: &str) -> anyhow::Result<()> {
        match self.json {
            true => print(&format!("{}\n", serde_json::to_string_pretty(value)?)),
            false => print(&format!("{words}\n")),
        }
    }
}

/// Prints a line, as [`print`] prints a text.
pub fn print_line(line: &str) -> anyhow::Result<()> {
    print(&format!("{line}\n"))
}

/// Prints a text. A closed pipe, as after `head`, is not an error: `println!` would panic.
pub fn print(text: &str) -> anyhow::Result<()> {
    match std::io::stdout().write_all(text.as_bytes()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}

/// The columns that a table should fit: those of a usual terminal. A program that reads the output
/// gets each row as one line.
fn width() -> usize {
    match std::io::stdout().is_terminal() {
        true => 100,
        false => usize::MAX,
    }
}

/// Formats a table: columns as wide as their widest cell, two spaces between them, no spaces after
/// the last. If it is wider than `width`, the widest cells break at spaces.
fn table<const N: usize>(
    columns: [&str; N],
    rows: impl Iterator<Item = [String; N]>,
    width: usize,
) -> String {
    let mut lines = vec![columns.map(str::to_owned)];
    // Otherwise a name with control characters could move the cursor and overwrite the table.
    lines.extend(rows.map(|cells| cells.map(|cell| printable(&cell))));
    if lines.len() == 1 {
        return "No entries.\n".to_owned();
    }
    let widths = widths(&lines, width);
    let mut text = String::new();
    for line in &lines {
        let cells: [Vec<String>; N] =
            std::array::from_fn(|index| broken(&line[index], widths[index]));
        let height = cells.iter().map(Vec::len).max().unwrap_or(0);
        for row in 0..height {
            let parts = cells.iter().zip(widths).map(|(cell, width)| {
                let part = cell.get(row).map_or("", String::as_str);
                format!("{part:<width$}")
            });
            text += parts.collect::<Vec<_>>().join("  ").trim_end();
            text.push('\n');
        }
    }
    text
}

/// The width of each column. While the table is too wide, the widest column that has spaces to
/// break at gets narrower.
fn widths<const N: usize>(lines: &[[String; N]], width: usize) -> [usize; N] {
    let widest = |index: usize, of: fn(&str) -> usize| {
        let widths = lines.iter().map(|line| of(&line[index]));
        widths.max().unwrap_or(0)
    };
    let longest_word = |cell: &str| {
        let words = cell.split(' ').map(|word| word.chars().count());
        words.max().unwrap_or(0)
    };
    let least: [usize; N] = std::array::from_fn(|index| widest(index, longest_word));
    let mut widths: [usize; N] =
        std::array::from_fn(|index| widest(index, |cell| cell.chars().count()));
    let between = 2 * N.saturating_sub(1);
    while widths.iter().sum::<usize>() + between > width {
        let can_break = (0..N).filter(|&index| widths[index] > least[index]);
        let Some(index) = can_break.max_by_key(|&index| widths[index]) else {
            break;
        };
        widths[index] -= 1;
    }
    widths
}

/// The lines of a cell, broken at spaces.
fn broken(cell: &str, width: usize) -> Vec<String> {
    if cell.chars().count() <= width {
        return vec![cell.to_owned()];
    }
    let mut lines: Vec<String> = Vec::new();
    for word in cell.split(' ') {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// A text without the characters that could move the cursor or reorder a line of a terminal:
/// control characters, zero-width spaces and bidirectional
/// formatting become spaces.
pub fn printable(text: &str) -> String {
    text.replace(is_unprintable, " ")
}

/// [`printable`] for a text of several lines, whose line feeds stay.
pub fn printable_lines(text: &str) -> String {
    text.replace(|c| c != '\n' && is_unprintable(c), " ")
}

fn is_unprintable(c: char) -> bool {
    c.is_control() || matches!(c, '\u{200B}' | '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

/// A time of the store, to the second; `-` when there is none.
pub fn time(milliseconds: Option<i64>) -> String {
    milliseconds
        .and_then(DateTime::<Utc>::from_timestamp_millis)
        .map_or("-".into(), |time| {
            time.to_rfc3339_opts(SecondsFormat::Secs, true)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned_and_cells_cannot_leave_their_line() {
        let rows = [["a", "longer"], ["b\u{1b}[2J\n", ""]];
        let rows = rows.into_iter().map(|cells| cells.map(str::to_owned));
        assert_eq!(
            table(["ONE", "TWO"], rows, 100),
            "ONE     TWO\na       longer\nb [2J\n"
        );
    }

    #[test]
    fn an_empty_table_says_so() {
        assert_eq!(table(["ONE"], std::iter::empty(), 100), "No entries.\n");
    }

    #[test]
    fn a_wide_cell_breaks_at_spaces_so_that_the_table_fits() {
        let words = ["accounts_reader"; 10].join(" ");
        let rows = [["a".repeat(30), words.clone(), "end".to_owned()]];
        let text = table(["ONE", "TWO", "THREE"], rows.into_iter(), 100);
        assert!(
            text.lines().all(|line| line.chars().count() <= 100),
            "{text}"
        );
        assert_eq!(text.matches("accounts_reader").count(), 10);
        assert_eq!(text.lines().count(), 5, "{text}");
        // A word never breaks.
        let rows = [["b".repeat(90), words]];
        let text = table(["ONE", "TWO"], rows.into_iter(), 100);
        assert!(text.contains(&"b".repeat(90)), "{text}");
    }

    #[test]
    fn printed_text_does_not_move_the_cursor_or_reorder_a_line() {
        assert_eq!(printable("a\u{9b}31mb\u{202e}c\u{200b}d\n"), "a 31mb c d ");
        assert_eq!(printable_lines("a\u{2066}\nb\r"), "a \nb ");
    }
}
