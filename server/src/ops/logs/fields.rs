//! The fields of a log line for people.

use std::fmt::{self, Write};

use tracing_subscriber::field::MakeExt;
use tracing_subscriber::fmt::FormatFields;
use tracing_subscriber::fmt::format::{self, Writer};

/// Writes the message, and then each field as `name=value`.
///
/// The terminal formatter of `tracing-subscriber` does not escape values, and a value from a
/// request could have control characters for the terminal. This formatter escapes the values, so
/// that only the formatter's own colors remain. Without colors, the whole line is escaped when it
/// is written.
pub(super) fn fields() -> impl for<'w> FormatFields<'w> + Send + Sync {
    format::debug_fn(|writer, field, value| {
        let (name, has_colors) = (field.name(), writer.has_ansi_escapes());
        match has_colors {
            _ if name == "message" => {}
            true => write!(writer, "\u{1b}[3m{name}\u{1b}[0m\u{1b}[2m=\u{1b}[0m")?,
            false => {
                writer.write_str(name)?;
                writer.write_char('=')?;
            }
        }
        match has_colors {
            true => write!(Escaped(writer), "{value:?}"),
            false => write!(writer, "{value:?}"),
        }
    })
    .delimited(" ")
}

/// Escapes control characters like Rust's literals.
struct Escaped<'a, 'w>(&'a mut Writer<'w>);

impl Write for Escaped<'_, '_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        text.chars().try_for_each(|char| match char.is_control() {
            true => write!(self.0, "{}", char.escape_debug()),
            false => self.0.write_char(char),
        })
    }
}
