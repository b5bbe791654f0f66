//! Creates the identifiers of progenitor and typify, because generated code beside theirs uses their items.
//!
//! The rules: heck splits a name into words, a character that no identifier has separates words, and a keyword gets an
//! underscore.

use heck::{ToPascalCase, ToSnakeCase};
use std::collections::HashSet;
use unicode_ident::{is_xid_continue, is_xid_start};

/// The name of a type.
pub fn pascal(name: &str) -> String {
    identifier(name, str::to_pascal_case)
}

/// The name of a method, a field or a variable.
pub fn snake(name: &str) -> String {
    identifier(name, str::to_snake_case)
}

fn identifier(name: &str, case: fn(&str) -> String) -> String {
    let cased = match name {
        "+1" => "plus1".to_owned(),
        "-1" => "minus1".to_owned(),
        _ => case(
            &name
                .replace('\'', "")
                .replace(|c: char| !(c == '_' || is_xid_continue(c)), "-"),
        ),
    };
    let cased = match cased.chars().next() {
        None => case("x"),
        Some(first) if is_xid_start(first) => cased,
        Some(_) => format!("_{cased}"),
    };
    if is_keyword(&cased) {
        format!("{cased}_")
    } else {
        cased
    }
}

/// Whether a name is a keyword, which needs an underscore. The list is typify's.
fn is_keyword(name: &str) -> bool {
    const KEYWORDS: [&str; 53] = [
        "_", "abstract", "as", "async", "await", "become", "box", "break", "const", "continue",
        "crate", "do", "dyn", "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if",
        "impl", "in", "let", "loop", "macro", "match", "mod", "move", "mut", "override", "priv",
        "pub", "ref", "return", "Self", "self", "static", "struct", "super", "trait", "true",
        "try", "type", "typeof", "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
    ];
    KEYWORDS.contains(&name)
}

/// The names of one scope.
#[derive(Debug, Default)]
pub struct Names(HashSet<String>);

impl Names {
    /// A scope in which these names are taken.
    pub fn reserved(names: &[&str]) -> Self {
        Self(names.iter().map(|name| (*name).to_owned()).collect())
    }

    /// Whether a name is taken.
    pub fn contains(&self, name: &str) -> bool {
        self.0.contains(name)
    }

    /// Allocates this name, or the name with the first number that makes it unique: `Pet`, `Pet2`, `Pet3`.
    pub fn allocate(&mut self, wanted: &str) -> String {
        let mut name = wanted.to_owned();
        let mut number = 2;
        while !self.0.insert(name.clone()) {
            name = format!("{wanted}{number}");
            number += 1;
        }
        name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_match_those_of_progenitor() {
        assert_eq!(pascal("api-key.v2"), "ApiKeyV2");
        assert_eq!(pascal("2fast"), "_2fast");
        assert_eq!(pascal("self"), "Self_");
        assert_eq!(snake("createChatCompletion"), "create_chat_completion");
        assert_eq!(snake("type"), "type_");
        assert_eq!(snake(""), "x");
        assert_eq!(snake("won't"), "wont");
    }

    #[test]
    fn a_name_is_allocated_once() {
        let mut names = Names::reserved(&["Error"]);
        assert_eq!(
            ["Error", "Pet", "Error", "Pet"].map(|name| names.allocate(name)),
            ["Error2", "Pet", "Error3", "Pet2"]
        );
    }
}
