//! Finds characters that became part of a name or a value by mistake: punctuation and quotes at the ends, invisible
//! characters, and letters of another script.

use super::key::Object;
use super::media_types::is_token;
use super::tables;
use crate::document::{Diagnostic, Node};

/// Checks the values that clients and servers compare by their characters.
pub(super) fn check(node: &Node, object: &Object) -> Vec<Diagnostic> {
    let keys: &[&str] = if object.is(&tables::SCHEMA) {
        // An extensible enumeration is one of these when it is checked.
        &["enum", "required"]
    } else if object.is(&tables::OPERATION) {
        &["tags"]
    } else if object.is(&tables::PARAMETER) && !is_refused(node) {
        &["name"]
    } else {
        &[]
    };
    let values = keys.iter().filter_map(|key| node.get(key));
    let values = values.flat_map(|value| match value.as_array() {
        Some(elements) => elements,
        None => std::slice::from_ref(value),
    });
    // The template of a path has the names of its parameters, signs included.
    let are_signs_wrong = object.is(&tables::PARAMETER) && node.text("in") != Some("path");
    let sign = |node| are_signs_wrong.then(|| sign(node)).flatten();
    let found = |node| {
        finding(node)
            .or_else(|| foreign(node))
            .or_else(|| space(node))
            .or_else(|| sign(node))
    };
    values.filter_map(found).collect()
}

/// Whether a later pass rejects the name of a parameter for its characters.
fn is_refused(parameter: &Node) -> bool {
    let is_limited = matches!(parameter.text("in"), Some("header" | "cookie"));
    is_limited && parameter.text("name").is_some_and(|name| !is_token(name))
}

fn finding(node: &Node) -> Option<Diagnostic> {
    let text = node.as_str()?;
    let mut chars = text.char_indices();
    let invisible = chars.find(|(at, char)| is_invisible(*char) && !is_french_space(text, *at));
    let (message, meant) = match invisible {
        Some((_, char)) => {
            let code = u32::from(char);
            let message = format!("this value has the invisible character U+{code:04X}");
            (message, visible(text))
        }
        None => {
            let meant = without_ends(text)?.to_owned();
            let message =
                format!("a quote or punctuation at an end of `{text}` is part of the value");
            (message, meant)
        }
    };
    if !meant.contains(char::is_alphanumeric) {
        return None;
    }
    Some(Diagnostic::warning("stray-character", node.span, message).did_you_mean(&meant))
}

/// The finding about a Cyrillic letter in a word of Latin letters, which nobody sees.
fn foreign(node: &Node) -> Option<Diagnostic> {
    let text = node.as_str()?;
    let is_cyrillic = |char: &char| ('\u{400}'..='\u{4ff}').contains(char);
    let mut words = text.split(|char: char| !char.is_alphabetic());
    let char = words.find_map(|word| {
        let is_latin = word.contains(|char: char| char.is_ascii_alphabetic());
        word.chars().find(is_cyrillic).filter(|_| is_latin)
    })?;
    let code = u32::from(char);
    let message = format!("`{char}` of this value is the Cyrillic letter U+{code:04X}");
    let finding = Diagnostic::warning("stray-character", node.span, message);
    Some(finding.help("write the word in the letters of one script"))
}

/// The finding about a space at an end of a value.
fn space(node: &Node) -> Option<Diagnostic> {
    let text = node.as_str()?;
    // A block of text ends with a line break.
    let meant = text.trim_matches([' ', '\t']);
    let is_wrong = meant != text && meant.contains(char::is_alphanumeric);
    is_wrong.then(|| {
        let message = format!(
            "a space at an end of `{}` is part of the value",
            text.escape_debug()
        );
        Diagnostic::warning("stray-character", node.span, message).did_you_mean(meant)
    })
}

/// The finding about a sign around the name of a parameter, as in `page=`, `page?` or `<page>`. Filters have names
/// such as `created<`.
fn sign(node: &Node) -> Option<Diagnostic> {
    let text = node.as_str()?;
    let inner = text
        .strip_prefix('<')
        .and_then(|text| text.strip_suffix('>'));
    let meant = inner
        .unwrap_or(text)
        .trim_matches(|char| "?=&:{}".contains(char));
    let is_word = |char: char| char.is_alphanumeric() || "-_.$[]".contains(char);
    let is_wrong = meant != text && !meant.is_empty() && meant.chars().all(is_word);
    is_wrong.then(|| {
        let message = format!("a sign at an end of `{text}` is part of the name");
        Diagnostic::warning("stray-character", node.span, message).did_you_mean(meant)
    })
}

/// Whether the space at a byte of a text is one that French puts within guillemets and before some signs.
fn is_french_space(text: &str, at: usize) -> bool {
    let Some(behind) = text[at..].strip_prefix('\u{a0}') else {
        return false;
    };
    text[..at].ends_with(['«', '‹']) || behind.starts_with(['»', '›', ':', ';', '!', '?'])
}

/// Characters of a value that nobody sees: spaces that look like the usual one, marks of direction, and characters
/// without a width. Those that join the parts of an emoji or of a word are not included, and no typographic spaces. In
/// the place of syntax, these are wrong, too: `document::characters` lists them.
fn is_invisible(char: char) -> bool {
    is_odd_space(char)
        || matches!(
            char,
            '\u{ad}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2060}' | '\u{feff}'
        )
}

fn is_odd_space(char: char) -> bool {
    matches!(char, '\u{a0}' | '\u{2028}' | '\u{2029}')
}

/// A text with usual spaces, and without invisible characters.
fn visible(text: &str) -> String {
    let spaced = text
        .chars()
        .map(|char| if is_odd_space(char) { ' ' } else { char });
    let visible: String = spaced.filter(|char| !is_invisible(*char)).collect();
    visible.trim().to_owned()
}

/// The word between a quote or punctuation; `None` if the text is not such a word. A pair of straight quotes or of
/// guillemets may be meant.
fn without_ends(text: &str) -> Option<&str> {
    let (first, last) = (text.chars().next()?, text.chars().next_back()?);
    let are_guillemets = matches!(
        (first, last),
        ('«', '»') | ('»', '«') | ('‹', '›') | ('›', '‹')
    );
    let is_paired = are_guillemets || first == last && is_straight(first);
    let is_end = |char| is_straight(char) || is_curly(char);
    // A name such as `‘Adan` begins with this quote.
    let is_letter = first == '‘' && !is_end(last);
    if is_paired || is_letter || is_genitive(text) && !is_end(first) {
        return None;
    }
    let word = match matches!(last, ',' | ';') {
        true => text.strip_suffix(last)?,
        false => text.trim_matches(is_end),
    };
    let is_word = |char: char| char.is_alphanumeric() || matches!(char, '-' | '_' | '.');
    let has_letters = word.chars().filter(|char| char.is_alphabetic()).count() > 1;
    (word != text && has_letters && word.chars().all(is_word)).then_some(word)
}

/// Whether a text ends like the genitive of a plural, as in `users'`.
fn is_genitive(text: &str) -> bool {
    let word = text.strip_suffix(['\'', '’']);
    word.is_some_and(|word| word.ends_with(['s', 'S']))
}

fn is_straight(char: char) -> bool {
    matches!(char, '"' | '\'' | '`')
}

fn is_curly(char: char) -> bool {
    matches!(
        char,
        '‘' | '’' | '‚' | '‛' | '“' | '”' | '„' | '‟' | '«' | '»' | '‹' | '›'
    )
}
