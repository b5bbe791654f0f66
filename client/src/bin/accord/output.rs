//! Tables for people, JSON for programs.

use serde::Serialize;
use serde_json::Value;
use std::{
    fmt::Display,
    io::{self, Write},
};
use thiserror::Error;

/// How a command prints.
pub struct Output {
    /// As JSON.
    pub json: bool,
}

impl Output {
    /// A list: one JSON array, or a table with these headings. `empty` says what there is none of, and how to get one.
    pub fn list<T: Serialize, const N: usize>(
        &self,
        items: &[T],
        empty: &str,
        headings: [&str; N],
        row: impl Fn(&T) -> [String; N],
    ) -> anyhow::Result<()> {
        if self.json {
            return self.value(&items);
        }
        if items.is_empty() {
            return line(empty);
        }
        let rows = items.iter().map(|item| row(item).map(cell));
        let rows: Vec<[String; N]> = rows.collect();
        let mut widths = headings.map(|heading| heading.chars().count());
        for row in &rows {
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = (*width).max(cell.chars().count());
            }
        }
        line(&padded(headings.map(str::to_uppercase), widths))?;
        for row in rows {
            line(&padded(row, widths))?;
        }
        Ok(())
    }

    /// One item: a JSON object, or a line for each of its parts that has a value.
    pub fn one<T: Serialize>(
        &self,
        item: &T,
        parts: &[(&str, Option<String>)],
    ) -> anyhow::Result<()> {
        if self.json {
            return self.value(item);
        }
        let width = parts
            .iter()
            .filter(|(_, text)| text.is_some())
            .map(|(name, _)| name.len())
            .max()
            .unwrap_or(0);
        for (name, text) in parts {
            if let Some(text) = text {
                line(&format!("{name:width$}  {text}"))?;
            }
        }
        Ok(())
    }

    /// The success of an act: what it has changed as JSON, or a sentence.
    pub fn done(&self, changed: &Value, sentence: impl Display) -> anyhow::Result<()> {
        if self.json {
            self.value(changed)
        } else {
            line(&sentence.to_string())
        }
    }

    /// Any value, as JSON.
    pub fn value<T: Serialize>(&self, value: &T) -> anyhow::Result<()> {
        json(serde_json::to_string_pretty(value)?)
    }

    /// An event of a stream: one line of JSON, shown at once. Text has its parts only.
    pub fn event<T: Serialize>(&self, event: &T) -> anyhow::Result<()> {
        match self.json {
            true => json(serde_json::to_string(event)?),
            false => Ok(()),
        }
    }

    /// A part of a streamed text, shown at once. JSON has its events only.
    pub fn part(&self, text: &str) -> anyhow::Result<()> {
        match self.json {
            true => Ok(()),
            false => bytes(printable(text).as_bytes()),
        }
    }
}

/// A line of the output for people. The error is [`Closed`] if nobody reads the output any more.
pub fn line(text: &str) -> anyhow::Result<()> {
    bytes(format!("{}\n", printable(text)).as_bytes())
}

/// A line of the standard error. It is not an error if nobody reads it any more.
pub fn note(text: impl Display) {
    let line = format!("{}\n", printable(&text.to_string()));
    let _ = io::stderr().write_all(line.as_bytes());
}

/// The text for a terminal. Other users and models write texts, which must not control it: ends of lines and tabs are the
/// only control characters that stay.
fn printable(text: &str) -> String {
    let shown = text.chars().filter(|letter| *letter != '\r');
    let shown = shown.map(|letter| match letter {
        '\n' | '\t' => letter,
        letter if letter.is_control() => char::REPLACEMENT_CHARACTER,
        letter => letter,
    });
    shown.collect()
}

/// A cell of a table, in one line.
fn cell(text: String) -> String {
    text.replace(['\n', '\t'], " ")
}

/// JSON, unchanged.
fn json(text: String) -> anyhow::Result<()> {
    bytes((text + "\n").as_bytes())
}

/// Nobody reads the output any more, as behind `head`. The command has not failed.
#[derive(Debug, Error)]
#[error("nobody reads the output")]
pub struct Closed;

/// Bytes that are shown at once, which may end within a character. The error is that of [`line`].
pub fn bytes(bytes: &[u8]) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Err(Closed.into()),
        other => Ok(other?),
    }
}

fn padded<const N: usize>(cells: [String; N], widths: [usize; N]) -> String {
    let cells = cells
        .into_iter()
        .zip(widths)
        .map(|(cell, width)| format!("{cell:width$}"));
    cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_cannot_control_the_terminal() {
        let text = "a\u{1b}[2J\tb\r\nc\u{9b}\u{7f}";
        assert_eq!(printable(text), "a\u{fffd}[2J\tb\nc\u{fffd}\u{fffd}");
    }

    #[test]
    fn a_table_is_as_wide_as_its_cells() {
        let cells = ["a".to_owned(), "bb".to_owned()];
        assert_eq!(padded(cells, [3, 4]), "a    bb");
    }
}
