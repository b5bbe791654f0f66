//! Security schemes, as far as a client must know them.

use serde_json::Value;

/// A security scheme of the document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scheme {
    /// Its name.
    pub name: String,
    /// How a request carries it.
    pub kind: Kind,
}

/// How a request carries the credentials of a scheme.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// `Authorization: Basic`.
    Basic,
    /// `Authorization: Bearer`.
    Bearer,
    /// Another scheme of the `Authorization` header.
    Authorization(String),
    /// A header.
    Header(String),
    /// A query parameter.
    Query(String),
    /// A cookie.
    Cookie(String),
}

/// The security schemes of a document. A scheme that says nothing usable counts as a bearer token.
pub fn schemes(root: &Value) -> Vec<Scheme> {
    let schemes = root
        .pointer("/components/securitySchemes")
        .and_then(Value::as_object);
    schemes
        .into_iter()
        .flatten()
        .map(|(name, scheme)| Scheme {
            name: name.clone(),
            kind: kind(scheme),
        })
        .collect()
}

fn kind(scheme: &Value) -> Kind {
    let text = |key: &str| scheme.get(key).and_then(Value::as_str).unwrap_or_default();
    match (text("type"), text("in")) {
        ("http", _) => match text("scheme").to_ascii_lowercase().as_str() {
            "basic" => Kind::Basic,
            "bearer" | "" => Kind::Bearer,
            _ => Kind::Authorization(text("scheme").to_owned()),
        },
        ("apiKey", "query") => Kind::Query(text("name").to_owned()),
        ("apiKey", "cookie") => Kind::Cookie(text("name").to_owned()),
        ("apiKey", _) => Kind::Header(text("name").to_owned()),
        _ => Kind::Bearer,
    }
}
