//! Reads the configuration file, and reports errors with line, column and key.
//!
//! confique ignores unknown keys. The service must report a mistyped key, so it compares all
//! keys with the declared ones first.

use std::ops::Range;
use std::path::Path;

use confique::Config as _;
use confique::meta::{FieldKind, Meta};
use toml::de::{DeTable, DeValue};

use super::error::in_plain_words;
use super::similar::nearest;
use super::{Config, ConfigError, Layer};

/// Reads a file.
pub(super) fn read(path: &Path) -> Result<Layer, ConfigError> {
    let text = std::fs::read_to_string(path).map_err(|source| ConfigError::Unreadable {
        path: path.to_owned(),
        source,
    })?;
    parse(path, &text)
}

/// Reads the text of a file; `path` is for messages.
pub(super) fn parse(path: &Path, text: &str) -> Result<Layer, ConfigError> {
    let error_at = |span: Option<Range<usize>>, key, message| {
        let (line, column) = position(text, span.map_or(0, |span| span.start));
        ConfigError::File {
            path: path.to_owned(),
            line,
            column,
            key,
            message,
        }
    };
    let table = DeTable::parse(text)
        .map_err(|error| error_at(error.span(), None, error.message().to_owned()))?;
    if let Some((span, key, known)) = unknown(table.get_ref(), &Config::META, "") {
        let message = format!("no such key; {known}");
        return Err(error_at(Some(span), Some(key), message));
    }
    toml::from_str(text).map_err(|error| {
        let span = error.span();
        let key = span
            .as_ref()
            .and_then(|span| key_at(table.get_ref(), span.start, ""));
        error_at(span, key, in_plain_words(error.message().trim()))
    })
}

/// Where a file has a value for the key: file, line and column. `None` for a list of tables, which has many places.
pub(super) fn place(path: &Path, key: &str) -> Option<String> {
    let text = std::fs::read_to_string(path).ok()?;
    let table = DeTable::parse(&text).ok()?;
    let (line, column) = position(&text, value_start(table.get_ref(), key)?);
    Some(format!("{}:{line}:{column}", path.display()))
}

/// The first byte of the value of a key.
fn value_start(table: &DeTable<'_>, key: &str) -> Option<usize> {
    let (name, rest) = match key.split_once('.') {
        Some((name, rest)) => (name, Some(rest)),
        None => (key, None),
    };
    let (_, value) = table.iter().find(|(own, _)| name == own.get_ref())?;
    match (value.get_ref(), rest) {
        (DeValue::Table(inner), Some(rest)) => value_start(inner, rest),
        (DeValue::Array(items), None) if items.iter().any(|item| item.get_ref().is_table()) => None,
        (_, None) => Some(value.span().start),
        (_, Some(_)) => None,
    }
}

/// The first unknown key: its position, its full name, the known names in its section, and a proposal.
fn unknown(
    table: &DeTable<'_>,
    meta: &Meta,
    parent: &str,
) -> Option<(Range<usize>, String, String)> {
    table.iter().find_map(|(key, value)| {
        let name = join(parent, key.get_ref());
        let Some(field) = meta.fields.iter().find(|field| field.name == key.get_ref()) else {
            let known: Vec<_> = meta.fields.iter().map(|field| field.name).collect();
            let meant = nearest(key.get_ref(), known.iter().copied());
            let meant = meant.map_or(String::new(), |meant| format!("; did you mean {meant}?"));
            let known = format!("there are {}{meant}", known.join(", "));
            return Some((key.span(), name, known));
        };
        match (&field.kind, value.get_ref()) {
            (FieldKind::Nested { meta }, DeValue::Table(inner)) => unknown(inner, meta, &name),
            _ => None,
        }
    })
}

