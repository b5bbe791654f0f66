//! The header `Forwarded` (RFC 7239, section 4), read from the right.
//!
//! A caller can begin a quoted string that never ends. Read from the left, the elements that a
//! proxy appended would be part of that string. Read from the right, the proxy's elements are
//! complete before the caller's part is reached.

use std::borrow::Cow;

/// One element: the proxy's description of the request that it received.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Element<'h> {
    /// `for`.
    pub node: Option<Cow<'h, str>>,
    /// `host`.
    pub host: Option<Cow<'h, str>>,
    /// `proto`.
    pub proto: Option<Cow<'h, str>>,
}

impl<'h> Element<'h> {
    /// Parses an element. `None` if it is malformed or repeats a parameter.
    pub(super) fn parse(element: &'h [u8]) -> Option<Element<'h>> {
        let mut rest = std::str::from_utf8(element).ok()?.trim();
        let mut names: Vec<String> = Vec::new();
        let mut read = Element::default();
        while !rest.is_empty() {
            let (name, after) = rest.split_once('=')?;
            let name = name.trim_start().to_ascii_lowercase();
            if !is_token(&name) || names.contains(&name) {
                return None;
            }
            let (value, after) = value(after)?;
            match name.as_str() {
                "for" => read.node = Some(value),
                "host" => read.host = Some(value),
                "proto" => read.proto = Some(value),
                _ => {}
            }
            names.push(name);
            rest = match after.trim_start() {
                "" => "",
                more => more.strip_prefix(';')?.trim_start(),
            };
        }
        Some(read)
    }
}

/// A token or a quoted string at the beginning of a text, and the rest.
fn value(text: &str) -> Option<(Cow<'_, str>, &str)> {
    let Some(quoted) = text.strip_prefix('"') else {
        let end = text.find([';', ' ', '\t']).unwrap_or(text.len());
        let (token, rest) = text.split_at(end);
        return is_token(token).then_some((Cow::Borrowed(token), rest));
    };
    let mut value = String::new();
    let mut letters = quoted.char_indices();
    while let Some((at, letter)) = letters.next() {
        match letter {
            '"' => return Some((Cow::Owned(value), &quoted[at + 1..])),
            '\\' => value.push(letters.next()?.1),
            _ => value.push(letter),
        }
    }
    None
}

/// RFC 9110, section 5.6.2.
fn is_token(text: &str) -> bool {
    let is_letter = |b: u8| b.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&b);
    !text.is_empty() && text.bytes().all(is_letter)
}

/// The elements of one line, the last one first. Commas within quotes belong to
/// their element.
pub(super) fn elements(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = Some(line);
    std::iter::from_fn(move || {
        let line = rest?;
        let comma = last_comma(line);
        rest = comma.map(|at| &line[..at]);
        Some(&line[comma.map_or(0, |at| at + 1)..])
    })
}

fn last_comma(line: &[u8]) -> Option<usize> {
    let mut quoted = false;
    for at in (0..line.len()).rev() {
        match line[at] {
            b'"' if !(quoted && is_escaped(line, at)) => quoted = !quoted,
            b',' if !quoted => return Some(at),
            _ => {}
        }
    }
    None
}

fn is_escaped(line: &[u8], at: usize) -> bool {
    let backslashes = line[..at].iter().rev().take_while(|b| **b == b'\\');
    backslashes.count() % 2 == 1
}
