//! Tables for people, JSON for programs, and errors that say what to do.

use accord_client::OperationError;
use serde::Serialize;
use std::{
    fmt::Display,
    io::{self, Write},
};

/// How a command prints.
pub struct Output {
    /// As JSON.
    pub json: bool,
}

impl Output {
    /// A list: one JSON array, or a table with these headings.
    pub fn list<T: Serialize, const N: usize>(
        &self,
        items: &[T],
        headings: [&str; N],
        row: impl Fn(&T) -> [String; N],
    ) -> anyhow::Result<()> {
        if self.json {
            return self.value(&items);
        }
        if items.is_empty() {
            return line("Nothing.");
        }
        let rows: Vec<[String; N]> = items.iter().map(row).collect();
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

    /// One item: a JSON object, or a line for each of its parts that has a
    /// value.
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

    /// The success of an act: an empty JSON object, or a sentence.
    pub fn done(&self, sentence: impl Display) -> anyhow::Result<()> {
        if self.json {
            line("{}")
        } else {
            line(&sentence.to_string())
        }
    }

    /// Any value, as JSON.
    pub fn value<T: Serialize>(&self, value: &T) -> anyhow::Result<()> {
        line(&serde_json::to_string_pretty(value)?)
    }
}

/// A line of the output. A closed pipe is not an error.
pub fn line(text: &str) -> anyhow::Result<()> {
    piece(&format!("{text}\n"))
}

/// A piece of text that is shown at once.
pub fn piece(text: &str) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => std::process::exit(0),
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

/// Converts an error of an operation into one of a command.
pub fn failed<E: OperationError>(error: E) -> anyhow::Error {
    let status = error.status().map(|status| status.as_u16());
    anyhow::Error::new(Failed {
        status,
        words: accord_client::explain(&error),
    })
}

/// An error and its causes, each text once.
pub fn reasons(error: &anyhow::Error) -> String {
    let mut text = String::new();
    for cause in error.chain().map(ToString::to_string) {
        if text.is_empty() {
            text = cause;
        } else if !text.contains(&cause) {
            text = format!("{text}: {cause}");
        }
    }
    text
}

/// An operation that failed.
#[derive(Debug)]
struct Failed {
    status: Option<u16>,
    words: String,
}

impl Display for Failed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.words)
    }
}

impl std::error::Error for Failed {}

/// A hint how to solve an error.
pub fn hint(error: &anyhow::Error) -> Option<&'static str> {
    let failed = error.downcast_ref::<Failed>()?;
    match failed.status {
        None if failed.words.contains("nobody is logged in") => Some("run `accord login`"),
        None if failed.words.contains("log in again") => Some("run `accord login`"),
        None if failed.words.contains("secret of an API key") => {
            Some("set one with --api-key or ACCORD_API_KEY; `accord keys create` creates one")
        }
        None if failed.words.contains("cannot be reached") => {
            Some("set the address of the service with --url or ACCORD_URL")
        }
        Some(401) if failed.words.contains("API key") => {
            Some("is the secret ACTIVE? `accord keys list` shows it")
        }
        Some(401) => Some("run `accord login`, as a user who may do this"),
        Some(403) => {
            Some("the login lacks a scope, or the key a policy; `accord whoami` shows the scopes")
        }
        Some(412) => Some("it has changed since you read it; read it again"),
        Some(429) => Some("wait a little and try again"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_reason_is_shown_once() {
        let cause = anyhow::anyhow!("EOF at column 11");
        let error = cause.context("an event is not readable: EOF at column 11");
        let error = error.context("the chat was interrupted");
        assert_eq!(
            reasons(&error),
            "the chat was interrupted: an event is not readable: EOF at column 11"
        );
    }

    #[test]
    fn a_table_is_as_wide_as_its_cells() {
        let cells = ["a".to_owned(), "bb".to_owned()];
        assert_eq!(padded(cells, [3, 4]), "a    bb");
    }
}