/// The full name of the key whose value contains the byte at `offset`. A value in a list of tables has the names of its
/// list and its own.
fn key_at(table: &DeTable<'_>, offset: usize, parent: &str) -> Option<String> {
    table.iter().find_map(|(key, value)| {
        let name = join(parent, key.get_ref());
        let within = |item: &DeValue<'_>| match item {
            DeValue::Table(inner) => key_at(inner, offset, &name),
            _ => None,
        };
        let found = match value.get_ref() {
            DeValue::Table(_) => return within(value.get_ref()),
            DeValue::Array(items) => items.iter().find_map(|item| within(item.get_ref())),
            _ => None,
        };
        found.or_else(|| value.span().contains(&offset).then_some(name))
    })
}

/// The full name of a key in a section.
pub(super) fn join(parent: &str, key: &str) -> String {
    match parent {
        "" => key.to_owned(),
        parent => format!("{parent}.{key}"),
    }
}

/// Line and column of a byte, each counted from 1.
fn position(text: &str, offset: usize) -> (usize, usize) {
    let before = text.get(..offset).unwrap_or(text);
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    (
        before.matches('\n').count() + 1,
        before[line_start..].chars().count() + 1,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error_of(text: &str) -> String {
        match parse(Path::new("accord.toml"), text) {
            Ok(_) => panic!("accepted: {text}"),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn a_wrong_value_is_named_with_file_line_and_key() {
        let text = error_of("[server]\nregion = \"x\"\nlisten = \"nowhere\"\n");
        assert!(
            text.starts_with("accord.toml:3:10: server.listen: "),
            "{text}"
        );
    }

    #[test]
    fn a_mistyped_key_is_named_with_those_that_exist() {
        let text = error_of("[database]\nurll = \"sqlite:x\"\n");
        assert_eq!(
            text,
            "accord.toml:2:1: database.urll: no such key; there are url, migrate, \
             connections, connect_seconds, statement_seconds, unacknowledged_seconds, \
             keepalive_seconds; did you mean url?"
        );
    }

    #[test]
    fn a_wrong_value_of_a_model_is_named_with_its_key() {
        let model = "[[inference.models]]\nname = \"a\"\nfamily = \"a\"\n";
        let text = error_of(&format!("{model}{model}queue = -1\n"));
        assert!(
            text.starts_with("accord.toml:7:9: inference.models.queue: "),
            "{text}"
        );
        let upstream = "[[inference.models.upstreams]]\nurl = \"localhost\"\n";
        let text = error_of(&format!("{model}{upstream}"));
        assert_eq!(
            text,
            "accord.toml:5:7: inference.models.upstreams.url: expected an address that begins \
             with http:// or https://"
        );
    }

    #[test]
    fn a_key_has_the_place_of_its_value() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("accord.toml");
        let text = "[server]\nregion = 'x'\n[server.tls]\nkey = 'k'\n[[inference.models]]\n";
        std::fs::write(&path, text).unwrap();
        let place_of = |key: &str| {
            place(&path, key).map(|place| place.replace(&path.display().to_string(), ""))
        };
        assert_eq!(place_of("server.region").as_deref(), Some(":2:10"));
        assert_eq!(place_of("server.tls.key").as_deref(), Some(":4:7"));
        for key in ["server.domain", "mail.host", "inference.models"] {
            assert_eq!(place_of(key), None, "{key}");
        }
    }

    #[test]
    fn broken_toml_is_named_with_its_line() {
        let text = error_of("[log]\nlevel = \n");
        assert!(text.starts_with("accord.toml:2:"), "{text}");
    }

    #[test]
    fn the_configuration_of_the_readme_is_valid() {
        let readme = include_str!("../../../README.md");
        let (_, rest) = readme.split_once("```toml\n").expect("a block");
        let (text, _) = rest.split_once("```").expect("its end");
        assert!(text.contains("\n# client_address_header"), "{text}");
        let all = text.replace("\n# ", "\n");
        for text in [text, all.as_str()] {
            if let Err(error) = parse(Path::new("accord.toml"), text) {
                panic!("{error}");
            }
        }
    }
}
