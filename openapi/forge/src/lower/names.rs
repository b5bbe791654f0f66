//! Allocates every name that generated code uses.
//!
//! Documents name things freely; Rust has its own rules. A [`Scope`] allocates names that are
//! valid, not reserved and unique. Emitted paths are absolute, so a schema may be called `Option`
//! or `String`.
//!
//! Identifiers consist of the characters of `XID_Start` and `XID_Continue` (Rust
//! Reference, "Identifiers"; Unicode Standard Annex 31). Letters and digits of other
//! kinds, such as `²`, `½` or `①`, separate words. All names are in NFC, in which the compiler
//! compares them.

use heck::{ToShoutySnakeCase, ToSnakeCase, ToUpperCamelCase};
use std::collections::HashMap;
use unicode_ident::{is_xid_continue, is_xid_start};
use unicode_normalization::UnicodeNormalization;

/// Names that share a namespace, each with the number from which on `take` looks for a free one.
#[derive(Debug, Default, Clone)]
pub struct Scope(HashMap<String, usize>);

/// The number of the second thing of a name.
const SECOND: usize = 2;

impl Scope {
    /// A scope in which these names are taken.
    pub fn reserved(names: &[&str]) -> Self {
        let names = names.iter();
        Scope(names.map(|name| ((*name).to_string(), SECOND)).collect())
    }

