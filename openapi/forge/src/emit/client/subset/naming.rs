//! Creates the identifiers of progenitor and typify, because generated code beside theirs uses their items.
//!
//! The rules: heck splits a name into words, a character that no identifier has separates words, and a keyword gets an
//! underscore.

use crate::lower::names::Scope;
use heck::{ToPascalCase, ToSnakeCase};
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
    methods: Scope,
    types: Scope,
}

impl NameAllocator {
    /// Begins with the names that the client has by itself.
    pub fn new() -> Self {
        Self {
            methods: Scope::reserved(&METHODS_OF_CLIENT),
            types: Scope::reserved(&TYPES_OF_BUILDERS),
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
        self.types.take(pascal(&name));
        self.methods.take(name)
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
}
