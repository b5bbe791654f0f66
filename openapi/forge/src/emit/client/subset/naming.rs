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

/// Methods that the generated client has besides those of the operations.
const METHODS_OF_CLIENT: [&str; 9] = [
    "new",
    "new_with_client",
    "api_version",
    "baseurl",
    "client",
    "inner",
    "pre",
    "post",
    "exec",
];

/// Names that the code of a builder uses without a path; a builder of this name would hide them.
const TYPES_OF_BUILDERS: [&str; 14] = [
    "Result",
    "Option",
    "String",
    "Error",
    "ResponseValue",
    "ByteStream",
    "ClientInfo",
    "ClientHooks",
    "OperationInfo",
    "RequestBuilderExt",
    "Ok",
    "Err",
    "Some",
    "None",
];

/// The names of methods and of the types beside them, which must differ as well.
pub struct NameAllocator {
    methods: Names,
    types: Names,
}

impl NameAllocator {
    /// Begins with the names that the client has by itself.
    pub fn new() -> Self {
        Self {
            methods: Names::reserved(&METHODS_OF_CLIENT),
            types: Names::reserved(&TYPES_OF_BUILDERS),
        }
    }

    /// Allocates this name for a method, or the next that is free for the method and its type.
    pub fn allocate(&mut self, wanted: &str) -> String {
        let wanted = snake(wanted);
        let mut name = wanted.clone();
        let mut number = 2;
        while self.methods.contains(&name) || self.types.contains(&pascal(&name)) {
            name = snake(&format!("{wanted}_{number}"));
            number += 1;
        }
        self.types.allocate(&pascal(&name));
        self.methods.allocate(&name)
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
