//! Explains syntax errors: the place of the mistake, and what to write instead.

use super::error::{CODE, SyntaxError};
use super::quotes::{self, KEY_AND_VALUE};
use super::{dash, indentation, unclosed, unusual};
use crate::document::{Diagnostic, conflict};

const INDENTATION: &str =
    "indent the keys of one object alike, and deeper than the key that holds them";

/// The finding about a syntax error.
pub(super) fn finding(error: SyntaxError<'_>) -> Diagnostic {
    let mistake = conflict::find(error.text, error.offset, CODE)
        .or_else(|| unclosed::quote(error))
        .or_else(|| dash::finding(error))
        .or_else(|| unusual::finding(error));
    if let Some(mistake) = mistake {
        return mistake;
    }
    let here = error.at..error.at;
    if let Some(help) = quotes::help(error.text, error.at, error.message) {
        return error.finding(here, error.message, help);
    }
    if let Some(finding) = unclosed::bracket(error) {
        return finding;
    }
    let general = general_help(error);
    let indented = indentation::help(error.text, error.line_of(error.at));
    let help = match indented {
        Some(wrong) if general == INDENTATION => wrong,
        Some(wrong) if general == KEY_AND_VALUE => format!("{general}. Or {wrong}"),
        _ => general.to_owned(),
    };
    error.finding(here, error.message, help)
}

/// The help for another syntax error, by the message of the parser.
fn general_help(error: SyntaxError<'_>) -> &'static str {
    if error.is_about(&["unprintable"]) {
        // Before "tab", which this word contains. The parser accepts all other characters.
        "remove the character NUL, or save the file as UTF-8"
    } else if error.is_about(&["tab"]) {
        "indent with spaces: YAML allows no tabs there"
    } else if error.is_about(&["':' may not precede"]) {
        // Before the other errors within brackets.
        KEY_AND_VALUE
    } else if error.is_about(&["escape", "hexadecimal"]) {
        // Before quoted scalars, which the parser's messages about escapes name, too.
        "write a backslash as two in double quotes, or use single quotes"
    } else if error.is_about(&["quoted scalar", "unexpected end of stream"]) {
        "close the quote that begins here, and double a quote within quotes"
    } else if error.is_about(&["misplaced bracket"]) {
        "remove the bracket, or write the one that opens it"
    } else if error.is_about(&["node content"]) && error.rest().starts_with(',') {
        "remove one comma"
    } else if error.is_about(&["flow", "',' or"]) {
        "close every bracket and brace, and put a comma between two items"
    } else if error.is_about(&["simple key", "':'", "mapping values"]) {
        KEY_AND_VALUE
    } else if error.is_about(&["anchor", "alias"]) {
        "define the anchor (`&name`) before the alias (`*name`)"
    } else {
        INDENTATION
    }
}