    /// Whether a name is taken.
    pub fn contains(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// `name`, or the first of `name2`, `name3` … that is free.
    pub fn take(&mut self, name: String) -> String {
        let Some(mut number) = self.0.get(&name).copied() else {
            self.0.insert(name.clone(), SECOND);
            return name;
        };
        let mut candidate = format!("{name}{number}");
        while self.contains(&candidate) {
            number += 1;
            candidate = format!("{name}{number}");
        }
        // The numbers up to this one are taken from now on.
        self.0.insert(name, number + 1);
        self.0.insert(candidate.clone(), SECOND);
        candidate
    }
}

/// The name of a type or a variant: `UpperCamelCase`.
pub fn type_name(text: &str) -> String {
    let name = normal(spell(text).to_upper_camel_case());
    match name.as_str() {
        "" => "Empty".to_string(),
        "Self" => "SelfValue".to_string(),
        _ if !starts_identifier(&name) => format!("N{name}"),
        _ => name,
    }
}

/// The name of a field, function or module: `snake_case`, with a trailing underscore if it would be
/// a keyword.
pub fn snake_name(text: &str) -> String {
    let name = normal(spell(text).to_snake_case());
    match name.as_str() {
        "" => "empty".to_string(),
        _ if !starts_identifier(&name) => format!("n{name}"),
        _ if is_keyword(&name) => format!("{name}_"),
        _ => name,
    }
}

/// The name of a static: `SHOUTY_SNAKE_CASE`.
pub fn table_name(text: &str) -> String {
    let name = normal(spell(text).to_shouty_snake_case());
    match name.as_str() {
        "" => "EMPTY".to_string(),
        _ if !starts_identifier(&name) => format!("N{name}"),
        _ => name,
    }
}

/// Whether a text begins as an identifier may.
fn starts_identifier(text: &str) -> bool {
    text.starts_with(is_xid_start)
}

/// The reason phrase of a status (RFC 9110 section 15), as a variant's name.
pub fn status_name(status: u16) -> String {
    let reason = match status {
        100 => "Continue",
        101 => "SwitchingProtocols",
        200 => "Ok",
        201 => "Created",
        202 => "Accepted",
        203 => "NonAuthoritativeInformation",
        204 => "NoContent",
        205 => "ResetContent",
        206 => "PartialContent",
        207 => "MultiStatus",
        208 => "AlreadyReported",
        226 => "ImUsed",
        300 => "MultipleChoices",
        301 => "MovedPermanently",
        302 => "Found",
        303 => "SeeOther",
        304 => "NotModified",
        307 => "TemporaryRedirect",
        308 => "PermanentRedirect",
        400 => "BadRequest",
        401 => "Unauthorized",
        402 => "PaymentRequired",
        403 => "Forbidden",
        404 => "NotFound",
        405 => "MethodNotAllowed",
        406 => "NotAcceptable",
        407 => "ProxyAuthenticationRequired",
        408 => "RequestTimeout",
        409 => "Conflict",
        410 => "Gone",
        411 => "LengthRequired",
        412 => "PreconditionFailed",
        413 => "ContentTooLarge",
        414 => "UriTooLong",
        415 => "UnsupportedMediaType",
        416 => "RangeNotSatisfiable",
        417 => "ExpectationFailed",
        418 => "ImATeapot",
        421 => "MisdirectedRequest",
        422 => "UnprocessableContent",
        423 => "Locked",
        424 => "FailedDependency",
        425 => "TooEarly",
        426 => "UpgradeRequired",
        428 => "PreconditionRequired",
        429 => "TooManyRequests",
        431 => "RequestHeaderFieldsTooLarge",
        451 => "UnavailableForLegalReasons",
        500 => "InternalServerError",
        501 => "NotImplemented",
        502 => "BadGateway",
        503 => "ServiceUnavailable",
        504 => "GatewayTimeout",
        505 => "HttpVersionNotSupported",
        507 => "InsufficientStorage",
        508 => "LoopDetected",
        511 => "NetworkAuthenticationRequired",
        other => return format!("Status{other}"),
    };
    reason.to_string()
}

/// The name of a range of statuses by its first digit.
pub fn range_name(first_digit: u16) -> String {
    match first_digit {
        1 => "Informational",
        2 => "Success",
        3 => "Redirection",
        4 => "ClientError",
        _ => "ServerError",
    }
    .to_string()
}

/// A name in NFC: a change of case may leave letters and marks apart.
fn normal(name: String) -> String {
    match name.is_ascii() {
        true => name,
        false => name.nfc().collect(),
    }
}

/// Symbols are spelled out, so that `>` and `>=` do not become the same name.
fn spell(text: &str) -> String {
    let mut spelled = String::with_capacity(text.len());
    for (index, c) in text.nfc().enumerate() {
        match c {
            '_' => spelled.push(' '),
            c if is_xid_continue(c) => spelled.push(c),
            '+' => spelled.push_str(" plus "),
            '-' if index == 0 => spelled.push_str(" minus "),
            '>' => spelled.push_str(" greater "),
            '<' => spelled.push_str(" less "),
            '=' => spelled.push_str(" equal "),
            '!' => spelled.push_str(" not "),
            '*' => spelled.push_str(" star "),
            '%' => spelled.push_str(" percent "),
            '&' => spelled.push_str(" and "),
            '|' => spelled.push_str(" or "),
            '$' => spelled.push_str(" dollar "),
            '@' => spelled.push_str(" at "),
            _ => spelled.push(' '),
        }
    }
    spelled
}

/// Whether an identifier is a keyword. `syn` has those of all editions but `gen`, which is one since 2024.
fn is_keyword(name: &str) -> bool {
    name == "gen" || syn::parse_str::<syn::Ident>(name).is_err()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_is_taken_gets_a_number() {
        let mut scope = Scope::default();
        assert_eq!(scope.take("Asc".into()), "Asc");
        assert_eq!(scope.take("Asc".into()), "Asc2");
        assert_eq!(scope.take("Asc".into()), "Asc3");
        let mut scope = Scope::reserved(&["Error"]);
        assert!(scope.contains("Error") && !scope.contains("Error2"));
        assert_eq!(scope.take("Error".into()), "Error2");
    }

    #[test]
    fn texts_that_normalization_makes_equal_become_different_identifiers() {
        // Composed letters, a letter of another block, Japanese and Korean, and two orders of marks.
        for (one, other) in [
            ("caf\u{e9}", "cafe\u{301}"),
            ("\u{2126}", "\u{3a9}"),
            ("\u{f900}", "\u{8c48}"),
            ("\u{304c}", "\u{304b}\u{3099}"),
            ("\u{d55c}", "\u{1112}\u{1161}\u{11ab}"),
            ("\u{5d0}\u{5b7}\u{5b0}", "\u{5d0}\u{5b0}\u{5b7}"),
        ] {
            for name in [snake_name, type_name, table_name] {
                let mut scope = Scope::default();
                let names = [one, other].map(|text| scope.take(name(text)));
                assert_ne!(names[0], names[1]);
                for name in names {
                    assert_eq!(name.nfc().collect::<String>(), name);
                }
            }
        }
        assert_eq!(snake_name("cafe\u{301}"), "caf\u{e9}");
    }

    #[test]
    fn numbers_are_not_tried_again() {
        let mut scope = Scope::reserved(&["A3"]);
        let names: Vec<String> = (0..4).map(|_| scope.take("A".into())).collect();
        assert_eq!(names, ["A", "A2", "A4", "A5"]);
        assert_eq!(scope.0.get("A"), Some(&6));
        assert_eq!(scope.take("A3".into()), "A32");
    }

    #[test]
    fn what_rust_reserves_is_respelled() {
        assert_eq!(snake_name("type"), "type_");
        assert_eq!(snake_name("self"), "self_");
        assert_eq!(snake_name("gen"), "gen_");
        assert_eq!(snake_name("union"), "union");
        assert_eq!(type_name("self"), "SelfValue");
        assert_eq!(type_name("3d"), "N3d");
        assert_eq!(type_name(""), "Empty");
    }

    #[test]
    fn every_text_becomes_an_identifier() {
        let texts = [
            "m²",
            "co₂",
            "½",
            "①",
            "٣",
            "\u{301}a",
            "ŉ",
            "名前",
            "a\u{0}b",
            "_",
            "-",
            "ß",
            "ǰ",
            "\u{200d}",
            "\u{b7}",
            "𝟙",
            "Ⅷ",
            "🦀",
            "\u{e000}",
            "__proto__",
            "r#type",
            "gen",
            "Self",
            "super",
        ];
        for text in texts {
            for name in [type_name(text), snake_name(text), table_name(text)] {
                let parsed = syn::parse_str::<syn::Ident>(&name);
                assert!(parsed.is_ok(), "{text:?} became {name:?}");
            }
        }
    }

    #[test]
    fn symbols_stay_apart() {
        assert_ne!(type_name(">"), type_name(">="));
        assert_ne!(type_name("+1"), type_name("-1"));
    }
}
